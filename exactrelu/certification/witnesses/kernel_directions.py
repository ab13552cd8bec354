"""Straight lines along which the function does not move to first order: directions in the kernel of the Jacobian.

A kernel vector of J is a tangent only; theta + s v is a second parameter if the functions are equal exactly, which is decided
afterwards.  Tried first are directions within one row, then within one layer: on a fixed cell f is affine in the parameters
of one layer, so along these lines f changes only where cells change.  Then the whole kernel modulo the scalings: each
neuron can be scaled so that one non-zero entry of its row does not move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from exactrelu.arithmetic.matrix import kernel
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.certification.witnesses.candidate import SecondParameter, hidden_neurons, row_of
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import BudgetExceeded
from exactrelu.identifiability.complex_dimension import complex_dimension
from exactrelu.identifiability.symmetry_bound.generators import ParameterIndex
from exactrelu.limits import Limits
from exactrelu.network.architecture import Neuron
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

MOST_PARAMETERS = 200
MOST_CELLS = 20_000
STEPS = (Fraction(1), Fraction(-1), Fraction(1, 16), Fraction(-1, 16))
"""Multiples of a direction scaled so that its largest entry is 1 in the integral form."""

Vector = tuple[int, ...]


def kernel_directions(network: Network, domain: Domain, limits: Limits) -> Iterator[SecondParameter]:
    """Yield theta + s v for directions v of the kernel; none if the complex is too large or only scalings are in the kernel."""
    architecture = network.architecture
    if network.parameters > MOST_PARAMETERS or not architecture.hidden_layers:
        return
    try:
        bound = Limits(min(limits.max_cells or MOST_CELLS, MOST_CELLS), limits.max_seconds, limits.max_bits)
        complex_ = CanonicalComplex.build(network, domain, limits=bound)
        basis = complex_dimension(complex_, limits).kernel_vectors
    except BudgetExceeded:
        return
    if basis is None or len(basis) <= architecture.hidden_neurons:
        return
    rows = _rows(network)
    for direction in _directions(network, basis, rows):
        size = max(map(abs, direction))
        moving = [v for v, places in rows.items() if any(direction[c] for c in places)]
        names = ", ".join(str(v) if v.layer <= architecture.hidden_layers else f"output {v.index}" for v in moving)
        neurons = tuple(v for v in moving if v.layer <= architecture.hidden_layers)
        for step in STEPS:
            yield SecondParameter(f"the function does not change along a line in the parameters of {names}", neurons,
                                  _moved(network, direction, step / size), certain=False)


def _rows(network: Network) -> dict[Neuron, list[int]]:
    """Neuron -> numbers of the parameters of its row; the outputs are the last layer."""
    place, widths = ParameterIndex(network.architecture), network.architecture.widths
    return {Neuron(layer, i): list(range(place.weight(layer, i, 0), place.bias(layer, i) + 1))
            for layer in range(1, len(widths)) for i in range(widths[layer])}


def _directions(network: Network, basis: Sequence[Vector], rows: dict[Neuron, list[int]]) -> Iterator[Vector]:
    """Directions of the kernel by the parameters they move, fewest first, none twice."""
    place = ParameterIndex(network.architecture)
    every = range(network.parameters)
    parts = list(rows.values())
    parts += [[c for v, places in rows.items() if v.layer == layer for c in places] for layer in range(1, len(network.weights) + 1)]
    parts.append(sorted(set(every) - {_pinned(network, place, v) for v in hidden_neurons(network)}))
    seen: set[Vector] = set()
    for moving in parts:
        outside = sorted(set(every) - set(moving))
        for mix in kernel([[v[c] for v in basis] for c in outside], len(basis)):
            direction = primitive_integer([sum(m * v[c] for m, v in zip(mix, basis)) for c in every])
            if any(direction) and direction not in seen:
                seen.add(direction)
                yield direction


def _pinned(network: Network, place: ParameterIndex, v: Neuron) -> int:
    """The number of a non-zero entry of a row (its bias if all vanish)."""
    row = row_of(network, v)
    return place.weight(v.layer, v.index, next((j for j, x in enumerate(row) if x), len(row) - 1))


def _moved(network: Network, direction: Vector, step: Fraction) -> Network:
    """theta + step * direction, the direction being one of the integral form: a diagonal change of coordinates."""
    form, at = integral_form(network), 0
    before: tuple[int, ...] = (1,) * network.architecture.inputs
    moved = network
    for layer, (rows, biases) in enumerate(zip(network.weights, network.biases), 1):
        scales = form.scales[layer - 1] if layer <= len(form.scales) else (form.denominator,) * len(rows)
        new_rows, new_biases = [], []
        for row, bias, scale in zip(rows, biases, scales):
            changes = direction[at:at + len(row) + 1]
            at += len(row) + 1
            new_rows.append([w + step * c * b / scale for w, c, b in zip(row, changes, before)])
            new_biases.append(bias + step * changes[-1] / scale)
        moved = moved.replaced(layer, new_rows, new_biases)
        before = scales
    return moved
