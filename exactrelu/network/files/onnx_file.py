"""ONNX files: a chain of affine operators and ReLUs, evaluated symbolically over Q.

Every intermediate value is an exact affine function of the latest ReLU output; operators act on it, a ReLU turns
it into a layer.  Understood are Gemm, MatMul, Add, Sub, Mul, Div, Relu, Flatten, Identity, Constant, Reshape, Squeeze,
Unsqueeze and Transpose; everything else is refused by name.  The batch dimension counts as one input.
"""

from __future__ import annotations

import struct
from importlib import import_module
from math import prod
from typing import Any

from exactrelu.errors import InputError, MissingBackend, ShapeError
from exactrelu.network.files.file_limits import FileLimits, Work
from exactrelu.network.files.layer_chain import identity_rows
from exactrelu.network.files.network_entries import check_words
from exactrelu.network.files.onnx_operators import OPERATORS, Constant, Signal, shape_text
from exactrelu.network.files.onnx_outline import check_outline
from exactrelu.network.files.tensor import Tensor, shown_name
from exactrelu.network.float_gate import WORD_BYTES, exact_floats, float_word
from exactrelu.network.network import Network, Row, Rows

_KINDS = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 10: "float16",
          11: "float64", 12: "uint32", 13: "uint64", 16: "bfloat16"}


def _library() -> Any:
    try:
        return import_module("onnx")
    except ImportError:
        raise MissingBackend("reading and writing .onnx needs a library: pip install 'exactrelu[onnx]'") from None


def read_onnx(data: bytes, limits: FileLimits) -> Network:
    """Return the network an ONNX model computes, as a function of real numbers with exactly these weights.

    Raises:
        MissingBackend: the library is not installed.
        InputError: not a model, external data, or an operator that is not understood (named).
    """
    onnx = _library()
    check_outline(data)
    decode_error = import_module("google.protobuf.message").DecodeError
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except (decode_error, ValueError) as error:
        raise InputError(f"is not an ONNX model: {str(error)[:80]}") from None
    if len(model.functions) or not len(model.graph.node):
        raise InputError("is not a model of plain operators" if len(model.functions) else "holds no operators")
    if not len(model.opset_import):
        raise InputError("states no operator set; the file may be cut off")
    return _Reader(model.graph, limits).network()


