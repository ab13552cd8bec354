"""A changed document is malformed, rejected, or proves a claim that is still true."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from exactrelu.checker import Malformed, Rejected, check
from tests.checker import judges, mutants

ACCEPTED = sorted((Path(__file__).resolve().parents[1] / "golden" / "accepted").glob("*.json"))
KNOWN: dict[str, bool] = {}


def still_true(claim: dict[str, Any]) -> bool:
    key = json.dumps(claim, sort_keys=True)
    if key not in KNOWN:
        KNOWN[key] = judges.true(claim)
    return KNOWN[key]


def judge(document: Any, original: Any) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":")) + "\n"
    try:
        check(text)
    except Rejected:
        return "rejected"
    except Malformed:
        return "malformed"
    if document["claim"] == original["claim"]:
        return "same claim"
    assert still_true(document["claim"]), text
    return "other claim, true"


def run(number: int, seed: int) -> Counter[str]:
    """Judge this many mutants of every document, half of them anywhere in a small document."""
    verdicts: Counter[str] = Counter()
    for path in ACCEPTED:
        original = json.loads(path.read_text())
        rng = random.Random(f"{path.stem} {seed}")
        pools = [list(mutants.places(original)), list(mutants.places(original["evidence"]))]
        for k in range(number):
            if pools[1] and (k % 2 or path.stem.startswith("engine_")):
                place = ("evidence", *rng.choice(pools[1]))
            elif path.stem.startswith("engine_"):
                place = ("evidence",)
            else:
                place = rng.choice(pools[0])
            verdicts[judge(mutants.mutant(original, place, rng), original)] += 1
    return verdicts


def test_a_thousand_mutants_prove_nothing_false() -> None:
    verdicts = run(60, 1)
    assert sum(verdicts.values()) >= 1_000
    assert verdicts["rejected"] > 100
    assert verdicts["malformed"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_more_mutants_prove_nothing_false(seed: int) -> None:
    assert sum(run(200, seed).values()) >= 1_000
