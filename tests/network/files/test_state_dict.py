"""Mappings of parameters, duck-typed: no library is imported for them."""

import subprocess
import sys
from fractions import Fraction

import pytest

from exactrelu.errors import ExactnessError, InputError
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.state_dict import network_of_state_dict
from exactrelu.network.network import Network


class Tensor:
    """Behaves like a tensor with a gradient: only the detached one gives its values."""

    def __init__(self, values, detached=False):
        self.values, self.detached = values, detached

    def detach(self):
        return Tensor(self.values, True)

    def tolist(self):
        assert self.detached
        return self.values


def test_layers_come_in_the_order_of_the_mapping():
    state = {"input.weight": Tensor([[0.1, 1.0]]), "input.bias": Tensor([0.5]), "head.weight": Tensor([[2.0]])}
    network = network_of_state_dict(state)
    assert network == Network.from_floats([[[0.1, 1.0]], [[2.0]]], [[0.5], [0.0]])
    assert network([0, 1]) == (3,)


def test_exact_numbers_and_arrays_are_welcome():
    numpy = pytest.importorskip("numpy")
    assert network_of_state_dict({"weight": [[Fraction(1, 3), 2]], "bias": (1,)}) == Network([[["1/3", 2]]], [[1]])
    assert network_of_state_dict({"0.weight": numpy.eye(2, dtype="float16")}) == Network([[[1, 0], [0, 1]]], [[0, 0]])


@pytest.mark.parametrize(
    "state, words",
    [
        ([], "mapping"),
        ({}, "no linear layer"),
        ({1: [[1.0]]}, "names are texts"),
        ({"bn.running_mean": [1.0]}, "running_mean"),
        ({"num_batches_tracked": 1}, "num_batches"),
        ({"0.weight": [1.0]}, "weight matrix"),
        ({"0.weight": 1.0}, "weight matrix"),
        ({"0.weight": [[[1.0]]]}, "more than two dimensions"),
        ({"0.weight": [[1.0], 2.0]}, "row 1 is not a list"),
        ({"0.weight": [[1.0], [2.0, 3.0]]}, "row 1 has 2"),
        ({"0.weight": []}, "weight matrix"),
        ({"0.weight": "text"}, "weight matrix"),
        ({"0.bias": [1.0]}, "without a weight"),
        ({"0.weight": [[1.0]], "2.weight": [[1.0, 1.0]]}, "layer 2 expects 2 inputs"),
    ],
)
def test_refused(state, words):
    with pytest.raises(InputError, match=words):
        network_of_state_dict(state)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "1", None, True, 1j])
def test_wrong_numbers_are_refused_with_their_place(value):
    with pytest.raises(ExactnessError, match=r"layer 2, weight row 0, column 1 .tensor '2.weight'"):
        network_of_state_dict({"0.weight": [[1.0], [1.0]], "2.weight": [[1.0, value]]})


def test_parameters_are_bounded():
    with pytest.raises(InputError, match="max_parameters"):
        network_of_state_dict({"0.weight": [[1.0] * 200]}, FileLimits(max_parameters=100))


def test_no_library_is_imported():
    code = (
        "import sys; import exactrelu.network.files.load, exactrelu.network.files.save, exactrelu.network.files.npz, "
        "exactrelu.network.files.onnx_file, exactrelu.network.files.safetensors_file; "
        "from exactrelu.network.files.state_dict import network_of_state_dict as f; f({'weight': [[0.5]]}); "
        "print([m for m in ('torch', 'numpy', 'onnx', 'safetensors', 'flint') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
