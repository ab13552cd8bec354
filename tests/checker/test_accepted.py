"""The golden corpus: accepted for ever, reproduced byte by byte, and true."""

import json
from pathlib import Path

import pytest

from exactrelu.checker import KINDS, Rejected, check
from tests.checker import corpus, judges, producers

ACCEPTED = sorted((Path(__file__).resolve().parents[1] / "golden" / "accepted").glob("*.json"))


SMALL = [path for path in ACCEPTED if not path.stem.startswith("engine_")]
LARGE = [path for path in ACCEPTED if path.stem.startswith("engine_")]


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_golden_document_is_accepted(path: Path) -> None:
    text = path.read_text()
    claim = json.loads(text)["claim"]
    assert check(text) == claim["kind"]
    assert check(text.encode(), claim) == claim["kind"]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_golden_claim_is_true(path: Path) -> None:
    assert judges.true(json.loads(path.read_text())["claim"])


@pytest.mark.slow
@pytest.mark.parametrize("path", LARGE, ids=lambda path: path.stem)
def test_large_golden_claim_is_true(path: Path) -> None:
    assert judges.true(json.loads(path.read_text())["claim"])


def test_every_kind_has_a_golden_document() -> None:
    kinds = {json.loads(path.read_text())["claim"]["kind"] for path in ACCEPTED}
    assert kinds == set(KINDS) == set(judges.JUDGES)


def test_producers_repeat_their_bytes() -> None:
    documents = {name: producers.dumps(d) for name, d in corpus.documents().items()}
    stored = {path.stem: path.read_text() for path in SMALL}
    assert documents == stored


def test_a_claim_in_mind_must_be_the_one_proved() -> None:
    text = ACCEPTED[0].read_text()
    claim = json.loads(text)["claim"]
    with pytest.raises(Rejected, match="proves another claim"):
        check(text, {**claim, "kind": "values"})
