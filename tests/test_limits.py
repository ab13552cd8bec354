"""Limits are positive numbers; the meter stops exactly above them and tells what was done."""

from __future__ import annotations

import pytest

from exactrelu import limits as module
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.limits import DEFAULT_BITS, DEFAULT_CELLS, Limits, Meter


@pytest.mark.parametrize("name, word", [("max_cells", "integer"), ("max_seconds", "number"), ("max_bits", "integer")])
@pytest.mark.parametrize("value", [0, -1, True, False, "3", [1], float("nan")])
def test_wrong_limits(name: str, word: str, value: object) -> None:
    with pytest.raises(InputError, match=f"{name} must be a positive {word}, got"):
        Limits(**{name: value})  # type: ignore[arg-type]


def test_only_seconds_may_be_broken() -> None:
    assert Limits(max_seconds=0.5).max_seconds == 0.5
    for name in ("max_cells", "max_bits"):
        with pytest.raises(InputError, match=name):
            Limits(**{name: 1.5})  # type: ignore[arg-type]


@pytest.mark.parametrize("limits, bound", [(None, DEFAULT_CELLS), (Limits(max_cells=10), 10)])
def test_cells(limits: Limits | None, bound: int) -> None:
    meter = Meter(limits)
    meter.done = {"leaves": 4}
    meter.cells(bound)
    with pytest.raises(BudgetExceeded, match=f"max_cells={bound} exceeded: {bound + 1} cells") as stop:
        meter.cells(bound + 1)
    assert stop.value.done == {"leaves": 4} and stop.value.done is not meter.done


@pytest.mark.parametrize("limits, bound", [(None, DEFAULT_BITS), (Limits(max_bits=8), 8)])
def test_bits(limits: Limits | None, bound: int) -> None:
    Meter(limits).bits(bound, "the form")
    with pytest.raises(BudgetExceeded, match=f"max_bits={bound} exceeded: the form has {bound + 1} bits"):
        Meter(limits).bits(bound + 1, "the form")


def test_time_and_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    meter, free = Meter(Limits(max_seconds=8)), Meter()
    now[0] = 104.0
    assert meter.stage(5).max_seconds == 4 and meter.stage(5, percent=50).max_seconds == 2
    assert meter.stage(5, 1).max_seconds == 1 and meter.stage(5, 100).max_seconds == 4
    assert free.stage(5) == Limits(max_cells=5) and free.stage(5, 3) == Limits(5, 3)
    assert Meter(Limits(max_cells=2, max_bits=7)).stage(5) == Limits(2, None, 7)
    now[0] = 108.0
    meter.tick()
    now[0] = 108.5
    with pytest.raises(BudgetExceeded, match="max_seconds=8 used up"):
        meter.tick()
    assert 0 < meter.stage(5).max_seconds <= 1 / 1000  # type: ignore[operator]
    free.tick()
