"""Every fact of every named example, proved anew."""

from __future__ import annotations

from itertools import combinations

import pytest

from exactrelu.certification.certify import certify
from exactrelu.equivalence.decide import equality
from exactrelu.errors import InputError
from exactrelu.examples import Example, example, examples, names
from exactrelu.verbs import equivalent

KNOWN = {"certify", "functional_dimension", "expected_dimension", "full_cells", "fiber", "pairwise", "fails"}


@pytest.mark.parametrize("shown", list(examples()), ids=names())
def test_facts(shown: Example) -> None:
    facts = shown.facts
    assert set(facts) <= KNOWN
    for network in shown.networks:
        found = certify(network, shown.domain)
        assert found.verdict == facts.get("certify", found.verdict)
        if found.certificate is not None:
            found.certificate.verify()
        if "functional_dimension" in facts:
            assert found.dimension.exact and found.dimension.lower == facts["functional_dimension"]
        assert network.architecture.expected_dimension == facts.get("expected_dimension", network.architecture.expected_dimension)
        if "fiber" in facts:
            assert found.fiber is not None and len(found.fiber) == facts["fiber"]
        geometry = found.conditions.geometry
        assert geometry is not None
        assert geometry.complex.full_cells == facts.get("full_cells", geometry.complex.full_cells)
        for name in facts.get("fails", ()):
            assert found.conditions.verdicts[name].word == "fails"


@pytest.mark.parametrize("shown", [e for e in examples() if len(e.networks) > 1], ids=[e.name for e in examples() if len(e.networks) > 1])
def test_several_parameters_have_one_function(shown: Example) -> None:
    assert shown.facts["pairwise"] == "equal and inequivalent"
    for a, b in combinations(shown.networks, 2):
        same = equality(a, b, shown.domain)
        assert same.verdict == "equal" and same.certificate is not None
        same.certificate.verify()
        assert equivalent(a, b).verdict == "inequivalent"


def test_names() -> None:
    assert len(set(names())) == len(names())
    with pytest.raises(InputError, match="there are"):
        example("no-such")
    assert example(names()[0]).network == next(examples()).networks[0]
