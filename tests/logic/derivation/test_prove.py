"""Every true equation gets a derivation that the checker accepts, every false one a point where the sides differ."""

from __future__ import annotations

import random
from fractions import Fraction as F
from pathlib import Path

import pytest

from exactrelu.certificates.verdict import Undecided
from exactrelu.errors import CertificateRejected, DomainError, InputError
from exactrelu.limits import Limits
from exactrelu.logic.derivation.proof import Proof
from exactrelu.logic.derivation.prove import Counterexample, prove
from exactrelu.logic.derivation.textbook import LAWS, ONE, ZERO, Sketch, stated
from tests.logic.derivation.random_formulas import STEPS, alike_pairs, formula, value

X, Y, Z = map(Sketch.variable, "xyz")
LAW = dict(LAWS)


def proved(f: Sketch, g: Sketch, short: bool = True) -> Proof:
    proof = prove(f, g, short=short)
    assert isinstance(proof, Proof), proof
    assert proof.proves(f, g)
    proof.check()
    return proof


def refuted(f: Sketch, g: Sketch) -> Counterexample:
    answer = prove(f, g)
    assert isinstance(answer, Counterexample), answer
    assert not answer
    assert answer.values[0] != answer.values[1]
    return answer


# degenerate first

@pytest.mark.parametrize("f, g", [
    (ZERO, ZERO), (ONE, ~ZERO), (X, X), (X, X + ZERO), (X + X * ~X, X), ((X + ~X) * Y, Y), (X * ~X + Y * ~Y, ZERO),
    ((X | X) & (X | X), X), ((X & ~X) * (X & ~X), ZERO), ((X | ~X) + (X | ~X), ONE), (X & (Y * ~Y), ZERO),
    ((X + Y) * ~(X + Y), ZERO), ((X | Y) + ~(Y | X), ONE), ((X * Y) * (~X + ~Y), ZERO), ((X >> X) >> X, X),
    ((X & Y) >> (X | Y), ONE), ((X + X) & (~X + ~X), (X + X) * (~X + ~X)),
])
@pytest.mark.parametrize("short", [True, False])
def test_degenerate_equations(f: Sketch, g: Sketch, short: bool) -> None:
    proved(f, g, short)


@pytest.mark.parametrize("f, g", [(ZERO, ONE), (X, Y), (X, ~X), (X, X + X), (X * X, X), (X & ~X, X * (~X | ~X)),
                                  ((X + X) * (X + X), X * X + X * X)])
def test_false_equations(f: Sketch, g: Sketch) -> None:
    refuted(f, g)


def test_the_counterexample_names_every_variable() -> None:
    answer = refuted(X + (Y * ~Y), X + X)
    assert set(answer.at) == {"x", "y"}
    assert all(isinstance(value, F) and 0 <= value <= 1 for value in answer.at.values())


@pytest.mark.parametrize("f, g", [
    (X.part(1), X), (ZERO.part(3), ZERO), (ONE.part(2), ~ONE.part(2)), (X.part(2).part(3), X.part(6)), (X.scaled("0"), ZERO),
    (X.scaled("1"), X), (X.scaled("2/3"), (X + X).part(3) + (X * X).part(3)), (X.part(3).times(2), ~(X.part(3) + ~X)),
    ((X * (Y | Z)).scaled("1/2"), ((X * Y) | (X * Z)).scaled("1/4") + (X * (Z | Y)).scaled("1/4")),
    ((X * ~X).part(5), ZERO), (X.part(2) * X.part(2), ZERO), ((X & Y).part(2), X.part(2) & Y.part(2)),
])
def test_divisible_and_scalar_equations(f: Sketch, g: Sketch) -> None:
    proved(f, g)


@pytest.mark.parametrize("f, g", [
    ((X + Y).part(2), X.part(2) + Y.part(2)), (X.part(2), X.part(3)), (X.scaled("2/3"), X.part(3)), (ONE.part(3), ONE.part(2)),
    (X.part(2).part(2), X.part(3)), ((X * Y).part(2), X.part(2) * Y.part(2)),
])
def test_false_divisible_equations(f: Sketch, g: Sketch) -> None:
    refuted(f, g)


# random

@pytest.mark.parametrize("names, sizes, seed", [("x", (4, 12), 1), ("xy", (6, 12), 2), ("xyz", (8, 13), 3)])
def test_random_pairs(names: str, sizes: tuple[int, int], seed: int) -> None:
    for f, g in alike_pairs(names, sizes, 8, seed, 8_000):
        answer = prove(f, g, short=False)
        if isinstance(answer, Proof):
            answer.check()
        else:
            assert isinstance(answer, Counterexample)


