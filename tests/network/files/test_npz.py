"""`.npz` archives: every number kind exact, bombs and objects refused before anything is built."""

import io
import struct
import zipfile
from fractions import Fraction

import pytest

from exactrelu.errors import ExactnessError, InputError
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.npz import read_npz, write_npz
from exactrelu.network.network import Network

numpy = pytest.importorskip("numpy")
LIMITS = FileLimits()


def archive(compressed=False, **arrays):
    out = io.BytesIO()
    (numpy.savez_compressed if compressed else numpy.savez)(out, **arrays)
    return out.getvalue()


def raw(members, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return out.getvalue()


def npy(header, words=b"", version=1):
    text = header.encode("latin-1")
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + words


def header(shape, descr="<f8"):
    return f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"


def layer(weights, bias=(0.0,)):
    return {"W1": numpy.array(weights), "b1": numpy.array(bias)}


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
@pytest.mark.parametrize("compressed", [False, True])
def test_every_number_kind_is_exact(kind, compressed):
    weights = numpy.array([[1, 2], [0.1 if kind[0] == "f" else 5, 3]], dtype=kind)
    network = read_npz(archive(compressed, W1=weights, b1=numpy.array([1, 0], dtype=kind)), LIMITS)
    assert network.weights[0][1][0] == Fraction(*weights[1, 0].item().as_integer_ratio())
    assert network.weights[0][0] == (1, 2)


@pytest.mark.parametrize(
    "names",
    [
        ("W1", "b1", "W2", "b2"),
        ("weights_0", "biases_0", "weights_1", "biases_1"),
        ("arr_0", "arr_1", "arr_2", "arr_3"),
        ("0.weight", "0.bias", "2.weight", "2.bias"),
        ("net.fc1.weight", "net.fc1.bias", "net.fc2.weight", "net.fc2.bias"),
        ("w9", "b9", "w10", "b10"),
    ],
)
def test_plain_names(names):
    arrays = [numpy.array([[1.0, 2.0]]), numpy.array([0.5]), numpy.array([[3.0], [4.0]]), numpy.array([0.0, 1.0])]
    network = read_npz(archive(**dict(zip(names, arrays))), LIMITS)
    assert network == Network([[[1, 2]], [[3], [4]]], [["1/2"], [0, 1]])


def test_fortran_order_and_missing_bias():
    weights = numpy.asfortranarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert read_npz(archive(W1=weights), LIMITS) == Network([[[1, 2, 3], [4, 5, 6]]], [[0, 0]])


def steps(*parts):
    arrays = {}
    for k, part in enumerate(parts):
        if part is None:
            arrays[f"{k:03}.relu"] = numpy.zeros(1)
        else:
            arrays[f"{k:03}.linear.weights"], arrays[f"{k:03}.linear.bias"] = map(numpy.array, part)
    arrays["000.layers"] = numpy.array(len(parts))
    return archive(**arrays)


def test_linear_layers_in_a_row_are_composed_exactly():
    network = read_npz(steps(([[0.1, 1.0]], [0.2]), ([[3.0], [0.5]], [1.0, 0.0]), None, ([[1.0, 1.0]], [0.0])), LIMITS)
    tenth, fifth = (Fraction(*x.as_integer_ratio()) for x in (0.1, 0.2))
    assert network.weights[0] == ((3 * tenth, 3), (tenth / 2, Fraction(1, 2)))
    assert network.biases[0] == (3 * fifth + 1, fifth / 2)


def test_relus_at_the_ends_and_in_a_row_are_represented():
    network = read_npz(steps(None, ([[1.0, -1.0]], [0.5]), None, None), LIMITS)
    assert network.architecture.widths == (2, 2, 1, 1)
    assert network([-5, 2]) == (0,) and network([5, -2]) == (Fraction(11, 2),)


@pytest.mark.parametrize(
    "arrays, words",
    [
        ({"000.linear.weights": [[1.0]]}, "step 0 should be"),
        ({"000.relu": [0.0]}, "no linear layer"),
        ({"000.linear.weights": [[1.0]], "000.linear.bias": [0.0], "001.hard_tanh": [0.0]}, "001.hard_tanh"),
        ({"000.linear.weights": [[1.0]], "000.linear.bias": [0.0], "000.layers": 7}, "states 7 steps"),
        ({"000.linear.weights": [[1.0]], "000.linear.bias": [0.0], "000.relu": [0.0]}, "step 0 should be"),
        ({"000.linear.weights": [[1.0]], "000.linear.bias": [0.0, 1.0]}, "1 weight rows but 2 biases"),
        ({"W1": [[1.0]], "x": [1.0]}, "'x' is neither"),
        ({"b1": [1.0]}, "without a weight"),
        ({"W1": [1.0]}, "weight matrix"),
        ({"W1": [[1.0]], "b1": [[1.0]]}, "bias vector"),
        ({"W1": [[1.0]], "b1": [1.0, 2.0]}, "1 weight rows but 2"),
        ({"W1": [[1.0, 2.0]], "W2": [[1.0, 2.0]]}, "layer 2 expects 2 inputs, the layer before has 1"),
        ({"W1": [[1.0]], "W01": [[1.0]]}, "same number"),
        ({"arr_0": [[1.0]]}, "in turn"),
        ({"a.W": [[1.0]], "b.W": [[1.0]]}, "order"),
        ({"arr_0": [[1.0]], "arr_2": [0.0]}, "gap"),
        ({"W1": [[1.0]], "weight1": [[2.0]]}, "both the weight"),
        ({"W1": numpy.zeros((0, 2))}, "weight matrix"),
        ({"W1": numpy.zeros((1, 1, 1))}, "weight matrix"),
    ],
)
def test_wrong_layers_are_refused(arrays, words):
    with pytest.raises(InputError, match=words):
        read_npz(archive(**{name: numpy.asarray(value) for name, value in arrays.items()}), LIMITS)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_values_that_are_not_finite_are_refused_with_their_place(value):
    with pytest.raises(ExactnessError, match="layer 1, weight row 1, column 0"):
        read_npz(archive(**layer([[1.0], [value]], [0.0, 0.0])), LIMITS)
    with pytest.raises(ExactnessError, match="layer 1, bias 0"):
        read_npz(archive(**layer([[1.0]], [value])), LIMITS)


@pytest.mark.parametrize(
    "array",
    [
        numpy.array([["1"]]),
        numpy.array([[1j]]),
        numpy.array([[True]]),
        numpy.array([[1.0]], dtype=">f8"),
        numpy.array([[1.0]], dtype=numpy.longdouble),
        numpy.array([[(1, 2)]], dtype="i4,i4"),
    ],
)
def test_other_kinds_of_arrays_are_refused(array):
    with pytest.raises(InputError, match="'W1'"):
        read_npz(archive(W1=array, b1=numpy.zeros(1)), LIMITS)


def test_pickled_objects_are_refused_without_being_loaded():
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("the object was loaded",))

    out = io.BytesIO()
    numpy.savez(out, allow_pickle=True, W1=numpy.array([[Trap()]], dtype=object))
    with pytest.raises(InputError, match="Python objects"):
        read_npz(out.getvalue(), LIMITS)


