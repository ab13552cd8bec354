import json
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactrelu.checker import document
from exactrelu.checker.document import LIMITS, Malformed, Rejected

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17) + 1, 10**17) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@pytest.fixture(autouse=True)
def _meter() -> None:
    document.WORK.set([LIMITS["work"]])


@given(VALUES)
def test_canonical_bytes_are_read_back(value: object) -> None:
    text = document.canonical(value)
    assert document.load(text) == value
    assert document.load(text.encode()) == value


@given(
    VALUES, st.sampled_from([{"indent": 1}, {"ensure_ascii": False}, {"separators": (", ", ":")}])
)
def test_other_spellings_are_malformed(value: object, spelling: dict[str, object]) -> None:
    other = json.dumps(value, sort_keys=True, **{"separators": (",", ":"), **spelling}) + "\n"  # type: ignore[arg-type]
    if other != document.canonical(value):
        with pytest.raises(Malformed):
            document.load(other)


@given(st.fractions())
def test_every_fraction_has_one_spelling(q: F) -> None:
    assert document.rational(str(q)) == q


@given(st.from_regex(r"[-+]?[0-9 _]{0,3}(/-?[0-9]{0,3})?\n?", fullmatch=True))
def test_an_accepted_spelling_is_the_only_one(text: str) -> None:
    try:
        q = document.rational(text)
    except Malformed:
        return
    assert str(q) == text


@given(st.lists(st.integers(), min_size=1, max_size=4))
def test_points_are_read_exactly(entries: list[int]) -> None:
    text = " ".join(map(str, entries))
    if entries[0] > 0:
        assert document.point(text, len(entries) - 1) == tuple(entries)
    else:
        with pytest.raises(Rejected):
            document.point(text, len(entries) - 1)


@given(st.lists(st.fractions(), min_size=1, max_size=4))
def test_homogeneous_coordinates(x: list[F]) -> None:
    document.WORK.set([LIMITS["work"]])
    t, *rest = document.homogeneous(x)
    assert t > 0
    assert [F(v, t) for v in rest] == x


def test_work_is_charged_by_length() -> None:
    document.WORK.set([100])
    document.spend(50)
    with pytest.raises(Rejected, match="too much work"):
        document.spend(1, 2_560)
