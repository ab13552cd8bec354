"""What each ONNX operator does to an exact affine function of the latest ReLU output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from exactrelu.errors import InputError, ShapeError
from exactrelu.network.files.file_limits import Work
from exactrelu.network.files.layer_chain import composed, identity_rows
from exactrelu.network.files.tensor import shown_name
from exactrelu.network.float_gate import exact_float
from exactrelu.network.network import Row, Rows

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Constant:
    """An exact array in row-major order."""

    shape: Shape
    values: Row


@dataclass(frozen=True)
class Signal:
    """An array of affine functions a -> rows a + bias of the output a of ReLU number `stage` (0: the network input).

    `rows` None means the identity, `bias` None zero.
    """

    stage: int
    shape: Shape
    size: int
    rows: Rows | None = None
    bias: Row | None = None

    @property
    def bias_row(self) -> Row:
        """The constant terms."""
        return self.bias if self.bias is not None else (Fraction(0),) * self.size


Value = Constant | Signal
Operator = Callable[[Sequence[Value | None], dict[str, Any], str, Work], Value]


def shape_text(shape: Sequence[int]) -> str:
    """Return a shape for messages.

    >>> shape_text((2, 3))
    '[2, 3]'
    """
    text = str(list(shape))
    return text if len(text) <= 60 else text[:57] + "..."


def _attributes(attributes: dict[str, Any], where: str, **defaults: Any) -> list[Any]:
    for name in attributes:
        if name not in defaults:
            raise InputError(f"{where} has the attribute {shown_name(name)}, which is not supported")
    return [attributes.get(name, default) for name, default in defaults.items()]


def _operands(inputs: Sequence[Value | None], where: str, least: int, most: int | None = None) -> list[Value | None]:
    most = least if most is None else most
    if not least <= len(inputs) <= most or any(value is None for value in inputs[:least]):
        expected = f"{least} to {most}" if most > least else f"{least}"
        raise InputError(f"{where} has {len(inputs)} inputs, expected {expected}")
    return [*inputs, *[None] * (most - len(inputs))]


def _first(inputs: Sequence[Value | None], where: str, least: int, most: int | None = None) -> Value:
    """Return the first of the operands, which is there."""
    value = _operands(inputs, where, least, most)[0]
    if value is None:
        raise InputError(f"{where} has no first input")
    return value


def _row_of(signal: Signal, where: str) -> None:
    if any(size != 1 for size in signal.shape[:-1]):
        raise ShapeError(f"{where} multiplies an array of shape {shape_text(signal.shape)}; one row is needed")


def _linear(signal: Signal, rows: Rows, bias: Row, shape: Shape, where: str, work: Work) -> Signal:
    if signal.size != len(rows[0]):
        raise ShapeError(f"{where} expects {len(rows[0])} inputs, the value before has {signal.size}")
    if signal.rows is None and signal.bias is None:
        return Signal(signal.stage, shape, len(rows), rows, bias)
    first = signal.rows if signal.rows is not None else identity_rows(signal.size)
    return Signal(signal.stage, shape, len(rows), *composed(rows, bias, first, signal.bias_row, where, work))


def _matrix(constant: Constant, where: str, transposed: bool) -> Rows:
    if len(constant.shape) != 2 or 0 in constant.shape:
        raise ShapeError(f"{where} has a weight of shape {shape_text(constant.shape)}; a matrix is needed")
    height, width = constant.shape
    if transposed:
        return tuple(constant.values[j::width] for j in range(width))
    return tuple(constant.values[i * width:(i + 1) * width] for i in range(height))


def _matmul(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
    _attributes(attributes, where)
    left, right = _operands(inputs, where, 2)
    if isinstance(left, Signal) and isinstance(right, Constant):
        _row_of(left, where)
        rows = _matrix(right, where, transposed=True)
        shape = (*left.shape[:-1], len(rows))
        return _linear(left, rows, (Fraction(0),) * len(rows), shape, where, work)
    if isinstance(left, Constant) and isinstance(right, Signal):
        if len(right.shape) > 1 and any(size != 1 for size in (*right.shape[:-2], right.shape[-1])):
            raise ShapeError(f"{where} multiplies an array of shape {shape_text(right.shape)}; one column is needed")
        rows = _matrix(left, where, transposed=False)
        shape = (len(rows),) if len(right.shape) == 1 else (*right.shape[:-2], len(rows), 1)
        return _linear(right, rows, (Fraction(0),) * len(rows), shape, where, work)
    raise InputError(f"{where} should multiply a constant matrix with a value that depends on the input")


def _gemm(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
    alpha, beta, trans_a, trans_b, _ = _attributes(attributes, where, alpha=1, beta=1, transA=0, transB=0, broadcast=1)
    signal, weight, bias = _operands(inputs, where, 2, 3)
    if not isinstance(signal, Signal) or not isinstance(weight, Constant) or isinstance(bias, Signal):
        raise InputError(f"{where} should have a first input that depends on the network input and constants after it")
    if trans_a:
        raise InputError(f"{where} has transA={trans_a}, which is not supported")
    if len(signal.shape) != 2:
        raise ShapeError(f"{where} multiplies an array of shape {shape_text(signal.shape)}; a matrix is needed")
    _row_of(signal, where)
    factor = exact_float(alpha, f"{where}, alpha")
    rows = _matrix(weight, where, transposed=not trans_b)
    if factor != 1:
        rows = tuple(tuple(factor * x for x in row) for row in rows)
    vector: Row = (Fraction(0),) * len(rows)
    if bias is not None:
        shape, places = _broadcast((1, len(rows)), bias.shape, where, work)
        if shape != (1, len(rows)):
            raise ShapeError(f"{where} has a bias of shape {shape_text(bias.shape)} for {len(rows)} outputs")
        scale = exact_float(beta, f"{where}, beta")
        vector = tuple(scale * bias.values[k] for _, k in places)
    return _linear(signal, rows, vector, (1, len(rows)), where, work)


def _broadcast(left: Shape, right: Shape, where: str, work: Work) -> tuple[Shape, list[tuple[int, int]]]:
    """Return the common shape and, for each of its entries, the positions in both arrays."""
    rank = max(len(left), len(right))
    a = (1,) * (rank - len(left)) + left
    b = (1,) * (rank - len(right)) + right
    if any(x != y and 1 not in (x, y) for x, y in zip(a, b)):
        raise ShapeError(f"{where} combines the shapes {shape_text(left)} and {shape_text(right)}, which do not fit")
    shape = tuple(y if x == 1 else x for x, y in zip(a, b))
    work.check_parameters(prod(shape))
    places = [(0, 0)]
    for x, y, size in zip(a, b, shape):
        places = [(p * x + (k if x > 1 else 0), q * y + (k if y > 1 else 0)) for p, q in places for k in range(size)]
    return shape, places


def _elementwise(name: str) -> Operator:
    def operator(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
        _attributes(attributes, where)
        left, right = _operands(inputs, where, 2)
        if isinstance(left, Signal) and isinstance(right, Constant):
            return _with_constant(name, left, right, False, where, work)
        if isinstance(left, Constant) and isinstance(right, Signal):
            return _with_constant(name, right, left, True, where, work)
        if isinstance(left, Signal) and isinstance(right, Signal) and name in ("Add", "Sub"):
            return _sum_of_signals(left, right, 1 if name == "Add" else -1, where, work)
        raise InputError(f"{where} of these operands is not supported; one of them should be constant")

    return operator


def _with_constant(name: str, signal: Signal, constant: Constant, swapped: bool, where: str,
                   work: Work) -> Signal:
    """Return signal (op) constant, or constant (op) signal when `swapped`."""
    if name == "Div":
        if swapped:
            raise InputError(f"{where} divides by a value that depends on the input")
        if not all(constant.values):
            raise InputError(f"{where} divides by zero (entry {constant.values.index(Fraction(0))})")
    shape, places = _broadcast(signal.shape, constant.shape, where, work)
    if not places:
        raise ShapeError(f"{where} yields an empty array")
    bias = signal.bias_row
    values = [constant.values[k] for _, k in places]
    if name in ("Add", "Sub") and not (name == "Sub" and swapped) and len(places) == signal.size:
        sign = 1 if name == "Add" else -1
        moved = tuple(bias[p] + sign * c for (p, _), c in zip(places, values))
        if signal.rows is None:
            work.check_parameters(signal.size ** 2)
        rows = signal.rows if signal.rows is not None else identity_rows(signal.size)
        return Signal(signal.stage, shape, len(places), rows, moved)
    if signal.rows is None:
        work.check_parameters(signal.size ** 2)
    first = signal.rows if signal.rows is not None else identity_rows(signal.size)
    work.check_parameters(len(places) * len(first[0]))
    factors, shifts = _factors(name, swapped, values)
    rows = tuple(tuple(f * x if x else x for x in first[p]) for f, (p, _) in zip(factors, places))
    return Signal(signal.stage, shape, len(places), rows,
                  tuple(f * bias[p] + s for f, s, (p, _) in zip(factors, shifts, places)))


def _factors(name: str, swapped: bool, values: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Return (f, s) such that the operation is x -> f x + s."""
    zeros, ones = [Fraction(0)] * len(values), [Fraction(1)] * len(values)
    if name == "Mul":
        return values, zeros
    if name == "Div":
        return [1 / c for c in values], zeros
    if name == "Add":
        return ones, values
    return ([-x for x in ones], values) if swapped else (ones, [-c for c in values])