class _Reader:
    """Symbolic evaluation of one graph."""

    def __init__(self, graph: Any, limits: FileLimits) -> None:
        self.graph = graph
        self.work = Work(limits)
        self.values: dict[str, Constant | Signal] = {}
        self.layers: list[tuple[Rows, Row]] = []

    def network(self) -> Network:
        """Return the network from the input to the single output."""
        if len(self.graph.sparse_initializer):
            raise InputError("sparse initializers are not supported")
        total = 0
        for proto in self.graph.initializer:
            total += _checked_size(proto, proto.name)
            self.work.check_parameters(total)
        for proto in self.graph.initializer:
            self._define(proto.name, self._constant(proto, proto.name))
        names = [value for value in self.graph.input if value.name not in self.values]
        if len(names) != 1 or len(self.graph.output) != 1:
            raise InputError(f"has {len(names)} inputs and {len(self.graph.output)} outputs; one each is needed")
        shape = _input_shape(names[0])
        self.work.check_parameters(prod(shape))
        self._define(names[0].name, Signal(0, shape, prod(shape)))
        for node in self.graph.node:
            self._apply(node)
        result = self.values.get(self.graph.output[0].name)
        if not isinstance(result, Signal):
            raise InputError(f"the output {shown_name(self.graph.output[0].name)} is not computed from the input")
        self._check_stage(result, "the output")
        layers = [*self.layers, self._affine(result)]
        return Network(tuple(rows for rows, _ in layers), tuple(bias for _, bias in layers))

    def _define(self, name: str, value: Constant | Signal) -> None:
        if not name or name in self.values:
            raise InputError(f"the name {shown_name(name)} is defined twice or empty")
        self.values[name] = value

    def _apply(self, node: Any) -> None:
        where = f"operator {shown_name(node.op_type)}" + (f" (node {shown_name(node.name)})" if node.name else "")
        if node.domain not in ("", "ai.onnx"):
            raise InputError(f"{where} of the domain {shown_name(node.domain)} is not supported")
        if len(node.output) != 1:
            raise InputError(f"{where} has {len(node.output)} outputs, expected 1")
        if node.op_type == "Constant":
            self._define(node.output[0], self._constant_node(node, where))
            return
        inputs = []
        for name in node.input:
            if name and name not in self.values:
                raise InputError(f"{where} uses {shown_name(name)}, which nothing computes before it")
            inputs.append(self.values[name] if name else None)
        if node.op_type == "Relu":
            self._define(node.output[0], self._relu(inputs, where))
            return
        operator = OPERATORS.get(node.op_type)
        if operator is None:
            raise InputError(f"{where} is not supported; understood are "
                             f"{', '.join(sorted([*OPERATORS, 'Constant', 'Relu']))}")
        attributes = {a.name: _attribute(a, where) for a in node.attribute}
        value = operator(inputs, attributes, where, self.work)
        if isinstance(value, Constant):
            self.work.spend_entries(len(value.values), where)
        elif value.rows is not None and not any(isinstance(x, Signal) and x.rows is value.rows for x in inputs):
            self.work.spend_entries(value.size * len(value.rows[0]), where)
        self._define(node.output[0], value)

    def _relu(self, inputs: list[Constant | Signal | None], where: str) -> Signal:
        if len(inputs) != 1 or not isinstance(inputs[0], Signal):
            raise InputError(f"{where} should have one input that depends on the network input")
        signal = inputs[0]
        self._check_stage(signal, where)
        if signal.rows is None and signal.stage:
            return signal
        self.layers.append(self._affine(signal))
        self.work.check_parameters(sum(len(rows) * (len(rows[0]) + 1) for rows, _ in self.layers))
        return Signal(len(self.layers), signal.shape, signal.size)

    def _check_stage(self, signal: Signal, where: str) -> None:
        if signal.stage != len(self.layers):
            raise InputError(f"{where} skips a ReLU or runs beside one; only a plain chain of layers can be read")

    def _affine(self, signal: Signal) -> tuple[Rows, Row]:
        if signal.rows is None:
            self.work.check_parameters(signal.size ** 2)
            return identity_rows(signal.size), signal.bias_row
        return signal.rows, signal.bias_row

    def _constant(self, proto: Any, name: str) -> Constant:
        tensor = _tensor(proto, name)
        width = tensor.shape[-1] if tensor.shape else 1

        def place(k: int) -> str:
            return f"tensor {shown_name(name)}, row {k // width}, column {k % width}"

        return Constant(tensor.shape, exact_floats(tensor.values, place))

    def _constant_node(self, node: Any, where: str) -> Constant:
        if len(node.attribute) != 1:
            raise InputError(f"{where} should have one attribute, it has {len(node.attribute)}")
        attribute = node.attribute[0]
        if attribute.name == "value":
            self.work.check_parameters(_checked_size(attribute.t, node.output[0]))
            return self._constant(attribute.t, node.output[0])
        if attribute.name in ("value_float", "value_int", "value_floats", "value_ints"):
            value = _attribute(attribute, where)
            values = value if isinstance(value, list) else [value]
            exact = exact_floats(values, lambda k: f"{where}, entry {k}")
            return Constant((len(values),) if isinstance(value, list) else (), exact)
        raise InputError(f"{where} has the attribute {shown_name(attribute.name)}, which is not a number")


def _attribute(attribute: Any, where: str) -> Any:
    """Return the value of an attribute: a number or a list of numbers."""
    fields = {1: "f", 2: "i", 6: "floats", 7: "ints"}
    if attribute.type not in fields:
        raise InputError(f"{where} has the attribute {shown_name(attribute.name)}, which is not a number")
    value = getattr(attribute, fields[attribute.type])
    return value if attribute.type in (1, 2) else list(value)


