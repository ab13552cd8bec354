"""Components of a graph against a search through the graph."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.complexes.components import component_count, component_labels


@pytest.mark.parametrize("seed", range(20))
def test_labels_are_the_smallest_vertices(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 30)
    edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, n))]
    found = component_labels(n, np.array([a for a, _ in edges], np.int64), np.array([b for _, b in edges], np.int64))
    expected = []
    for v in range(n):
        seen, stack = {v}, [v]
        while stack:
            u = stack.pop()
            for a, b in edges:
                for p, q in ((a, b), (b, a)):
                    if p == u and q not in seen:
                        seen.add(q)
                        stack.append(q)
        expected.append(min(seen))
    assert found.tolist() == expected and component_count(found) == len(set(expected))


def test_a_long_path_and_no_vertices() -> None:
    order = list(range(500))
    random.Random(0).shuffle(order)
    assert set(component_labels(500, np.array(order[:-1]), np.array(order[1:])).tolist()) == {0}
    nothing = np.zeros(0, np.int64)
    assert component_labels(0, nothing, nothing).tolist() == [] and component_count(nothing) == 0
