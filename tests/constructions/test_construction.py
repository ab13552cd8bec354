"""The result of a construction: verified on construction, written as files that the command line reads back."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactrelu.certificates.certificate import Certificate
from exactrelu.checker import check
from exactrelu.constructions.construction import Claim, Construction
from exactrelu.constructions.kinds import KINDS, Request, construct
from exactrelu.constructions.slab import slab
from exactrelu.errors import CertificateRejected, InputError
from exactrelu.network.architecture import Architecture
from exactrelu.network.files.load import load
from exactrelu.polyhedra.domain_file import load_domain


def test_a_false_claim_cannot_be_constructed() -> None:
    made = slab(Architecture((2, 2, 1)))
    document = made.claims[0].certificate
    assert document is not None
    silent = made.network.replaced(2, [[0, 0]])
    wrong = Certificate({**document.claim, "network": silent.claim()}, document.evidence)
    with pytest.raises(CertificateRejected):
        Construction("slab", made.networks, made.domain, (Claim("wrong", "wrong", wrong),))


def test_files_are_read_back(tmp_path: Path) -> None:
    made = slab(Architecture((2, 2, 2, 1)))
    fields = made.written_fields(tmp_path / "new" / "folder")
    assert load(fields["network"]) == made.network
    assert load_domain(fields["domain"]).integer_rows == made.domain.integer_rows
    for path in fields["certificates"]:
        assert check(Path(path).read_text())


def test_several_networks_get_numbers(tmp_path: Path) -> None:
    first = slab(Architecture((2, 2, 1)))
    both = Construction("pair", (first.network, slab(Architecture((2, 2, 1)), 1).network), first.domain, ())
    fields = both.written_fields(tmp_path)
    assert [Path(path).name for path in fields["networks"]] == ["network-1.json", "network-2.json"]
    with pytest.raises(InputError, match="2 networks"):
        _ = both.network


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        slab(Architecture((2, 2, 1))).written_fields(tmp_path / "file")


def test_requests_are_checked() -> None:
    with pytest.raises(InputError, match="there are"):
        construct("no-such", Request())
    with pytest.raises(InputError, match="needs an architecture"):
        construct("slab", Request())
    with pytest.raises(InputError, match="slab only"):
        construct("depth-chain", Request(Architecture((2, 2, 1)), exponent=3))
    with pytest.raises(InputError, match="makes sense"):
        construct("slab", Request(Architecture((2, 2, 1)), draw_seed=3))
    assert set(KINDS) >= {"slab", "depth-chain"}
