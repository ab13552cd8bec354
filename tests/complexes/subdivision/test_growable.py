"""Append-only arrays against plain lists."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.complexes.subdivision.growable import Growable


@pytest.mark.parametrize("capacity", [0, 1, 256])
@pytest.mark.parametrize("width", [None, 1, 3])
def test_appended_rows_stay_in_order(capacity: int, width: int | None) -> None:
    rng = random.Random(repr((capacity, width)))

    def rows(n: int) -> np.ndarray:
        return np.array([rng.randint(-9, 9) for _ in range(n * (width or 1))], np.int64).reshape((n,) if width is None else (n, width))
    start = rows(rng.choice((0, 3)))
    grown, expected = Growable(start, capacity), start.tolist()
    for n in (0, 1, 0, 2, 5, 40, 300):
        new = rows(n)
        grown.append(new)
        expected += new.tolist()
        assert grown.view.tolist() == expected and grown.size == len(expected) == len(grown.view)
        assert len(grown.data) >= grown.size and grown.data.dtype == np.int64


def test_reserve_keeps_the_rows_and_the_size() -> None:
    grown = Growable(np.arange(5), 0)
    grown.reserve(10)
    same = grown.data
    assert grown.view.tolist() == [0, 1, 2, 3, 4]
    grown.reserve(11)
    assert len(grown.data) >= 11 and grown.data is not same and grown.view.tolist() == [0, 1, 2, 3, 4]
    same = grown.data
    grown.reserve(5)
    assert grown.data is same


def test_the_view_writes_through_and_the_source_is_not_touched() -> None:
    source = np.arange(3)
    grown = Growable(source)
    grown.view[1] = 7
    assert grown.data[:3].tolist() == [0, 7, 2] and source.tolist() == [0, 1, 2]


def test_integers_of_any_size() -> None:
    grown = Growable(np.array([[1 << 200]], dtype=object), 0)
    grown.append(np.array([[-(1 << 300)]], dtype=object))
    assert grown.view.tolist() == [[1 << 200], [-(1 << 300)]]