def _sum_of_signals(left: Signal, right: Signal, sign: int, where: str, work: Work) -> Signal:
    if left.stage != right.stage:
        raise InputError(f"{where} joins values across a ReLU (a skip connection); only a plain chain can be read")
    shape, places = _broadcast(left.shape, right.shape, where, work)
    for signal in (left, right):
        work.check_parameters(signal.size ** 2 if signal.rows is None else 0)
    first = left.rows if left.rows is not None else identity_rows(left.size)
    second = right.rows if right.rows is not None else identity_rows(right.size)
    if not places:
        raise ShapeError(f"{where} yields an empty array")
    work.check_parameters(len(places) * len(first[0]))
    rows = tuple(tuple(x + sign * y for x, y in zip(first[p], second[q])) for p, q in places)
    return Signal(left.stage, shape, len(places), rows,
                  tuple(left.bias_row[p] + sign * right.bias_row[q] for p, q in places))


def _reshaped(value: Value, shape: Shape, where: str) -> Value:
    size = value.size if isinstance(value, Signal) else len(value.values)
    if prod(shape) != size or len(shape) > 32:
        raise ShapeError(f"{where} turns {size} numbers into the shape {shape_text(shape)}")
    if isinstance(value, Constant):
        return Constant(shape, value.values)
    return Signal(value.stage, shape, value.size, value.rows, value.bias)


