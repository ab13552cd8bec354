"""ONNX: the operators understood are exact, all others are refused by name, hostile files cost nothing."""

import sys
from fractions import Fraction
from pathlib import Path

import pytest

from exactrelu.errors import ExactnessError, InputError, MissingBackend
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.onnx_file import read_onnx, write_onnx
from exactrelu.network.network import Network

onnx = pytest.importorskip("onnx")
numpy = pytest.importorskip("numpy")
LIMITS = FileLimits()
H = onnx.helper
X = (Fraction(3, 7), Fraction(-2, 5))


def tensor(name, value, dtype="float32"):
    return onnx.numpy_helper.from_array(numpy.array(value, dtype=dtype), name)


def model(nodes, tensors=(), shape=("N", 2), out="y", outputs=None):
    """nodes: (operator, inputs, output, attributes)."""
    made = [H.make_node(op, ins, [o], **(rest[0] if rest else {})) for op, ins, o, *rest in nodes]
    inputs = [H.make_tensor_value_info("x", onnx.TensorProto.FLOAT, shape)]
    results = [H.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in (outputs or [out])]
    graph = H.make_graph(made, "g", inputs, results, list(tensors))
    return H.make_model(graph).SerializeToString()


A, B = tensor("A", [[1, 2], [3, -4], [0.5, 0]]), tensor("B", [1, 0, -1])  # 3 x 2 and 3
AT, V = tensor("AT", [[1, 3, 0.5], [2, -4, 0]]), tensor("V", [2, 4])
LINEAR = (X[0] + 2 * X[1], 3 * X[0] - 4 * X[1], X[0] / 2)


@pytest.mark.parametrize(
    "nodes, tensors, shape, expected",
    [
        (
            [("Gemm", ["x", "A", "B"], "y", {"transB": 1})],
            [A, B],
            ("N", 2),
            [v + b for v, b in zip(LINEAR, (1, 0, -1))],
        ),
        ([("Gemm", ["x", "AT"], "y")], [AT], (1, 2), LINEAR),
        (
            [("Gemm", ["x", "AT", "B"], "y", {"alpha": 0.5, "beta": 2.0})],
            [AT, B],
            (1, 2),
            [v / 2 + 2 * b for v, b in zip(LINEAR, (1, 0, -1))],
        ),
        ([("MatMul", ["x", "AT"], "y")], [AT], ("N", 2), LINEAR),
        ([("MatMul", ["A", "x"], "y")], [A], (2,), LINEAR),
        ([("MatMul", ["A", "x"], "y")], [A], (2, 1), LINEAR),
        ([("MatMul", ["x", "AT"], "y")], [AT], (1, 1, 1, 2), LINEAR),
        (
            [("Sub", ["x", "V"], "a"), ("Div", ["a", "V"], "b"), ("MatMul", ["b", "AT"], "y")],
            [V, AT],
            (1, 2),
            [sum(w * (x - v) / v for w, x, v in zip(row, X, (2, 4))) for row in ((1, 2), (3, -4), (Fraction(1, 2), 0))],
        ),
        ([("Sub", ["V", "x"], "a"), ("Mul", ["a", "V"], "y")], [V], (1, 2), [(2 - X[0]) * 2, (4 - X[1]) * 4]),
        ([("Add", ["V", "x"], "a"), ("Add", ["a", "a"], "y")], [V], (1, 2), [2 * X[0] + 4, 2 * X[1] + 8]),
        ([("Mul", ["x", "V"], "a"), ("Sub", ["a", "x"], "y")], [V], (1, 2), [X[0], 3 * X[1]]),
        (
            [("Identity", ["x"], "a"), ("Flatten", ["a"], "b"), ("Relu", ["b"], "c"), ("Relu", ["c"], "y")],
            [],
            (1, 2),
            [X[0], 0],
        ),
        (
            [
                ("Flatten", ["x"], "a", {"axis": -1}),
                ("Unsqueeze", ["a", "K"], "b"),
                ("Squeeze", ["b"], "c"),
                ("Reshape", ["c", "S"], "y"),
            ],
            [tensor("K", [0], "int64"), tensor("S", [1, -1], "int64")],
            (1, 2),
            X,
        ),
        ([("Transpose", ["x"], "a", {"perm": [1, 0]}), ("MatMul", ["A", "a"], "y")], [A], (1, 2), LINEAR),
        ([("Transpose", ["A"], "W"), ("MatMul", ["x", "W"], "y")], [A], (1, 2), LINEAR),
        (
            [("Constant", [], "c", {"value": tensor("", [[1.5, 2]])}), ("Add", ["x", "c"], "y")],
            [],
            (1, 2),
            [X[0] + Fraction(3, 2), X[1] + 2],
        ),
        ([("Constant", [], "c", {"value_float": 0.5}), ("Mul", ["x", "c"], "y")], [], (1, 2), [X[0] / 2, X[1] / 2]),
        ([("Constant", [], "c", {"value_ints": [1, -1]}), ("Add", ["x", "c"], "y")], [], (1, 2), [X[0] + 1, X[1] - 1]),
    ],
)
def test_operators(nodes, tensors, shape, expected):
    assert read_onnx(model(nodes, tensors, shape), LIMITS)(X) == tuple(expected)


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "int8", "int32", "int64", "uint8", "uint64"])
@pytest.mark.parametrize("stored", ["raw", "field"])
def test_number_kinds_are_exact(kind, stored):
    array = numpy.array([[0.1 if kind[0] == "f" else 3, 1]], dtype=kind)
    code = H.np_dtype_to_tensor_dtype(array.dtype)
    proto = tensor("W", array, kind) if stored == "raw" else H.make_tensor("W", code, [1, 2], array.flatten().tolist())
    found = read_onnx(model([("Gemm", ["x", "W"], "y", {"transB": 1})], [proto]), LIMITS)
    assert found.weights == (((Fraction(*array[0, 0].item().as_integer_ratio()), 1),),)


