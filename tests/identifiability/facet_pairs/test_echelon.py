"""Growing row spaces against exact ranks modulo the prime."""

from random import Random

import numpy as np

from exactrelu.arithmetic.matrix import rank_modulo
from exactrelu.identifiability.facet_pairs.echelon import RowSpace


def test_rank_and_raising_rows_agree_with_a_rank_computed_at_once():
    rng = Random(3)
    for _ in range(60):
        columns = rng.randint(1, 7)
        rows = [[rng.choice([0, 0, 1, 2, 5]) for _ in range(columns)] for _ in range(rng.randint(0, 12))]
        space, chosen, start = RowSpace(columns), [], 0
        while start < len(rows):
            end = min(len(rows), start + rng.randint(1, 4))
            batch = np.array(rows[start:end], dtype=np.uint64).reshape(end - start, columns)
            chosen += [start + k for k in space.extend(batch)]
            start = end
        assert (
            space.rank == rank_modulo(rows, columns) == rank_modulo([rows[k] for k in chosen], columns) == len(chosen)
        )
        assert len(space.free_columns()) == columns - space.rank
        pivots = space.basis[:, space.pivots]
        assert (pivots == np.eye(space.rank, dtype=np.uint64)).all()


def test_greedy_from_the_first_row():
    space = RowSpace(2)
    assert space.extend(np.array([[0, 0], [2, 2], [1, 1], [0, 1]], dtype=np.uint64)) == [1, 3]
