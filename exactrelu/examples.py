"""Named exact examples, each with facts that the test suite proves anew.

A fact is what an answer of this package says about the networks of the example: `certify` (verdict word),
`functional_dimension`, `expected_dimension`, `full_cells`, `fiber` (number of parameters with the function, up to
permutation and positive scaling, where the list is complete), `pairwise` ("equal and inequivalent"), `fails`
(genericity conditions that fail for every network).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactrelu.errors import InputError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Box = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Example:
    """An example.

    Attributes:
        name: lower case and hyphens.
        text: what it shows, one or two sentences.
        networks: one parameter, or several with one function.
        domain: where the facts hold.
        facts: see the module.
    """

    name: str
    text: str
    networks: tuple[Network, ...]
    domain: Domain
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def network(self) -> Network:
        """The first network."""
        return self.networks[0]


def _box(inputs: int, sides: Box) -> Domain:
    return Domain.box(inputs, [*sides])


_MAXIMUM = ([[1, 0], [0, 1]], [4, 4])


def _carried(kink: list[int], second: list[list[int]], biases: list[int], constant: int) -> Network:
    rows, levels = _MAXIMUM
    return Network([[kink, *rows], second, [[1, 1]]], [[0, *levels], biases, [constant]])


_WIDE = [(-12, 13)]
_SLAB = [(-4, 8), (-2, 2)]
_BAND = [[7, 8], [-6, -8]]

_LIBRARY: tuple[Example, ...] = (
    Example(
        "slab-depth-4", "Four hidden layers of two neurons, identifiable among all parameters: every bent hyperplane crosses those of the "
        "next layer.",
        (Network([[[1, 1], [-1, 0]], _BAND, _BAND, _BAND, [[7, 1]]], [[0, 4], [-29, 31], [-27, 29], [-28, 30], [3]]),),
        _box(2, _SLAB), {"certify": "identifiable", "functional_dimension": 19, "expected_dimension": 19, "full_cells": 33, "fiber": 1}),
    Example(
        "layer-exchange", "Two parameters with one function whose break lines change layers: both lines of the first layer differ, and the "
        "lines of the second layer have moved to the first.  Both are supertransversal and of full functional dimension.",
        (Network([[[-1, 1], [1, 3]], [[-3, 0], [-3, 4]], [[1, 4]]], [[-2, 1], [4, 1], [-1]]),
         Network([[[3, -3], [7, 9]], [["-1/3", 0], ["-1/4", "1/4"]], [[-15, 16]]], [[10, 11], ["4/3", "3/4"], [7]])),
        _box(2, _WIDE), {"certify": "not-identifiable", "functional_dimension": 11, "expected_dimension": 11, "fiber": 2,
                         "pairwise": "equal and inequivalent"}),
    Example(
        "clip-reflection", "Two clips max(0, b - max(0, t)), each of which can be reflected: a fiber of exactly four parameters.",
        (Network([[[3, 0], [-6, -2]], [[0, -5], [-3, 0]], [[4, 6], [6, -6]], [[-6, 3]]], [[-5, -5], [5, 1], [-1, 2], [6]]),),
        _box(2, _WIDE), {"certify": "not-identifiable", "functional_dimension": 15, "expected_dimension": 15, "fiber": 4}),
    Example(
        "five-realizations", "A fiber of exactly five parameters: fiber sizes need not be powers of two.",
        (Network([[[0, -1], [-1, -1]], [[-1, 1], [0, 1]], [[-1, 0], [0, -1]], [[-1, 1]]], [[-1, 0], [1, -2], [2, 2], [0]]),),
        _box(2, _WIDE), {"certify": "not-identifiable", "fiber": 5}),
    Example(
        "three-rays", "max(0, x, y) + 2x + 3y by three layer assignments: each of the three rays of its kink can be the first layer's.",
        (_carried([1, -1], [[1, 0, 1], [0, 2, 3]], [-4, 1], -21), _carried([0, 1], [[1, -1, 0], [0, 3, 3]], [4, 1], -25),
         _carried([1, 0], [[1, 0, -1], [0, 2, 4]], [4, 1], -25)),
        _box(2, [(-2, 3), (-3, 2)]), {"certify": "not-identifiable", "functional_dimension": 10, "expected_dimension": 15,
                                      "pairwise": "equal and inequivalent", "fails": ["no_cancellation", "connected_tpic"]}),
    Example(
        "linear-block", "Two always-active neurons in the last hidden layer: minimal, and any invertible change of their basis gives a "
        "parameter with the same function; the fiber has dimension 4 modulo scaling.",
        (Network([[[1, 1], [-1, 0], [3, 1]], [[19, 20, 1], [-18, -20, -1], [1, 2, 1], [2, 1, 3]], [[5, -3, 1, -2], [2, 7, 3, 1]]],
                 [[0, 4, -6], [-77, 79, 1, 2], [0, 1]]),),
        _box(2, _SLAB), {"certify": "not-identifiable", "functional_dimension": 24, "expected_dimension": 28}),
    Example(
        "width-one-identifiable", "A first layer of one neuron, identifiable among all parameters: width one does not exclude it.",
        (Network([[[1, 2]], [[1], [-1]], [[3, 5]]], [[-1], [-1, 2], [1]]),),
        _box(2, [(-6, 6), (-6, 7)]), {"certify": "identifiable", "functional_dimension": 7, "expected_dimension": 7}),
    Example(
        "width-one-two-classes", "Two layers of one neuron: locally identifiable, and exactly two parameters have the function.",
        (Network([[[1, 2]], [[-1]], [[3]]], [[-1], [2], [1]]), Network([[[-1, -2]], [[-1]], [[-3]]], [[3], [2], [7]])),
        _box(2, [(-6, 6), (-6, 7)]), {"certify": "not-identifiable", "functional_dimension": 5, "expected_dimension": 5, "fiber": 2,
                                      "pairwise": "equal and inequivalent"}),
    Example(
        "wide-front", "Identifiable among all parameters although the peeling of layers does not even end among supertransversal ones.",
        (Network([[[-7, 3], [2, -4], [1, 5]], [[-7, 7, 1], [5, -3, 5]], [[-3, 6], [7, -1]], [[-7, 2]]],
                 [[5, 9, -1], [-6, 9], [-5, 8], [0]]),),
        _box(2, _WIDE), {"certify": "identifiable", "fiber": 1}),
    Example(
        "coincident-kinks", "3/2 max(x, 0) - 1/2 max(-x, 0): both neurons switch at one point, so the rank is below N - H; "
        "moving the kinks apart changes the function: a rank is never a refutation.",
        (Network([[[1], [-1]], [["3/2", "-1/2"]]], [[0, 0], [0]]),),
        Domain.space(1), {"functional_dimension": 4, "expected_dimension": 5}),
    Example(
        "hidden-degeneration", "max(0, 2 max(x, 0) + max(1 - x, 0) - 1) is |x| near 0: supertransversal, but its cells change under small "
        "motions that keep all their affine maps.",
        (Network([[[1], [-1]], [[2, 1]], [[1]]], [[0, 1], [-1], [0]]),),
        _box(1, [(-3, 3)]), {"certify": "not-identifiable"}),
)


def names() -> list[str]:
    """Return the names of all examples.

    >>> "three-rays" in names()
    True
    """
    return [example.name for example in _LIBRARY]


def example(name: str) -> Example:
    """Return the example of a name.

    >>> example("layer-exchange").network.architecture.widths
    (2, 2, 2, 1)
    """
    for found in _LIBRARY:
        if found.name == name:
            return found
    raise InputError(f"no example is called {name!r}; there are {', '.join(names())}")


def examples() -> Iterator[Example]:
    """Yield all examples."""
    yield from _LIBRARY
