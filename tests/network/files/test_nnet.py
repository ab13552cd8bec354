"""`.nnet` files: exact decimals, exact normalization, refusals with line, layer, row and column."""

from fractions import Fraction
from pathlib import Path

import pytest

from exactrelu.errors import ExactnessError, InputError
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.nnet import decimal_text, read_nnet, write_nnet
from exactrelu.network.network import Network

LIMITS = FileLimits()
EXAMPLES = Path(__file__).parents[3] / "examples" / "networks"
LINES = [
    "// a comment",
    "2,2,1,2,",
    "2,2,1,",
    "0,",
    "-1,-2,",
    "1,2,",
    "0.5,-1,10,",
    "2,4,3,",
    "1,2,",
    "-3,0.5,",
    "0.25,",
    "1,",
    "1,-1,",
    "7,",
]


def joined(lines, end="\n"):
    return (end.join(lines) + end).encode()


def changed(index, text):
    lines = list(LINES)
    lines[index] = text
    return joined(lines)


def test_normalization_is_applied_exactly():
    network, box = read_nnet(joined(LINES), LIMITS)
    assert box == ((-1, 1), (-2, 2))
    for x in ([Fraction(1, 3), Fraction(5, 7)], [Fraction(-1), Fraction(2)], [Fraction(9), Fraction(-4)]):
        a = [(x[0] - Fraction(1, 2)) / 2, (x[1] + 1) / 4]
        h = [
            max(a[0] + 2 * a[1] + Fraction(1, 4), Fraction(0)),
            max(-3 * a[0] + Fraction(1, 2) * a[1] + 1, Fraction(0)),
        ]
        assert network(x) == ((h[0] - h[1] + 7) * 3 + 10,)


def test_a_single_linear_layer_gets_both_normalizations():
    network, _ = read_nnet(b"1,1,1,1,\n1,1,\n0,\n-1,\n1,\n3,10,\n2,5,\n4,\n0.5,\n", LIMITS)
    assert network == Network([[[10]]], [[Fraction(-55, 2) + 10]])


@pytest.mark.parametrize(
    "data",
    [
        joined(LINES, "\r\n"),
        joined(LINES, "\r"),
        "\n".join(LINES).encode(),
        b"\xef\xbb\xbf" + joined(LINES),
        joined([line.rstrip(",") for line in LINES]),
        joined([line.replace(",", " , ") for line in LINES]),
        joined(["// more", *LINES[:9], "", "  // inside", *LINES[9:], "", ""]),
    ],
)
def test_line_ends_commas_and_comments_do_not_matter(data):
    assert read_nnet(data, LIMITS) == read_nnet(joined(LINES), LIMITS)


def test_the_aircraft_network_follows_its_own_normalization():
    network, box = read_nnet((EXAMPLES / "acasxu_v2a_1_1.nnet").read_bytes(), LIMITS)
    assert network.architecture.widths == (5, 50, 50, 50, 50, 50, 50, 5)
    assert box[0] == (0, 60760) and box[1] == (Fraction("-3.141593"), Fraction("3.141593"))
    assert network.weights[0][0][0] == Fraction("5.40062e-02") / 60261
    assert network.weights[1][0][0].denominator % 10 == 0
    assert network.weights[-1][0][0] / Fraction("373.94992") == Fraction(
        str(network.weights[-1][0][0] / Fraction("373.94992"))
    )


