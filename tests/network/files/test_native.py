"""The JSON network file: strict, exact, and every refusal says where."""

import json
from fractions import Fraction

import pytest

from exactrelu.errors import ExactnessError, InputError, ShapeError
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.native import read_native, write_native
from exactrelu.network.network import Network

LIMITS = FileLimits()
GOOD = '{"format": "exactrelu/network", "version": 1, "architecture": [1, 1], "weights": [[["1/2"]]], "biases": [[3]]}'


def with_weight(text):
    return ('{"weights": [[[1, 2]], [[' + text + ']]], "biases": [[0], [0]]}').encode()


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace(", ", ",\r\n").encode(),
        b'{"weights": [[["1/2"]]], "biases": [["3"]]}',
        GOOD.replace("{", '{"name": "n", "x-tool": [true], ').encode(),
    ],
)
def test_accepted(data):
    assert read_native(data, LIMITS) == Network([[["1/2"]]], [[3]])


@pytest.mark.parametrize(
    "text, words",
    [
        ("0.5", 'write "1/2"'),
        ("1e400", "JSON float"),
        ("1e999999999", "JSON float"),
        ("NaN", "NaN"),
        ("-Infinity", "finite"),
        ('"0.1"', "--decimal"),
        ('"1/0"', "not a rational"),
        ('"١"', "not a rational"),
        ('" 1"', "not a rational"),
        ('"1_0"', "not a rational"),
        ('"1\\n"', "not a rational"),
        ('"+1"', "not a rational"),
        ("true", "truth value"),
        ("null", "null"),
        ("[1]", "list"),
        ("{}", "object"),
        ("1" + "0" * 5000, "longer than"),
        ('"' + "7" * 5000 + '"', "longer than"),
        ('"1e10000000"', "not a rational"),
        ('"-0"', None),
    ],
)
def test_a_wrong_number_is_refused_with_layer_row_and_column(text, words):
    if words is None:
        assert read_native(with_weight(text), LIMITS).weights[1] == ((0,),)
        return
    with pytest.raises(ExactnessError, match="layer 2, weight row 0, column 0") as caught:
        read_native(with_weight(text), LIMITS)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_wrong_bias_is_refused_with_its_place():
    with pytest.raises(ExactnessError, match="layer 1, bias 1"):
        read_native(b'{"weights": [[[1], [2]]], "biases": [[0, 0.5]]}', LIMITS)


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "not JSON"),
        ("[]", "should hold a JSON object"),
        ("{", "not JSON"),
        (GOOD + "x", "not JSON"),
        (GOOD.replace('"biases"', '"weights"'), "written twice"),
        (GOOD.replace('"biases"', '"bias"'), "unknown key 'bias'"),
        ('{"weights": [[[1]]]}', "'biases' is missing"),
        (GOOD.replace("exactrelu/network", "exactrelu/domain"), "format"),
        (GOOD.replace('"version": 1', '"version": 2'), "version"),
        (GOOD.replace('"version": 1', '"version": true'), "version"),
        (GOOD.replace('"version": 1', '"version": 1.0'), "version"),
        (GOOD.replace("[1, 1]", "[1, 2]"), "architecture"),
        (GOOD.replace("[1, 1]", '["1", 1]'), "architecture"),
        (GOOD.replace("[1, 1]", "7"), "architecture"),
        (GOOD.replace("{", '{"x-note": [{"a": 0.5}], '), "x-note"),
        (GOOD.replace("{", '{"name": NaN, '), "name"),
        ('{"weights": 1, "biases": []}', "weights should be a list"),
        ('{"weights": [1], "biases": [[1]]}', "layer 1, weights"),
        ('{"weights": [[1]], "biases": [[1]]}', "weight row 0"),
        ('{"weights": [[[1]]], "biases": [1]}', "layer 1, bias"),
        ('{"weights": [], "biases": []}', "at least one layer"),
        ('{"weights": [[[]]], "biases": [[1]]}', "no inputs"),
        ('{"weights": [[]], "biases": [[]]}', "no neurons"),
        ('{"weights": [[[1], [1, 2]]], "biases": [[1, 1]]}', "weight row 1"),
        ('{"weights": [[[1]], [[1, 2]]], "biases": [[1], [1]]}', "layer 2, weight row 0"),
        ('{"format": ' + "[" * 500 + "]" * 500 + "}", "format is a list"),
        ('{"weights": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested"),
        ('{"a": ' * 100_000, "nested"),
        ("\0", "zero byte"),
    ],
)
def test_a_wrong_document_is_refused(text, words):
    with pytest.raises(InputError, match=words):
        read_native(text.encode(), LIMITS)


def test_binary_garbage_is_refused():
    with pytest.raises(InputError, match="not UTF-8"):
        read_native(bytes(range(256)), LIMITS)


def test_decimal_text_on_request_means_the_decimal():
    data = b'{"weights": [[["0.1", "-1.5e-2", "1/3"]]], "biases": [["1e2"]]}'
    assert read_native(data, LIMITS, decimal=True) == Network([[["1/10", "-3/200", "1/3"]]], [[100]])
    with pytest.raises(ExactnessError, match="not a decimal"):
        read_native(b'{"weights": [[["0x1"]]], "biases": [[0]]}', LIMITS, decimal=True)
    with pytest.raises(ExactnessError, match="not a decimal"):
        read_native(b'{"weights": [[["1e10000000"]]], "biases": [[0]]}', LIMITS, decimal=True)
    many = ",".join(['"1e9999"'] * 30_000)
    with pytest.raises(InputError, match="exponents"):
        read_native(f'{{"weights": [[[{many}]]], "biases": [[0]]}}'.encode(), LIMITS, decimal=True)


def test_sizes_are_bounded_before_anything_is_built():
    small = FileLimits(max_parameters=100)
    with pytest.raises(InputError, match="values"):
        read_native(b'{"weights": ' + b"[]," * 5000, small)
    with pytest.raises(InputError, match="max_parameters"):
        read_native(('{"weights": [[[' + ",".join("1" * 200) + ']]], "biases": [[0]]}').encode(), small)


def test_long_denominators_are_fine_and_written_back():
    network = Network([[[Fraction(1, 2**1074)]]], [[Fraction(1, 3**1000)]])
    assert read_native(write_native(network), LIMITS) == network


def test_a_number_too_long_to_be_read_back_is_not_written():
    with pytest.raises(ExactnessError, match="layer 1, weight row 0, column 1"):
        write_native(Network([[[1, 10**4000]]], [[0]]))


def test_the_written_file_is_canonical():
    data = write_native(Network([[["2/4", -3]]], [[0]]))
    assert data == (
        b'{"architecture":[2,1],"biases":[["0"]],"format":"exactrelu/network","version":1,"weights":[[["1/2","-3"]]]}\n'
    )
    assert json.loads(data)["version"] == 1
    with pytest.raises(ShapeError):
        read_native(data.replace(b"[2,1]", b"[1,2]"), LIMITS)
