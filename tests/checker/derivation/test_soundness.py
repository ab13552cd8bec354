"""The checker never accepts a false equation: random rules, mutated proofs, and input made to exhaust it."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from exactrelu.checker.derivation import LIMITS, check_derivation
from exactrelu.checker.derivation.__main__ import main
from exactrelu.checker.derivation.axioms import AXIOMS, DEFINITIONS, axiom, definition
from exactrelu.checker.derivation.meter import Meter
from exactrelu.checker.derivation.rules import Rules, Sequent
from exactrelu.checker.derivation.terms import ARITY, Terms, text
from exactrelu.checker.document import Malformed, Rejected
from exactrelu.logic.derivation.proof import Proof
from exactrelu.logic.derivation.prove import prove
from exactrelu.logic.derivation.textbook import LAWS, stated
from tests.checker.derivation.chains import is_true, points, values
from tests.checker.derivation.documents import HEADER, UNIT, document

ROOT = Path(__file__).resolve().parents[3]


def proofs() -> list[list[str]]:
    """A few proofs of every kind: rewriting, case splits, divisible, without splits."""
    chosen = dict(LAWS)
    found = []
    for name in ("the maximum commutes", "excluded middle", "De Morgan, minimum", "sum and product, product",
                 "prelinearity", "half of a sum"):
        proof = prove(*stated((name, chosen[name])))
        assert isinstance(proof, Proof)
        found.append([*proof.lines()])
    proof = prove(*stated(("", chosen["sum and product, sum"])))
    assert isinstance(proof, Proof)
    return [*found, [*proof.to_axioms().lines()]]


# random rules -----------------------------------------------------------------------------------------------------------


def test_axioms_and_definitions_are_true() -> None:
    terms = Terms(Meter())
    for name in AXIOMS:
        for parameters in [[2], [3], [7]] if name in ("V1", "V2") else [[]]:
            assert is_true(terms.nodes, *axiom(terms, name, parameters)), name
    assert is_true(terms.nodes, *axiom(terms, "V1", [1]))
    for name in DEFINITIONS:
        for scalar in [F(0), F(1), F(2, 3), F(3, 7)] if name == "R1" else [None]:
            assert is_true(terms.nodes, *definition(terms, name, scalar)), name


class Samples:
    """The values of all terms so far at every sample point."""

    def __init__(self) -> None:
        self.points = points(["?x", "?y", "?z"], 70)
        self.known: list[list[F]] = [[] for _ in self.points]


def holds(rules: Rules, sequent: Sequent, samples: Samples) -> bool:
    """Whether the equation follows from the hypotheses at every sample point."""
    hypotheses, left, right = sequent
    conditions = rules.equations(hypotheses)
    for point, known in zip(samples.points, samples.known):
        v = values(rules.terms.nodes, point, known)
        if all(v[a] == v[b] for a, b in conditions) and v[left] != v[right]:
            return False
    return True


def random_term(rng: random.Random, terms: Terms, known: list[int]) -> int:
    op = rng.choice([name for name in ARITY if ARITY[name] and name != "scale"])
    return terms.make(op, *(rng.choice(known) for _ in range(ARITY[op])), data=rng.randint(1, 3) if op == "delta" else None)


def random_sequent(rng: random.Random, rules: Rules, known: list[int], proved: list[Sequent]) -> Sequent:
    """One rule applied to random premises; a refusal is an exception."""
    one, two, three = (rng.choice(proved) for _ in range(3))
    a, b = rng.choice(known), rng.choice(known)
    variables = [k for k in known if rules.terms[k][0] == "var"]
    image = {v: rng.choice(known) for v in rng.sample(variables, rng.randint(0, len(variables)))}
    choice = rng.randrange(11)
    if choice == 0:
        return rules.assume(a, b)
    if choice == 1:
        return rules.sym(one)
    if choice == 2:
        follows = [p for p in proved if p[1] == one[2]]
        return rules.trans([one, rng.choice(follows or [two])])
    if choice == 3:
        return rules.cong(rules.terms.make(rng.choice(["oplus", "odot", "imp"]), one[1], two[1]), [one, two])
    if choice == 4:
        return rules.rewrite(a, [one, two])
    if choice == 5:
        return rules.inst(one, image)
    if choice == 6:
        return rules.lemma(one, image, [])
    if choice == 7:
        fitting = [p for p in proved if rules.bit(p[1], p[2]) & one[0]]
        return rules.cut(one, [rng.choice(fitting or [two])])
    if choice == 8:
        same = [p for p in proved if p[1:] == one[1:]]
        return rules.split(a, b, one, rng.choice(same))
    if choice == 9:
        return rules.lemma(one, image, [rng.choice([two, three])])
    pair = rng.choice([(a, b), (b, a)])
    return rules.split(*pair, one, one)


def try_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    terms = Terms(Meter())
    rules, samples = Rules(terms), Samples()
    x, y = terms.make("var", data="?x"), terms.make("var", data="?y")
    known = [x, y, terms.make("0"), terms.make("1")]
    known += [random_term(rng, terms, known) for _ in range(12)]
    s, t = rng.choice(known), rng.choice(known)
    proved = [rules.assume(terms.make("odot", s, t), known[2]), rules.assume(terms.make("oplus", s, t), known[3])]
    proved += [(0, *axiom(terms, name, [])) for name in ("A2", "A4", "A6")] + [rules.refl(k) for k in known[:4]]
    tried = refused = 0
    while tried < 300:
        tried += 1
        try:
            sequent = random_sequent(rng, rules, known, proved)
        except Rejected:
            refused += 1
            continue
        if len(terms.below(sequent[1:])) > 40:
            continue
        assert holds(rules, sequent, samples), (text(terms.nodes, sequent[1]), text(terms.nodes, sequent[2]))
        proved.append(sequent)
        known += [k for k in sequent[1:] if k not in known and len(terms.below([k])) < 12]
    assert 0 < refused < tried


def try_many(seeds: range) -> None:
    for seed in seeds:
        try_random_rules(seed)


@pytest.mark.parametrize("seed", range(6))
def test_random_rules_prove_valid_sequents_only(seed: int) -> None:
    try_random_rules(seed)


FAULTS: dict[str, tuple[str, Any]] = {
    "a chain forgets hypotheses": ("trans", lambda self, premises: (premises[0][0], premises[0][1], premises[-1][2])),
    "congruence forgets hypotheses": ("cong", lambda self, term, premises: (0, term, self.terms.make(
        self.terms[term][0], *[p[2] for p in premises], data=self.terms[term][1]))),
    "rewriting forgets hypotheses": ("rewrite", lambda self, term, premises: (0, term, self.terms.replaced(
        term, {left: right for _, left, right in premises}))),
    "a cut needs no proof": ("cut", lambda self, premise, proofs: (0, *premise[1:])),
    "a split keeps no hypotheses": ("split", lambda self, s, t, below, above: (0, *below[1:])),
    "a lemma loses hypotheses": ("lemma", lambda self, premise, image, proofs: (
        0, *(self.terms.rebuild(self.terms.below(premise[1:]), image) or (image[premise[1]], image[premise[2]])))),
    "an assumption is a fact": ("assume", lambda self, left, right: (0, left, right)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random rules find every unsound variant of a rule, so that their silence above means something."""
    method, faulty = FAULTS[name]
    monkeypatch.setattr(Rules, method, faulty)
    with pytest.raises(AssertionError):
        try_many(range(6))