def test_a_compressed_bomb_is_refused_by_its_directory():
    bomb = raw([("W1.npy", npy(header("(4096, 4096)")) + bytes(8 * 4096 * 4096))], zipfile.ZIP_DEFLATED)
    assert len(bomb) < 200_000
    with pytest.raises(InputError, match="unpacks to"):
        read_npz(bomb, LIMITS)


def test_a_header_that_claims_more_than_is_stored_is_refused():
    for shape in (
        "(1099511627776, 1099511627776)",
        "(134217728,)",
        "(2, 2)",
        "(-1,)",
        "(1e3,)",
        "(99999999999999999999,)",
    ):
        with pytest.raises(InputError):
            read_npz(raw([("W1.npy", npy(header(shape), bytes(8)))]), LIMITS)


def test_a_directory_that_lies_about_the_size_is_refused():
    data = bytearray(archive(True, W1=numpy.zeros((300, 300))))
    place = data.rfind(b"PK\x01\x02")
    data[place + 24 : place + 28] = struct.pack("<I", 128 + 8)
    with pytest.raises(InputError):
        read_npz(bytes(data), LIMITS)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x93NUMPY",
        b"hello world, hello",
        npy("{'descr': '<f8'}"),
        npy("[" * 9000),
        npy(header("(1, 1)"), bytes(8))[:40],
        npy("x" * 20_000),
        npy("x" * 20_000, version=2),
        npy(header("(1, 1)"), bytes(8), version=9),
        npy(header("(1, 1)", "|O"), bytes(8)),
        npy(header("(1, 1)", "<f8" * 30), bytes(8)),
    ],
)
def test_broken_array_headers_are_refused(content):
    with pytest.raises(InputError):
        read_npz(raw([("W1.npy", content)]), LIMITS)


def test_broken_archives_are_refused():
    good = archive(**layer([[1.0]]))
    for stop in range(0, len(good), 7):
        with pytest.raises(InputError):
            read_npz(good[:stop] or b"\0", LIMITS)
    for data in (
        b"garbage" * 100,
        b"PK\x03\x04" + bytes(50),
        b"PK\x05\x06" + bytes(18),
        raw([("readme.txt", b"x")]),
        raw([(f"W{k}.npy", b"") for k in range(10_001)]),
        raw([("../W1.txt", b"")]),
    ):
        with pytest.raises(InputError):
            read_npz(data, LIMITS)


def test_flipped_bits_never_escape_as_another_error():
    good = archive(True, **layer([[1.0, 2.0], [3.0, 4.0]], [0.5, 0.25]))
    for k in range(len(good)):
        data = bytearray(good)
        data[k] ^= 1 << (k % 8)
        try:
            read_npz(bytes(data), LIMITS)
        except InputError:
            continue


def test_parameters_are_bounded_before_the_data_is_read():
    with pytest.raises(InputError, match="max_parameters"):
        read_npz(archive(W1=numpy.zeros((30, 30))), FileLimits(max_parameters=100))


def test_the_written_archive_is_what_numpy_reads_and_has_equal_bytes():
    network = Network([[[1, "1/2"]], [[-3]]], [[0], ["1/4"]])
    data = write_npz(network)
    assert data == write_npz(network)
    with numpy.load(io.BytesIO(data), allow_pickle=False) as found:
        assert list(found) == [
            "000.linear.weights",
            "000.linear.bias",
            "001.relu",
            "002.linear.weights",
            "002.linear.bias",
            "000.layers",
        ]
        assert found["000.linear.weights"].tolist() == [[1.0, 0.5]] and found["000.layers"] == 3
    assert read_npz(data, LIMITS) == network


def test_what_is_no_float64_is_not_written():
    with pytest.raises(ExactnessError, match="layer 2, weight row 0, column 0: 1/3 is not exactly a float64"):
        write_npz(Network([[[1]], [["1/3"]]], [[0], [0]]))
    with pytest.raises(ExactnessError, match="layer 1, bias 0: a long fraction"):
        write_npz(Network([[[1]]], [[10**5000]]))
