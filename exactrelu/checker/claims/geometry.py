"""Values, faces, and the number of full cells.

Activity of a neuron at a point of a full cell: active if its sign there is +.  A neuron
*bends* at a cell sigma if a facet with sigma in its closure has two sides with different
activity of that neuron.  Interior means: all inequalities of the domain are strict.
"""

from collections.abc import Sequence
from itertools import pairwise

from exactrelu.checker.claims.forward import value
from exactrelu.checker.cover import cover
from exactrelu.checker.document import (
    Json,
    Malformed,
    Point,
    Row,
    Rule,
    field,
    homogeneous,
    index,
    points,
    rational,
    require,
    sequence,
)
from exactrelu.checker.network import Location, Network, Node, inside, read_domain


def scene(claim: Json) -> tuple[Network, list[Row]]:
    """The network and the walls of a claim {network, domain}."""
    network = Network(claim["network"])
    return network, read_domain(claim["domain"], network.inputs)


def increasing(value: Json, end: int) -> list[int]:
    """A strictly increasing list of indices below `end`."""
    numbers = sequence(value, lambda entry: index(entry, end))
    if any(a >= b for a, b in pairwise(numbers)):
        raise Malformed("expected a strictly increasing list of indices")
    return numbers


def claimed_point(entry: Json, network: Network) -> Point:
    """A point of a claim, in homogeneous integers."""
    return homogeneous(sequence(entry, rational, network.inputs))


def is_active(here: Location, neuron: int) -> bool:
    """Whether the neuron is positive there."""
    return here.code >> 2 * neuron & 3 == 1


def values(claim: Json, evidence: Json) -> None:
    """The network takes this value at this point."""
    network = Network(claim["network"])
    found = value(network, sequence(claim["point"], rational, network.inputs))
    stated = sequence(claim["value"], rational, network.outputs)
    require(found == stated, "the network takes another value there")


def two_sides(network: Network, walls: Sequence[Row], triple: Sequence[Point]) -> list[Location]:
    """A facet point and points of its two sides; returns their locations.

    The facet point has codimension 1, the others codimension 0, and its code is below theirs;
    a facet lies in the closure of exactly two full cells.  That the two sides are different
    cells is left to the caller, who needs a difference anyway.
    """
    facet, one, two = (inside(network, walls, x) for x in triple)
    codimensions = [facet.codimension, one.codimension, two.codimension]
    require(codimensions == [1, 0, 0], "not a facet point and points of two full cells")
    require(facet.below(one) and facet.below(two), "the facet is not a face of the full cells")
    return [facet, one, two]


def check_bending(
    network: Network, walls: Sequence[Row], here: Location, bending: Json, triples: Json
) -> list[int]:
    """Each neuron of the strictly increasing list bends at the cell of `here`.

    The triple of a neuron is a facet point and a point of each side, where the neuron has
    different activity; the code of `here` is below that of the facet point.
    """
    neurons = increasing(bending, network.hidden)
    read = sequence(triples, lambda t: points(t, network.inputs, 3), len(neurons))
    for neuron, triple in zip(neurons, read, strict=True):
        facet, one, two = two_sides(network, walls, triple)
        require(here.below(facet), "the point is not in the closure of the facet")
        changes = is_active(one, neuron) != is_active(two, neuron)
        require(changes, f"neuron {neuron} does not change activity across the facet")
    return neurons


def face(claim: Json, evidence: Json) -> None:
    """The cell of this interior point has this dimension, exactly these neurons vanish on it,
    and these neurons (others perhaps too) bend at it."""
    network, walls = scene(claim)
    here = inside(network, walls, claimed_point(claim["point"], network))
    zero_neurons = increasing(claim["zero_neurons"], network.hidden)
    require(here.neurons == zero_neurons, "other neurons vanish at the point")
    dimension = network.inputs - here.codimension
    require(dimension == index(claim["dimension"]), f"the face has dimension {dimension}")
    check_bending(network, walls, here, claim["bending"], evidence["bending"])


def full_cells(claim: Json, evidence: Json) -> None:
    """The canonical complex has exactly `count` full cells meeting the interior of the domain."""
    network, walls = scene(claim)

    def leaf(states: tuple[Node, ...], x: Point | None) -> None:
        require(x is not None, "a leaf has no interior point")

    tree = field(evidence, "tree", str)
    count = cover([network.root], walls, tree, network.dim, leaf)
    require(count == index(claim["count"]), f"there are {count} full cells")


KINDS = {
    "values": Rule(values, "network point value", ""),
    "face": Rule(
        face,
        "network domain point dimension zero_neurons bending",
        "bending",
        ("face order",),
    ),
    "full-cells": Rule(full_cells, "network domain count", "tree", ("cover",)),
}