# mutated proofs ---------------------------------------------------------------------------------------------------------


def mutated(lines: list[str], rng: random.Random) -> list[str]:
    """A proof with one to three small changes, the last line included."""
    result = list(lines)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        k = rng.randrange(1, len(result))
        choice = rng.randrange(8)
        if choice == 0:
            del result[k]
        elif choice == 1:
            result.insert(k, rng.choice(result[1:]))
        elif choice == 2:
            other = rng.randrange(1, len(result))
            result[k], result[other] = result[other], result[k]
        elif choice == 3:
            result[-1] = changed(result[-1], rng)
        else:
            result[k] = changed(result[k], rng)
    return result


WORDS = [*ARITY, "refl", "assume", "axiom", "definition", "sym", "trans", "cong", "rewrite", "inst", "lemma", "cut", "split", *AXIOMS,
         *DEFINITIONS, "x", "y", "?x", "?y"]


def changed(line: str, rng: random.Random) -> str:
    value = json.loads(line)
    places = [*leaves(value)]
    if not places:
        return line
    owner, key = rng.choice(places)
    old = owner[key]
    if isinstance(old, int):
        owner[key] = rng.choice([old + 1, old - 1, 0, 1, 2,
                                 rng.randint(0, 2 * abs(old) + 3), old + rng.randint(-9, 9), -old, str(old), True])
    else:
        owner[key] = rng.choice(WORDS)
    if rng.random() < 0.1 and isinstance(value, list):
        value.insert(rng.randrange(len(value) + 1), rng.choice([0, 1, [], "x"]))
    return json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in value if isinstance(value, dict) else range(len(value)):
        if isinstance(value[key], list):
            yield from leaves(value[key])
        else:
            yield value, key