def test_bfloat16_is_exact():
    raw = H.make_tensor("W", onnx.TensorProto.BFLOAT16, [1, 2], bytes([0x00, 0x3F, 0xC0, 0xBF]), raw=True)
    found = read_onnx(model([("Gemm", ["x", "W"], "y", {"transB": 1})], [raw]), LIMITS)
    assert found.weights == (((Fraction(1, 2), Fraction(-3, 2)),),)


@pytest.mark.parametrize(
    "nodes, tensors, shape, words",
    [
        ([("Sigmoid", ["x"], "y")], [], (1, 2), "'Sigmoid'.*not supported"),
        ([("Conv", ["x", "A"], "y")], [A], (1, 2), "'Conv'"),
        ([("If", ["x"], "y")], [], (1, 2), "'If'"),
        ([("Relu", ["x"], "y", {"domain": "evil"})], [], (1, 2), "domain 'evil'"),
        ([("Gemm", ["x", "A"], "y", {"transA": 1})], [A], (1, 2), "transA"),
        ([("Gemm", ["A", "x"], "y")], [A], (1, 2), "Gemm"),
        ([("Gemm", ["x", "A"], "y")], [A], (1, 2), "expects 3 inputs, the value before has 2"),
        ([("MatMul", ["x", "x"], "y")], [], (1, 2), "constant matrix"),
        ([("Mul", ["x", "x"], "y")], [], (1, 2), "constant"),
        ([("Div", ["V", "x"], "y")], [V], (1, 2), "divides by a value"),
        ([("Div", ["x", "Z"], "y")], [tensor("Z", [1, 0])], (1, 2), "divides by zero .entry 1"),
        ([("Add", ["x", "B"], "y")], [B], (1, 2), "do not fit"),
        ([("Add", ["x", "q"], "y")], [], (1, 2), "nothing computes"),
        ([("Add", ["x"], "y")], [], (1, 2), "1 inputs"),
        ([("MatMul", ["x", "AT"], "y")], [AT], (3, 2), "one row"),
        ([("MatMul", ["A", "x"], "y")], [A], (1, 2), "one column"),
        ([("Identity", ["x"], "z")], [], (1, 2), "output 'y'"),
        ([("Identity", ["A"], "y")], [A], (1, 2), "output 'y'"),
        ([("Identity", ["x"], "x")], [], (1, 2), "defined twice"),
        ([("Relu", ["x"], "a"), ("Add", ["a", "x"], "y")], [], (1, 2), "skip connection"),
        ([("Relu", ["x"], "a"), ("Identity", ["x"], "y")], [], (1, 2), "skips a ReLU"),
        ([("Relu", ["x"], "a"), ("Relu", ["x"], "y")], [], (1, 2), "beside"),
        ([("Relu", ["A"], "y")], [A], (1, 2), "network input"),
        ([("Transpose", ["x"], "y")], [], (2, 2), "reorders"),
        ([("Identity", ["x"], "y")], [], ("N", "M"), "size 1 of the input"),
        ([("Identity", ["x"], "y")], [], ("N",), "unknown"),
        ([("Identity", ["x"], "y")], [], None, "no shape"),
        ([("Identity", ["x"], "y")], [], (2**40, 2**40), "max_parameters"),
        ([("Reshape", ["x", "S"], "y")], [tensor("S", [3, -1], "int64")], (1, 2), "shape"),
        ([("Reshape", ["x", "S"], "y")], [tensor("S", [-1, -1], "int64")], (1, 2), "shape"),
        ([("Reshape", ["x", "x"], "y")], [], (1, 2), "constant list"),
        ([("Squeeze", ["x"], "y", {"axes": [1]})], [], (1, 2), "not 1"),
        ([("Unsqueeze", ["x"], "y", {"axes": [9]})], [], (1, 2), "axes"),
        ([("Unsqueeze", ["x"], "y")], [], (1, 2), "no axes"),
        ([("Flatten", ["x"], "y", {"axis": 5})], [], (1, 2), "axis=5"),
        ([("Flatten", ["x"], "y", {"axis": -9})], [], (1, 2), "axes"),
        ([("Add", ["x", "V"], "y", {"axis": 1})], [V], (1, 2), "attribute 'axis'"),
        ([("Gemm", ["x", "AT"], "y", {"alpha": float("nan")})], [AT], (1, 2), "alpha"),
        ([("Constant", [], "c", {"value_string": "x"}), ("Add", ["x", "c"], "y")], [], (1, 2), "value_string"),
        ([("Identity", ["x"], "y")], [tensor("S", ["text"], "str")], (1, 2), "data type 8"),
        ([("Identity", ["x"], "y")], [tensor("S", [1j], "complex64")], (1, 2), "data type 14"),
        ([("Gemm", ["x", "W"], "y")], [tensor("W", [[1.0], [float("inf")]])], (1, 2), "tensor 'W', row 1, column 0"),
        ([("MatMul", ["x", "W"], "y")], [tensor("W", [1.0, 2.0])], (1, 2), "matrix is needed"),
    ],
)
def test_refused_by_name(nodes, tensors, shape, words):
    with pytest.raises(InputError, match=words):
        read_onnx(model(nodes, tensors, shape), LIMITS)


