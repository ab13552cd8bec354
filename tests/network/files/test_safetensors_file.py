"""`.safetensors`: read directly, agrees with the library, hostile headers refused."""

import json
from fractions import Fraction

import pytest

from exactrelu.errors import ExactnessError, InputError
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.safetensors_file import read_safetensors, write_safetensors
from exactrelu.network.network import Network

LIMITS = FileLimits()


def made(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def entry(kind="F64", shape=(1, 1), offsets=(0, 8)):
    return {"dtype": kind, "shape": list(shape), "data_offsets": list(offsets)}


def test_files_of_the_library_are_read():
    numpy = pytest.importorskip("numpy")
    library = pytest.importorskip("safetensors.numpy")
    layers = {}
    for k in (0, 2, 10):
        layers[f"net.{k}.weight"] = numpy.array([[0.1, k], [2, 3]], dtype="float32")
        layers[f"net.{k}.bias"] = numpy.array([k, 0.5], dtype="float16")
    network = read_safetensors(library.save(layers, metadata={"made": "by a test"}), LIMITS)
    assert [bias[0] for bias in network.biases] == [0, 2, 10]
    assert network.weights[1][0][0] == Fraction(13421773, 134217728)


def test_the_library_reads_what_is_written():
    library = pytest.importorskip("safetensors.numpy")
    found = library.load(write_safetensors(Network([[[1, "1/2"]], [[3]]], [[0], ["1/4"]])))
    assert found["0.weight"].tolist() == [[1.0, 0.5]] and found["1.bias"].tolist() == [0.25]


@pytest.mark.parametrize(
    "data, words",
    [
        (b"\0", "header"),
        (b"\xff" * 8 + b"{}", "header of"),
        ((2**60).to_bytes(8, "little") + b"{}", "header of"),
        (made(b"garbage!"), "not JSON"),
        (made(b"\xff\xfe"), "UTF-8"),
        (made(b"[]"), "JSON object"),
        (made({}), "no linear layer"),
        (made(b'{"a": 1, "a": 2}'), "twice"),
        (made(b'{"a":' * 5000), "nested"),
        (made({"0.weight": 3}), "dtype, shape"),
        (made({"0.weight": entry(offsets=(0, 9))}, bytes(8)), "outside"),
        (made({"0.weight": entry(offsets=(8, 0))}, bytes(8)), "outside"),
        (made({"0.weight": entry(offsets=(0, -8))}, bytes(8)), "sizes"),
        (made({"0.weight": entry(shape=(-1, -1))}, bytes(8)), "sizes"),
        (made({"0.weight": entry(shape=(2**40, 2**40))}, bytes(8)), "should take"),
        (made({"0.weight": entry("BOOL")}, bytes(8)), "BOOL"),
        (made({"0.weight": entry("F8_E4M3")}, bytes(8)), "F8_E4M3"),
        (made({"0.weight": entry([[]])}, bytes(8)), "kind"),
        (made({"0.weight": entry(shape=(1, True))}, bytes(8)), "sizes"),
        (made({"0.weight": entry()}, bytes(9)), "belong to no tensor"),
        (made({"0.weight": entry(), "1.weight": entry()}, bytes(8)), "starts at byte"),
        (made(b'{"0.weight": {"dtype": "F64", "shape": [1, 1.0], "data_offsets": [0, 8]}}', bytes(8)), "sizes"),
        (made({"weight": entry(shape=(1,))}, bytes(8)), "weight matrix"),
        (made({"running_mean": entry()}, bytes(8)), "running_mean"),
        (made({"a.weight": entry(), "b.weight": entry(offsets=(8, 16))}, bytes(16)), "order of the layers"),
    ],
)
def test_refused(data, words):
    with pytest.raises(InputError, match=words):
        read_safetensors(data, LIMITS)


def test_values_that_are_not_finite_are_refused_with_their_place():
    data = made({"0.weight": entry("F32", (1, 2), (0, 8))}, bytes.fromhex("0000803f0000c07f"))
    with pytest.raises(ExactnessError, match="layer 1, weight row 0, column 1"):
        read_safetensors(data, LIMITS)


def test_every_truncation_is_refused_and_flipped_bits_are_harmless():
    good = write_safetensors(Network([[[1, "1/2"]], [[3]]], [[0], ["1/4"]]))
    for stop in range(1, len(good)):
        with pytest.raises(InputError):
            read_safetensors(good[:stop], LIMITS)
    for k in range(8 * len(good)):
        data = bytearray(good)
        data[k // 8] ^= 1 << (k % 8)
        try:
            read_safetensors(bytes(data), LIMITS)
        except InputError:
            continue


def test_what_is_no_float64_is_not_written():
    with pytest.raises(ExactnessError, match="layer 1, weight row 0, column 0: 1/3"):
        write_safetensors(Network([[["1/3"]]], [[0]]))