def count_false(cases: int, seed: int) -> tuple[int, int]:
    """Rejected and accepted mutants; every accepted one has to prove a true equation."""
    rng = random.Random(seed)
    originals = proofs()
    refused = accepted = 0
    for _ in range(cases):
        lines = mutated(rng.choice(originals[:4] if rng.random() < 0.9 else originals), rng)
        try:
            goal = check_derivation(lines)
        except (Rejected, Malformed):
            refused += 1
            continue
        accepted += 1
        assert is_true(goal.nodes, goal.left, goal.right), goal.text()
    return refused, accepted


def test_mutated_proofs_are_rejected_or_still_proofs() -> None:
    refused, accepted = count_false(400, 1)
    assert refused > 200
    assert accepted > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_mutated_proofs_are_rejected_or_still_proofs(seed: int) -> None:
    refused, accepted = count_false(1_000, 100 + seed)
    assert refused > 500
    assert accepted > 10


# input made to exhaust it --------------------------------------------------------------------------------------------------


def endless(line: str) -> Iterator[str]:
    yield HEADER
    yield '["var","x"]\n'
    while True:
        yield line


@pytest.mark.parametrize("line, limit", [('["refl",0]\n', "lines"), ('["definition","R1","9999/10000"]\n', "bytes")])
def test_endless_input_ends(line: str, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, limit, 2_000)
    with pytest.raises(Rejected, match="too"):
        check_derivation(endless(line))


def test_doubling_terms_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every instantiation doubles the term; after 60 of them it would have 2^60 symbols and as many shared nodes."""
    lines: list[Any] = [["var", "x"], ["oplus", 0, 0], ["oplus", 1, 0], ["assume", 0, 2]]
    lines += [["inst", k, 0, 2] for k in range(10)]
    goal_free = document(*lines)
    monkeypatch.setitem(LIMITS, "terms", 500)
    with pytest.raises(Malformed, match="without a goal"):
        check_derivation(goal_free)
    lines = [["var", "x"], ["refl", 0]]
    for k in range(2_000):
        lines.append(["neg", k])
    with pytest.raises(Rejected, match="too many terms"):
        check_derivation(document(*lines))


def test_deep_terms_need_no_stack() -> None:
    depth = 30_000
    lines: list[Any] = [["var", "x"], *[["neg", k] for k in range(depth)], ["var", "y"]]
    lines += [["refl", depth], ["inst", 0, 0, depth + 1], ["rewrite", depth, 0], {"goal": [depth, depth], "line": 2}]
    assert check_derivation(document(*lines)).text().startswith("... = ...")


def test_large_sums_are_linear() -> None:
    goal = check_derivation(document(["axiom", "V1", 10_000], ["var", "?x"], ["delta", 10_000, 0], ["refl", 1],
                                     {"goal": [1, 1], "line": 1}))
    assert goal.lines == 2


def test_what_is_not_text_is_malformed() -> None:
    for line in (b'["var","x"]\n', 7, None):
        with pytest.raises((Malformed, TypeError)):
            check_derivation([HEADER, line])  # type: ignore[list-item]


# the command ------------------------------------------------------------------------------------------------------------------


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text_of = "".join(document(*UNIT))
    cases = {"good": (text_of.encode(), 0), "packed": (gzip.compress(text_of.encode()), 0),
             "goal": (text_of.replace("[3,1]", "[1,1]").encode(), 1),
             "cut": (text_of[:-4].encode(), 2), "latin": ("é".encode("latin-1"), 2), "broken": (gzip.compress(text_of.encode())[:-9], 2),
             "empty": (b"", 2)}
    for name, (data, code) in cases.items():
        path = tmp_path / name
        path.write_bytes(data)
        assert main([str(path)]) == code, name
    assert main([str(tmp_path / "missing")]) == 2
    assert main([]) == 2
    assert "accepted\n(x + 0) = x\n2 lines, 0 case splits\n" in capsys.readouterr().out


def test_it_runs_alone(tmp_path: Path) -> None:
    path = tmp_path / "unit.jsonl"
    path.write_text("".join(document(*UNIT)))
    program = f"""
import json, sys
sys.path.insert(0, {str(ROOT)!r})
from exactrelu.checker.derivation import check_derivation
print(check_derivation(open({str(path)!r})).text())
print(json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    goal, modules = done.stdout.splitlines()
    assert goal == "(x + 0) = x"
    for name in json.loads(modules):
        top = name.partition(".")[0]
        assert name == "exactrelu" or name.startswith("exactrelu.checker") or top in sys.stdlib_module_names or top == "__main__", name