def test_sizes_are_compared_with_the_bytes_first():
    huge = H.make_tensor("W", onnx.TensorProto.FLOAT, [1], bytes(4), raw=True)
    del huge.dims[:]
    huge.dims.extend([2**40, 2**40])
    with pytest.raises(InputError, match="should hold"):
        read_onnx(model([("Gemm", ["x", "W"], "y")], [huge]), LIMITS)
    huge.dims[:] = [-1, -4]
    with pytest.raises(InputError, match="should hold"):
        read_onnx(model([("Gemm", ["x", "W"], "y")], [huge]), LIMITS)


def test_external_data_is_never_opened():
    outside = H.make_tensor("W", onnx.TensorProto.FLOAT, [1, 2], bytes(8), raw=True)
    outside.ClearField("raw_data")
    outside.data_location = onnx.TensorProto.EXTERNAL
    entry = outside.external_data.add()
    entry.key, entry.value = "location", "../../etc/passwd"
    with pytest.raises(InputError, match="another file"):
        read_onnx(model([("Gemm", ["x", "W"], "y", {"transB": 1})], [outside]), LIMITS)


def test_inputs_and_outputs_are_counted():
    with pytest.raises(InputError, match="2 outputs"):
        read_onnx(model([("Identity", ["x"], "y"), ("Identity", ["x"], "z")], outputs=["y", "z"]), LIMITS)
    graph = H.make_graph([H.make_node("Relu", ["a"], ["y"])], "g", [], [])
    with pytest.raises(InputError, match="0 inputs"):
        read_onnx(H.make_model(graph).SerializeToString(), LIMITS)


