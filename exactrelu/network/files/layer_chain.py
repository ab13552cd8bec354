"""A sequence of affine maps and ReLUs folded into layers, exactly.

Two affine maps in a row are one affine map; ReLU twice is ReLU once; a ReLU at the very end is followed by the
identity as output layer, one at the very start preceded by the identity as first layer.
"""

from __future__ import annotations

from fractions import Fraction
from operator import mul

from exactrelu.arithmetic.rational import common_denominator
from exactrelu.errors import InputError, ShapeError
from exactrelu.network.files.file_limits import FileLimits, Work
from exactrelu.network.network import Network, Row, Rows


def identity_rows(width: int) -> Rows:
    """Return the identity matrix."""
    zero, one = Fraction(0), Fraction(1)
    return tuple(tuple(one if i == j else zero for j in range(width)) for i in range(width))


def composed(rows: Rows, bias: Row, first_rows: Rows, first_bias: Row, where: str,
             work: Work) -> tuple[Rows, Row]:
    """Return W(Vx + v) + b as (WV, Wv + b).

    >>> one = Fraction(1)
    >>> composed(((2 * one,),), (one,), ((3 * one,),), (5 * one,), "here", Work())
    (((Fraction(6, 1),),), (Fraction(11, 1),))
    """
    if len(rows[0]) != len(first_rows):
        raise ShapeError(f"{where} expects {len(rows[0])} inputs, the layer before has {len(first_rows)} outputs")
    if all(sum(1 for x in row if x) <= 1 for row in first_rows):
        return _composed_with_selection(rows, bias, first_rows, first_bias)
    work.spend_products(len(rows) * len(first_rows) * len(first_rows[0]), where)
    below = common_denominator([x for row in first_rows for x in row] + list(first_bias))
    columns = [[x.numerator * (below // x.denominator) for x in column] for column in zip(*first_rows)]
    shift = [x.numerator * (below // x.denominator) for x in first_bias]
    new_rows, new_bias = [], []
    for row, b in zip(rows, bias):
        scale = common_denominator([*row, b])
        whole = [x.numerator * (scale // x.denominator) for x in row]
        new_rows.append(tuple(Fraction(sum(map(mul, whole, column)), scale * below) for column in columns))
        new_bias.append(Fraction(sum(map(mul, whole, shift)), scale * below) + b)
    return tuple(new_rows), tuple(new_bias)


def _composed_with_selection(rows: Rows, bias: Row, first_rows: Rows, first_bias: Row) -> tuple[Rows, Row]:
    """Compose when every row of V has at most one non-zero entry (a scaling or a selection of coordinates)."""
    found = [next(((j, x) for j, x in enumerate(row) if x), None) for row in first_rows]
    width, zero = len(first_rows[0]), Fraction(0)
    new_rows = []
    for row in rows:
        new = [zero] * width
        for w, place in zip(row, found):
            if w and place is not None:
                j, x = place
                new[j] = new[j] + w * x if new[j] else w * x
        new_rows.append(tuple(new))
    new_bias = tuple(sum((w * v for w, v in zip(row, first_bias) if w and v), b) for row, b in zip(rows, bias))
    return tuple(new_rows), new_bias


class LayerChain:
    """Collects affine maps and ReLUs in the order of application.

    >>> chain = LayerChain()
    >>> chain.affine(((Fraction(2),),), (Fraction(1),), "layer 1")
    >>> chain.relu()
    >>> chain.network().architecture.widths
    (1, 1, 1)
    """

    def __init__(self, limits: FileLimits | None = None) -> None:
        self._work = Work(limits)
        self._layers: list[tuple[Rows, Row]] = []
        self._pending: tuple[Rows, Row] | None = None
        self._leading_relu = False

    def affine(self, rows: Rows, bias: Row, where: str) -> None:
        """Apply x -> rows x + bias next."""
        if not rows or not rows[0]:
            raise ShapeError(f"{where} is an empty matrix")
        if len(rows) != len(bias):
            raise ShapeError(f"{where} has {len(rows)} weight rows but {len(bias)} biases")
        if self._pending is not None:
            self._pending = composed(rows, bias, *self._pending, where, self._work)
            return
        if self._leading_relu:
            width = len(rows[0])
            self._work.check_parameters(width * width)
            self._layers.append((identity_rows(width), (Fraction(0),) * width))
            self._leading_relu = False
        if self._layers and len(rows[0]) != len(self._layers[-1][0]):
            raise ShapeError(f"{where} expects {len(rows[0])} inputs, the layer before has "
                             f"{len(self._layers[-1][0])} outputs; matrices are read as rows of outputs (out x in)")
        self._pending = (rows, bias)

    def relu(self) -> None:
        """Apply ReLU to every coordinate next."""
        if self._pending is not None:
            self._layers.append(self._pending)
            self._pending = None
        elif not self._layers:
            self._leading_relu = True

    def network(self) -> Network:
        """Return the network of everything applied so far."""
        layers = list(self._layers)
        if self._pending is not None:
            layers.append(self._pending)
        elif layers:
            width = len(layers[-1][0])
            self._work.check_parameters(width * width)
            layers.append((identity_rows(width), (Fraction(0),) * width))
        if not layers:
            raise InputError("holds no linear layer")
        return Network(tuple(rows for rows, _ in layers), tuple(bias for _, bias in layers))
