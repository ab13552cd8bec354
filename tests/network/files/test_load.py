"""Loading by suffix: the examples, standard input, and files that are no networks, in every format."""

import hashlib
import io
import os
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from exactrelu.errors import ExactnessError, InputError, MissingBackend
from exactrelu.network.files.file_limits import FileLimits, shown_path
from exactrelu.network.files.load import SUFFIXES, NetworkFile, load, load_with_box
from exactrelu.network.files.native import write_native
from exactrelu.network.network import Network

EXAMPLES = Path(__file__).parents[3] / "examples" / "networks"
ROWS = re.findall(
    r"^\| `([^`]+)` \| ([^|]+) \|.*`([0-9a-f]{64})` \|$", (EXAMPLES / "README.md").read_text(), re.MULTILINE
)
NETWORK = Network([[["1/2"]]], [[3]])


def needs(path):
    if str(path).endswith(".onnx"):
        pytest.importorskip("onnx")


@pytest.mark.parametrize("name, widths, digest", ROWS, ids=[row[0] for row in ROWS])
def test_examples_are_unchanged_and_load(name, widths, digest):
    needs(name)
    assert hashlib.sha256((EXAMPLES / name).read_bytes()).hexdigest() == digest
    found = load_with_box(EXAMPLES / name)
    assert list(found.network.architecture.widths) == [
        int(width) for width in widths.replace("50 (six times)", ", ".join(["50"] * 6)).split(", ")
    ]
    assert (found.input_box is not None) == name.endswith(".nnet")


def test_every_example_is_listed():
    assert sorted(row[0] for row in ROWS) == sorted(p.name for p in EXAMPLES.iterdir() if p.suffix != ".md")


def test_the_same_network_in_two_formats():
    pytest.importorskip("onnx")
    assert load(EXAMPLES / "fc_2-2-3.nnet") == load(EXAMPLES / "fc_2-2-3.onnx")


def test_weights_on_the_left_of_a_product():
    pytest.importorskip("onnx")
    network = load(EXAMPLES / "vnncomp_small_1-2-2-1.onnx")
    assert network == Network([[[1], [1]], [[2, 2], [2, 2]], [[3, 3]]], [["3/2"] * 2, ["5/2"] * 2, ["7/2"]])


def test_a_published_value_of_the_ecoli_network():
    network = load(EXAMPLES / "ecoli_7-5-5-4.npz")
    assert abs(network([0, 1, 6, 2, -100, 7, -1])[0] + Fraction("19.85087719")) < Fraction(1, 10**7)


def test_standard_input_and_names_without_suffix_are_json(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(write_native(NETWORK))))
    assert load("-") == NETWORK
    for name in ("network", "network.JSON"):
        (tmp_path / name).write_bytes(write_native(NETWORK))
        assert load_with_box(tmp_path / name) == NetworkFile(NETWORK)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{")))
    with pytest.raises(InputError, match="standard input: is not JSON"):
        load("-")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"garbage",
        bytes(range(256)) * 4,
        b"\xef\xbb\xbf",
        b"\xff\xfe{\0}\0",
        b"\r\n\r\n",
        b"{}",
        b"[" * 100_000,
        b"PK\x03\x04",
        b"\x93NUMPY\x01\x00",
        b"nan",
        b"//\n",
        b"1,1,1,1\n",
    ],
)
def test_what_is_no_network_is_refused_with_the_name_of_the_file(tmp_path, suffix, data):
    needs(suffix)
    path = tmp_path / ("some" + suffix)
    path.write_bytes(data)
    with pytest.raises(InputError, match=re.escape(str(path)) + ": ") as caught:
        load(path)
    assert len(str(caught.value)) < 400 + len(str(path)) and str(caught.value).isprintable()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_missing_files_directories_and_permissions(tmp_path, suffix, monkeypatch):
    with pytest.raises(InputError, match="No such file"):
        load(tmp_path / ("missing" + suffix))
    (tmp_path / ("folder" + suffix)).mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / ("folder" + suffix))
    with pytest.raises(InputError):
        load("zero\0byte" + suffix)

    def refuse(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InputError, match="Permission denied"):
        load("x" + suffix)


@pytest.mark.parametrize("name", ["x.pt", "x.pth", "x.txt", "x.h5"])
def test_unknown_suffixes_name_the_known_ones(name):
    with pytest.raises(InputError, match=r"\.safetensors") as caught:
        load(name)
    assert ("state_dict" in str(caught.value)) == name.startswith("x.pt")


def test_the_size_limit_holds_for_files_and_devices(tmp_path):
    path = tmp_path / "large.json"
    path.write_bytes(b" " * 1001)
    with pytest.raises(InputError, match="max_bytes=1000"):
        load(path, limits=FileLimits(max_bytes=1000))
    if os.path.exists("/dev/zero"):
        (tmp_path / "endless.json").symlink_to("/dev/zero")
        with pytest.raises(InputError, match="max_bytes=1000"):
            load(tmp_path / "endless.json", limits=FileLimits(max_bytes=1000))
    for wrong in (0, True, 1.5):
        with pytest.raises(InputError, match="max_bytes"):
            FileLimits(max_bytes=wrong)


def test_errors_keep_their_kind_and_name_file_layer_row_and_column(tmp_path):
    path = tmp_path / "n.json"
    path.write_text('{"weights": [[[1, 0.5]]], "biases": [[0]]}')
    with pytest.raises(ExactnessError, match=r"n\.json: layer 1, weight row 0, column 1: 0\.5 is a JSON float"):
        load(path)
    path.write_text('{"weights": [[[1, "0.5"]]], "biases": [[0]]}')
    assert load(path, decimal=True) == Network([[[1, "1/2"]]], [[0]])


def test_a_missing_library_is_an_input_error_with_its_cure(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingBackend, match="pip install"):
        load(EXAMPLES / "fc_2-2-3.onnx")


def test_control_characters_of_a_file_name_are_not_shown():
    assert shown_path("a\x1b[31m.json") == "a\\x1b[31m.json"
    assert shown_path("Größe.json") == "Größe.json"
