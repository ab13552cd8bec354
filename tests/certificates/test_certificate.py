"""Documents are canonical, verdicts refuse to be guessed, certificates are checked and compared."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.document import canonical_text, plain
from exactrelu.certificates.verdict import Fails, Holds, Undecided
from exactrelu.errors import CertificateRejected, ExactnessError, PreconditionError
from exactrelu.network.network import Network

NETWORK = Network([[[1]], [["1/2"]]], [[0], [1]])


def values(value: str) -> Certificate:
    return Certificate({"kind": "values", "network": NETWORK.claim(), "point": ["3"], "value": [value]}, {})


def test_a_true_claim_is_accepted_and_a_false_one_is_not() -> None:
    values("5/2").verify()
    with pytest.raises(CertificateRejected, match="values"):
        values("2").verify()


def test_evidence_is_written_once_and_on_demand(tmp_path: Any) -> None:
    calls = []

    def evidence() -> dict[str, Any]:
        calls.append(1)
        return {}
    certificate = Certificate(values("5/2").claim, evidence)
    assert not calls
    certificate.verify()
    certificate.verify()
    assert len(calls) == 1
    assert certificate.write(tmp_path / "c.json").read_text() == certificate.text
    assert certificate.text == values("5/2").text
    assert len(certificate.sha256) == 64


def test_documents_have_no_floats() -> None:
    assert plain({"x": (Fraction(1, 3), [True, None])}) == {"x": ["1/3", [True, None]]}
    with pytest.raises(ExactnessError):
        canonical_text({"x": 0.5})
    assert canonical_text({"b": 1, "a": "é"}) == '{"a":"\\u00e9","b":1}\n'


def test_verdicts() -> None:
    assert Holds()
    assert not Fails()
    with pytest.raises(PreconditionError, match="too many cells"):
        bool(Undecided("too many cells"))


def test_results_can_be_sent_to_another_process() -> None:
    import exactrelu as xr

    theta = Network([[[1, -1], [2, 1]], [[1, "1/2"]]], [[0, -1], [3]])
    for result in (xr.certify(theta), xr.genericity(theta), xr.complex(theta), xr.dimension(theta), xr.equal(theta, theta)):
        copy = pickle.loads(pickle.dumps(result))
        assert copy.to_json() == result.to_json()
        assert repr(copy) == repr(result)
    sent = pickle.loads(pickle.dumps(xr.certify(theta).certificate))
    sent.verify()
    assert sent.text == xr.certify(theta).certificate.text