@pytest.mark.parametrize(
    "index, text, words",
    [
        (1, "2,2,", "header has 2 numbers"),
        (1, "x,2,1,2", "header"),
        (1, "3,2,1,2", "layer sizes"),
        (1, "0,2,1,2", "layers"),
        (1, "99999999,2,1,2", "layers"),
        (1, "1e3,2,1,2", "header"),
        (1, "2,3,1,2", "inputs"),
        (1, "-2,2,1,2", "header"),
        (2, "2,0,1,", "zero"),
        (2, "2,999999999,1,", "max_parameters"),
        (2, "2,2,1,1", "layer sizes"),
        (4, "-1,", "line 5, input minima"),
        (4, "-1,nan,", "input minima, input 1"),
        (4, "3,-2", "minimum is larger"),
        (4, "1e9999,0", "minimum is larger"),
        (6, "0,0,", "line 7, means"),
        (7, "2,0,3,", "range of input 1 is zero"),
        (7, "2,4,0.0,", "range of the outputs is zero"),
        (7, "2,4,inf,", "ranges, entry 2"),
        (8, "1,nan,", "line 9, layer 1, weight row 0, column 1"),
        (8, "1,inf,", "column 1"),
        (8, "1,,", "2 numbers|column 1"),
        (8, "1,1/3,", "column 1.*not a decimal"),
        (8, "1,0x1p3", "column 1"),
        (8, "1,1e10000000,", "column 1"),
        (8, "1,٣,", "column 1"),
        (8, "1,2,3,", "3 numbers, expected 2"),
        (9, "1", "layer 1, weight row 1"),
        (11, "1,2,", "layer 1, bias 1"),
        (13, "", "ends before layer 2, bias 0"),
        (13, "7,\n8,", "data after the last bias"),
    ],
)
def test_refused_with_the_place(index, text, words):
    with pytest.raises(InputError, match=words) as caught:
        read_nnet(changed(index, text), LIMITS)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("count", range(len(LINES)))
def test_every_truncation_is_refused(count):
    with pytest.raises(InputError):
        read_nnet(joined(LINES[:count]), LIMITS)


def test_sizes_are_bounded_before_anything_is_built():
    with pytest.raises(InputError, match="exponents"):
        read_nnet(b"1e9999," * 30_000, LIMITS)
    with pytest.raises(InputError, match="max_parameters"):
        read_nnet(b"," * 5000, FileLimits(max_parameters=1000))
    with pytest.raises(InputError, match="max_parameters"):
        read_nnet(b"\n" * 5000, FileLimits(max_parameters=1000))
    with pytest.raises(InputError, match="UTF-8"):
        read_nnet(bytes(range(256)), LIMITS)


def test_writing_needs_finite_decimals_and_says_where():
    with pytest.raises(ExactnessError, match="layer 1, weight row 0, column 1: 1/3"):
        write_nnet(Network([[[1, "1/3"]]], [[0]]))
    with pytest.raises(ExactnessError, match="layer 1, bias 0: 1/6"):
        write_nnet(Network([[[1]]], [["1/6"]]))
    with pytest.raises(ExactnessError, match="input box, input 0"):
        write_nnet(Network([[[1]]], [[0]]), ((Fraction(-1, 3), Fraction(1)),))
    with pytest.raises(InputError, match="1 intervals"):
        write_nnet(Network([[[1, 1]]], [[0]]), ((Fraction(-1), Fraction(1)),))
    with pytest.raises(ExactnessError, match="layer 1, bias 0"):
        write_nnet(Network([[[1]]], [[10**5000]]))


def test_the_box_is_written_and_read_back():
    network, box = Network([[[1, 2]]], [[3]]), ((Fraction(-1, 2), Fraction(1)), (Fraction(0), Fraction(1, 8)))
    assert read_nnet(write_nnet(network, box), LIMITS) == (network, box)
    assert read_nnet(write_nnet(network), LIMITS)[1] == ((-(10**6), 10**6),) * 2


def test_decimal_text():
    assert decimal_text(Fraction(1, 2**1074)) is not None
    assert Fraction(decimal_text(Fraction(-7, 2**30 * 5**3))) == Fraction(-7, 2**30 * 5**3)
    assert [decimal_text(Fraction(x)) for x in ("0", "-3", "1/40", "100", "2/7")] == [
        "0.0",
        "-3.0",
        "0.025",
        "100.0",
        None,
    ]
    assert decimal_text(Fraction(1, 2**20000)) is None