def _identity(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
    _attributes(attributes, where)
    value = _first(inputs, where, 1)
    return value


def _flatten(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
    (axis,) = _attributes(attributes, where, axis=1)
    value = _first(inputs, where, 1)
    axis = _axes([axis], len(value.shape) + 1, where)[0] if axis < 0 else axis
    if not 0 <= axis <= len(value.shape):
        raise ShapeError(f"{where} has axis={axis} for the shape {shape_text(value.shape)}")
    return _reshaped(value, (prod(value.shape[:axis]), prod(value.shape[axis:])), where)


def _axes(axes: Sequence[int], rank: int, where: str) -> list[int]:
    found = [axis + rank if axis < 0 else axis for axis in axes]
    if len(set(found)) != len(found) or any(not 0 <= axis < rank for axis in found):
        raise ShapeError(f"{where} has the axes {shape_text(axes)}, which do not fit {rank} dimensions")
    return found


def _integers(value: Value | None, where: str) -> list[int]:
    if not isinstance(value, Constant) or len(value.values) > 32 or any(x.denominator != 1 for x in value.values):
        raise InputError(f"{where} needs a constant list of integers")
    return [x.numerator for x in value.values]


def _reshape(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
    (allow_zero,) = _attributes(attributes, where, allowzero=0)
    value, target = _first(inputs, where, 2), inputs[1]
    sizes = _integers(target, where)
    if allow_zero:
        raise InputError(f"{where} has allowzero={allow_zero}, which is not supported")
    for k, size in enumerate(sizes):
        if size == 0 and k < len(value.shape):
            sizes[k] = value.shape[k]
    if sizes.count(-1) == 1:
        known = prod(size for size in sizes if size != -1)
        sizes[sizes.index(-1)] = prod(value.shape) // known if known > 0 else 0
    if any(size < 1 for size in sizes):
        raise ShapeError(f"{where} asks for the shape {shape_text(sizes)}")
    return _reshaped(value, tuple(sizes), where)


def _squeeze(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
    (axes,) = _attributes(attributes, where, axes=None)
    value, stated = _first(inputs, where, 1, 2), inputs[1] if len(inputs) == 2 else None
    axes = _integers(stated, where) if stated is not None else axes
    ones = [k for k, size in enumerate(value.shape) if size == 1]
    gone = ones if axes is None else _axes(axes, len(value.shape), where)
    if any(value.shape[k] != 1 for k in gone):
        raise ShapeError(f"{where} removes a dimension of the shape {shape_text(value.shape)} that is not 1")
    return _reshaped(value, tuple(size for k, size in enumerate(value.shape) if k not in gone), where)


def _unsqueeze(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
    (axes,) = _attributes(attributes, where, axes=None)
    value, stated = _first(inputs, where, 1, 2), inputs[1] if len(inputs) == 2 else None
    axes = _integers(stated, where) if stated is not None else axes
    if axes is None:
        raise InputError(f"{where} has no axes")
    new = set(_axes(axes, len(value.shape) + len(axes), where))
    rest = iter(value.shape)
    return _reshaped(value, tuple(1 if k in new else next(rest) for k in range(len(value.shape) + len(axes))), where)


def _transpose(inputs: Sequence[Value | None], attributes: dict[str, Any], where: str, work: Work) -> Value:
    (order,) = _attributes(attributes, where, perm=None)
    value = _first(inputs, where, 1)
    rank = len(value.shape)
    order = list(range(rank))[::-1] if order is None else _axes(order, rank, where)
    if len(order) != rank:
        raise ShapeError(f"{where} has a perm of {len(order)} entries for {rank} dimensions")
    shape = tuple(value.shape[k] for k in order)
    strides = [prod(value.shape[k + 1:]) for k in range(rank)]
    places = [0]
    for k in order:
        places = [p + i * strides[k] for p in places for i in range(value.shape[k])]
    if isinstance(value, Constant):
        return Constant(shape, tuple(value.values[p] for p in places))
    if places != list(range(value.size)):
        raise InputError(f"{where} reorders values that depend on the input, which is not supported")
    return _reshaped(value, shape, where)


OPERATORS: dict[str, Operator] = {
    "Gemm": _gemm, "MatMul": _matmul, "Add": _elementwise("Add"), "Sub": _elementwise("Sub"),
    "Mul": _elementwise("Mul"), "Div": _elementwise("Div"), "Identity": _identity, "Flatten": _flatten,
    "Reshape": _reshape, "Squeeze": _squeeze, "Unsqueeze": _unsqueeze, "Transpose": _transpose,
}