def test_garbage_and_truncated_files_are_refused():
    good = write_onnx(Network([[[1, 2]], [["1/2"]]], [[0], [1]]))
    for stop in range(1, len(good)):
        with pytest.raises(InputError):
            read_onnx(good[:stop], LIMITS)
    for data in (b"\0", b"garbage" * 50, bytes(range(256)), b"\x80" * 100, b"{}"):
        with pytest.raises(InputError):
            read_onnx(data, LIMITS)


def test_flipped_bits_never_escape_as_another_error():
    good = write_onnx(Network([[[1, 2]], [["1/2"]]], [[0], [1]]))
    for k in range(8 * len(good)):
        data = bytearray(good)
        data[k // 8] ^= 1 << (k % 8)
        try:
            read_onnx(bytes(data), LIMITS)
        except InputError:
            continue


def test_a_file_of_empty_messages_is_refused_before_the_library_sees_it():
    inside = b"\x0a\x00" * 3_000_000  # three million empty nodes
    length = len(inside)
    size = bytes([length & 127 | 128, length >> 7 & 127 | 128, length >> 14 & 127 | 128, length >> 21])
    with pytest.raises(InputError, match=r"fields|bytes besides"):
        read_onnx(b"\x3a" + size + inside, LIMITS)


def test_a_small_file_cannot_ask_for_endless_work():
    nodes = [("MatMul", ["x", "W"], "v0")]
    nodes += [("MatMul", [f"v{k}", "M"], f"v{k + 1}") for k in range(300)]
    weights = [tensor("W", numpy.ones((2, 100))), tensor("M", numpy.ones((100, 100)))]
    with pytest.raises(InputError, match=r"products|entries"):
        read_onnx(model([*nodes, ("Identity", ["v300"], "y")], weights), FileLimits(max_parameters=11_000))
    nodes = [("Relu", ["x"], "v0")] + [("Mul", [f"v{k}", "C"], f"v{k + 1}") for k in range(50)]
    with pytest.raises(InputError, match="entries"):
        read_onnx(
            model([*nodes, ("Identity", ["v50"], "y")], [tensor("C", 2.0)], (1, 300)), FileLimits(max_parameters=91_000)
        )


def test_the_missing_library_is_named_with_its_cure(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingBackend, match=r"pip install 'exactrelu\[onnx\]'"):
        read_onnx(b"x", LIMITS)
    with pytest.raises(MissingBackend):
        write_onnx(Network([[[1]]], [[0]]))


def test_written_models_are_valid_and_use_the_smaller_kind():
    small = write_onnx(Network([[[1, 2]], [["1/2"]]], [[0], [1]]))
    onnx.checker.check_model(onnx.load_model_from_string(small))
    assert onnx.load_model_from_string(small).graph.initializer[0].data_type == onnx.TensorProto.FLOAT
    network = Network.from_floats([[[0.1]]], [[2.0]])
    assert onnx.load_model_from_string(write_onnx(network)).graph.initializer[0].data_type == onnx.TensorProto.DOUBLE
    assert read_onnx(write_onnx(network), LIMITS) == network
    with pytest.raises(ExactnessError, match="layer 1, bias 0: 1/3"):
        write_onnx(Network([[[1]]], [["1/3"]]))


@pytest.mark.parametrize("name", ["fc1_2-25-25-25-2.onnx", "fc_2-2-3.onnx"])
def test_examples_agree_with_the_reference_evaluator(name):
    """The evaluator of the library, an independent floating-point computation, gives nearly the same values."""
    path = Path(__file__).parents[3] / "examples" / "networks" / name
    evaluator = pytest.importorskip("onnx.reference").ReferenceEvaluator(str(path))
    network = read_onnx(path.read_bytes(), LIMITS)
    for point in ((1, 2), (-3, 1), (Fraction(1, 2), Fraction(-7, 4))):
        feed = {evaluator.input_names[0]: numpy.array([point], dtype="float32")}
        (found,) = evaluator.run(None, feed)
        assert all(abs(Fraction(x) - y) < Fraction(1, 1000) for x, y in zip(found[0].tolist(), network(point)))
