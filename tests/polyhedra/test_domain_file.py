"""The domain file: as strict as network files."""

import io
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactrelu.errors import ExactnessError, InputError, ShapeError
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.domain_file import load_domain, parsed_domain, save_domain

GOOD = '{"format": "exactrelu/domain", "version": 1, "inequalities": [["1/2", 1, 0], [1, 0, -1]]}'
DOMAIN = Domain(2, ((Fraction(1, 2), Fraction(1), Fraction(0)), (Fraction(1), Fraction(0), Fraction(-1))))


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace(", ", ",\r\n").encode(),
        b'{"inequalities": [["1/2", 1, 0], [1, 0, -1]], "comment": "c", "x-a": []}',
    ],
)
def test_accepted(data):
    assert parsed_domain(data) == parsed_domain(data, 2) == DOMAIN


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "empty"),
        ("{", "not JSON"),
        ("[]", "JSON object"),
        (GOOD + GOOD, "not JSON"),
        ("{}", "'inequalities' is missing"),
        (GOOD.replace("domain", "network"), "format"),
        (GOOD.replace('"version": 1', '"version": true'), "version"),
        (GOOD.replace('"version": 1', '"version": 2'), "version"),
        (GOOD.replace('"version"', '"format"'), "twice"),
        (GOOD.replace('"version"', '"box"'), "unknown key 'box'"),
        (GOOD.replace("{", '{"x-a": [0.5], '), "x-a"),
        (GOOD.replace("{", '{"name": NaN, '), "name"),
        ('{"inequalities": 3}', "inequalities should be a list"),
        ('{"inequalities": [3]}', "inequality 0 should be a list"),
        ('{"inequalities": [[3]]}', "inequality 0 has 1"),
        ('{"inequalities": [[]]}', "inequality 0 has 0"),
        ('{"inequalities": [[1, 1], [1, 1, 1]]}', "inequality 1 has 3"),
        ('{"inequalities": []}', "dimension is unknown"),
        ('{"inequalities": ' + "[" * 100_000, "nested"),
        ('{"format": ' + "[" * 500 + "]" * 500 + "}", "format"),
    ],
)
def test_wrong_documents_are_refused(text, words):
    with pytest.raises(InputError, match=words):
        parsed_domain(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "0.5",
        "1e5",
        "NaN",
        "Infinity",
        '"0.1"',
        '"1/0"',
        "true",
        "null",
        "[]",
        "{}",
        "1" + "0" * 5000,
        '"' + "1" * 5000 + '"',
        '" 1"',
        '"١"',
    ],
)
def test_wrong_numbers_are_refused_with_row_and_column(text):
    with pytest.raises(ExactnessError, match="inequality 1, column 2") as caught:
        parsed_domain(('{"inequalities": [[1, 1, 1], [1, 1, ' + text + "]]}").encode())
    assert len(str(caught.value)) < 300


def test_decimals_on_request():
    found = parsed_domain(b'{"inequalities": [["0.1", "-1e-2"]]}', decimal=True)
    assert found.inequalities == ((Fraction(1, 10), Fraction(-1, 100)),)
    with pytest.raises(InputError, match="exponents"):
        parsed_domain(('{"inequalities": [[' + '"1e9999",' * 30_000 + '"1"]]}').encode(), decimal=True)


def test_the_dimension_is_checked_and_completes_an_empty_list():
    assert parsed_domain(b'{"inequalities": []}', 3) == Domain.space(3)
    with pytest.raises(ShapeError, match="inequality 0 has 3 entries, expected 4"):
        parsed_domain(GOOD.encode(), 3)


def test_files_and_standard_input(tmp_path, monkeypatch):
    path = tmp_path / "domain.json"
    save_domain(DOMAIN, path)
    assert load_domain(path) == DOMAIN
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert load_domain("-") == DOMAIN
    for wrong, words in ((tmp_path, "cannot be read"), (tmp_path / "missing", "No such file"), ("a\0b", "file name")):
        with pytest.raises(InputError, match=words):
            load_domain(wrong)
    with pytest.raises(InputError, match=r"domain\.json: is larger than max_bytes=10"):
        load_domain(path, max_bytes=10)
    path.write_bytes(bytes(range(256)))
    with pytest.raises(InputError, match=r"domain\.json: is not UTF-8"):
        load_domain(path)
    path.write_bytes(b'{"inequalities": [' + b"0," * 1_000_001)
    with pytest.raises(InputError, match="values"):
        load_domain(path)
    with pytest.raises(InputError, match="cannot be written"):
        save_domain(DOMAIN, tmp_path)


@given(st.lists(st.lists(st.fractions(max_denominator=50), min_size=3, max_size=3), min_size=1, max_size=4))
def test_writing_and_reading_gives_the_identical_domain(tmp_path_factory, rows):
    domain = Domain(2, tuple(map(tuple, rows)))
    path = tmp_path_factory.getbasetemp() / "domain.json"
    save_domain(domain, path)
    assert load_domain(path) == domain