def test_random_formulas_agree_with_sampling() -> None:
    rng = random.Random(7)
    for _ in range(25):
        f, g = formula(rng, rng.randint(1, 9), "xy"), formula(rng, rng.randint(1, 9), "xy")
        same = all(value(f, {"x": a, "y": b}) == value(g, {"x": a, "y": b}) for a in range(STEPS + 1) for b in range(STEPS + 1))
        answer = prove(f, g)
        if isinstance(answer, Proof):
            assert same
            answer.check()
        else:
            assert isinstance(answer, Counterexample)  # that its values differ is part of the answer


@pytest.mark.slow
@pytest.mark.parametrize("names, sizes, count, seed", [
    ("x", (8, 12), 30, 1), ("xy", (9, 12), 24, 2), ("xyz", (10, 13), 16, 3), ("xy", (14, 20), 12, 4), ("xyz", (15, 20), 8, 5)])
def test_all_random_pairs_within_ten_seconds(names: str, sizes: tuple[int, int], count: int, seed: int) -> None:
    done = 0
    for f, g in alike_pairs(names, sizes, 2 * count, seed, 150_000):
        answer = prove(f, g, Limits(max_seconds=10))
        assert not isinstance(answer, Undecided)
        if isinstance(answer, Proof):
            answer.check()
            done += 1
    assert done >= count


# limits, files, explanations

def test_limits_give_no_answer() -> None:
    f, g = stated(("", LAW["the maximum associates"]))
    for limits in (Limits(max_cells=2), Limits(max_seconds=1e-6)):
        answer = prove(f, g, limits)
        assert isinstance(answer, Undecided)
        assert "exceeded" in answer.reason or "used up" in answer.reason


def test_very_large_questions_are_declined() -> None:
    with pytest.raises(DomainError, match="derivations need at most 100"):
        prove(X.part(1_000), X)
    f = X
    for _ in range(300):
        f = (f + Y) * ~Y
    answer = prove(f, f + ZERO * f, short=False)
    assert isinstance(answer, Proof | Undecided)
    assert isinstance(prove(f, Y, short=False), Undecided)


def test_files(tmp_path: Path) -> None:
    proof = proved(*stated(("", LAW["sum and product, product"])))
    for name in ("a.jsonl", "a.jsonl.gz"):
        proof.save(tmp_path / name)
        again = Proof.load(tmp_path / name)
        assert again.lines() == proof.lines()
        assert again.check() == proof.check()
        assert again.goal() == proof.goal()
        assert again.to_axioms().check().splits == 0
    data = (tmp_path / "a.jsonl.gz").read_bytes()
    proof.save(tmp_path / "a.jsonl.gz")
    assert (tmp_path / "a.jsonl.gz").read_bytes() == data


@pytest.mark.parametrize("text", ["", "x\n", "[]\n",
                                  '{"format":"exactrelu/derivation","version":1}\n["sym",0]\n', '{"goal":[0,0],"line":0}\n'])
def test_files_that_are_no_derivations(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(InputError):
        Proof.load(tmp_path / "x")
    (tmp_path / "x.gz").write_bytes(b"\x1f\x8b12")
    with pytest.raises(InputError):
        Proof.load(tmp_path / "x.gz")


def test_a_wrong_file_is_not_accepted(tmp_path: Path) -> None:
    lines = [*proved(*stated(("", LAW["excluded middle"]))).lines()]
    k = next(i for i, line in enumerate(lines) if line.startswith('["inst"'))
    (tmp_path / "x").write_text("".join(lines[:k] + lines[k + 1:]))
    with pytest.raises((InputError, CertificateRejected)):
        Proof.load(tmp_path / "x").check()
    (tmp_path / "y").write_text("".join(lines).replace(",", ", "))  # the same steps, in other bytes
    with pytest.raises(CertificateRejected, match="not canonical"):
        Proof.load(tmp_path / "y").check()


def test_explanations() -> None:
    short = proved(*stated(("", LAW["the product commutes"]))).explain()
    assert short.splitlines()[0].startswith("(x * y) = (y * x)")
    assert "[definition D2]" in short
    proof = proved(*stated(("", LAW["prelinearity"])))
    assert "two cases" in proof.explain()
    assert proof.rules()["split"] == proof.check().splits
    assert repr(proof).startswith("<Proof of ((x -> y) | (y -> x)) = 1: ")
    assert proof.size() == proof.check().lines


def test_the_same_question_has_the_same_bytes() -> None:
    f, g = stated(("", LAW["sum over minimum"]))
    assert proved(f, g).lines() == proved(f, g).lines()