def _checked_size(proto: Any, name: str) -> int:
    """Return the number of entries of a stored tensor, after comparing it with the bytes that are there."""
    if proto.data_location == 1 or len(proto.external_data):
        raise InputError(f"tensor {shown_name(name)} refers to data in another file, which is never opened")
    if proto.data_type not in _KINDS:
        raise InputError(f"tensor {shown_name(name)} has the ONNX data type {proto.data_type}, "
                         "which cannot be read exactly")
    kind = _KINDS[proto.data_type]
    dims = [int(size) for size in proto.dims]
    stored = len(proto.raw_data) // WORD_BYTES[kind] if len(proto.raw_data) else len(getattr(proto, _field(kind)))
    if len(dims) > 32 or any(size < 0 for size in dims) or prod(dims) != stored:
        raise ShapeError(f"tensor {shown_name(name)} of shape {shape_text(dims)} should hold "
                         f"{prod(dims) if len(dims) <= 32 else 'as many'} numbers, but holds {stored}")
    return stored


def _field(kind: str) -> str:
    """Return the name of the field that holds numbers of a kind outside of `raw_data`."""
    special = {"float32": "float_data", "float64": "double_data", "int64": "int64_data", "uint32": "uint64_data",
               "uint64": "uint64_data"}
    return special.get(kind, "int32_data")


def _tensor(proto: Any, name: str) -> Tensor:
    kind = _KINDS[proto.data_type]
    shape = tuple(int(size) for size in proto.dims)
    if len(proto.raw_data):
        return Tensor.from_words(name, shape, kind, proto.raw_data)
    values = list(getattr(proto, _field(kind)))
    if kind in ("float16", "bfloat16"):
        if any(not 0 <= x < 65536 for x in values):
            raise InputError(f"tensor {shown_name(name)} holds a word of more than 16 bits")
        return Tensor.from_words(name, shape, kind, struct.pack(f"<{len(values)}H", *values))
    return Tensor(name, shape, values)


def _input_shape(value: Any) -> tuple[int, ...]:
    """Return the shape of the input; an unknown first size is the batch and counts as 1."""
    dims = value.type.tensor_type.shape.dim
    shape = []
    for k, dim in enumerate(dims):
        size = dim.dim_value if dim.WhichOneof("value") == "dim_value" else 0
        if size < 1:
            if k or len(dims) < 2:
                raise ShapeError(f"the size {k} of the input {shown_name(value.name)} is unknown")
            size = 1
        shape.append(int(size))
    if not shape or len(shape) > 32:
        raise ShapeError(f"the input {shown_name(value.name)} has no shape")
    return tuple(shape)


def write_onnx(network: Network) -> bytes:
    """Return a Gemm/Relu chain, in float32 where every number is exactly one, else in float64.

    Raises:
        ExactnessError: a number that is not exactly a float64; names layer, row and column.
    """
    onnx = _library()
    check_words(network, "float64", ".onnx")
    numbers = [x for rows in network.weights for row in rows for x in row] + [x for row in network.biases for x in row]
    kind = "float32" if all(float_word(x, "float32") is not None for x in numbers) else "float64"
    code = onnx.TensorProto.FLOAT if kind == "float32" else onnx.TensorProto.DOUBLE
    helper = import_module("onnx.helper")
    nodes, tensors, current = [], [], "x"
    last = len(network.weights)
    for layer, (rows, bias) in enumerate(zip(network.weights, network.biases), 1):
        flat = [x for row in rows for x in row]
        for name, dims, values in ((f"W{layer}", [len(rows), len(rows[0])], flat), (f"b{layer}", [len(bias)], bias)):
            words = b"".join(float_word(x, kind) or b"" for x in values)
            tensors.append(helper.make_tensor(name, code, dims, words, raw=True))
        target = "y" if layer == last else f"z{layer}"
        nodes.append(helper.make_node("Gemm", [current, f"W{layer}", f"b{layer}"], [target], transB=1))
        if layer < last:
            nodes.append(helper.make_node("Relu", [target], [f"a{layer}"]))
            current = f"a{layer}"
    widths = network.architecture.widths
    graph = helper.make_graph(nodes, "network", [helper.make_tensor_value_info("x", code, ["N", widths[0]])],
                              [helper.make_tensor_value_info("y", code, ["N", widths[-1]])], tensors)
    opsets = [helper.make_opsetid("", 13)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="exactrelu", ir_version=8)
    return bytes(model.SerializeToString(deterministic=True))
