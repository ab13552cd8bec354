"""Writing and reading back gives the identical network in every format that can hold it."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.errors import ExactnessError, InputError
from exactrelu.network.files.load import load, load_with_box
from exactrelu.network.files.save import save
from exactrelu.network.network import Network

WIDTHS = st.lists(st.integers(1, 4), min_size=2, max_size=5)


def network_of(widths, entry):
    return Network(
        [[[entry() for _ in range(m)] for _ in range(n)] for m, n in pairwise(widths)],
        [[entry() for _ in range(n)] for n in widths[1:]],
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("networks")


def dyadic(rng):
    shape = rng.randrange(4)
    if shape == 0:
        return Fraction(rng.randint(-5, 5))
    if shape == 1:
        return Fraction(*rng.gauss(0, 1).as_integer_ratio())
    if shape == 2:
        return Fraction(rng.randint(-(2**24), 2**24), 2 ** rng.randint(0, 140))
    return Fraction(rng.choice([-1, 1]) * rng.randint(1, 2**10), 2**1074)


@settings(max_examples=40, deadline=None)
@given(WIDTHS, st.integers(0, 10**6), st.sampled_from([".json", ".nnet", ".npz", ".onnx", ".safetensors"]))
def test_float_networks_survive_every_format(folder, widths, seed, suffix):
    if suffix == ".onnx":
        pytest.importorskip("onnx")
    rng = Random(seed)
    network = network_of(widths, lambda: dyadic(rng))
    path = folder / ("network" + suffix)
    save(network, path)
    assert load(path) == network


@settings(max_examples=40, deadline=None)
@given(WIDTHS, st.integers(0, 10**6))
def test_rational_networks_survive_json(folder, widths, seed):
    rng = Random(seed)
    network = network_of(widths, lambda: Fraction(rng.randint(-(10**9), 10**9), rng.randint(1, 10**6)))
    save(network, folder / "network.json")
    assert load(folder / "network.json") == network


@settings(max_examples=40, deadline=None)
@given(WIDTHS, st.integers(0, 10**6))
def test_decimal_networks_survive_nnet_with_their_box(folder, widths, seed):
    rng = Random(seed)
    network = network_of(
        widths, lambda: Fraction(rng.randint(-(10**6), 10**6), 2 ** rng.randint(0, 9) * 5 ** rng.randint(0, 9))
    )
    box = tuple((Fraction(-rng.randint(0, 9), 8), Fraction(rng.randint(0, 9), 5)) for _ in range(widths[0]))
    save(network, folder / "network.nnet", input_box=box)
    found = load_with_box(folder / "network.nnet")
    assert (found.network, found.input_box) == (network, box)


@pytest.mark.parametrize("suffix", [".nnet", ".npz", ".onnx", ".safetensors"])
def test_what_the_format_cannot_hold_is_refused_and_no_file_is_written(tmp_path, suffix):
    if suffix == ".onnx":
        pytest.importorskip("onnx")
    path = tmp_path / ("network" + suffix)
    with pytest.raises(
        ExactnessError, match=r"network\..*: layer 1, weight row 1, column 0: 1/3.*write \.json instead"
    ):
        save(Network([[[1], ["1/3"]]], [[0, 0]]), path)
    assert not path.exists()


def test_wrong_places(tmp_path):
    network = Network([[[1]]], [[0]])
    for name in ("x.txt", "x", "-"):
        with pytest.raises(InputError, match="known are"):
            save(network, name)
    with pytest.raises(InputError, match="cannot be written"):
        save(network, tmp_path / "missing" / "x.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        save(network, tmp_path / "folder.json")
    with pytest.raises(InputError, match="not a file name"):
        save(network, "a\0b.json")
