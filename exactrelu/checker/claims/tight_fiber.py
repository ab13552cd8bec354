"""Complete fibers of tight architectures (n_0; r, .., r, n_L; m), L >= 2 hidden layers.

Interior means that all inequalities of the domain are strict.  A *rich point* is a facet point x of
the network (see `germ`) where f is not affine and the gradients of its two sides, which are all
gradients of f near x, have rank r together.  Along {h = 0} near x all points are rich, with the
same two maps; a *rich hyperplane* is the hyperplane h of a rich point.

Let eta be any parameter of the architecture with the function f on the domain.  U_0 is the
interior, U_l the part of U_{l-1} where all preactivations z^(l) of eta are positive.  On U_{l-1}
the forms z^(l) are affine; H^(l)_i is the zero hyperplane of z^(l)_i extended (none if constant).

**Lemma (rank).**  Let x be rich and l <= L-1 the largest index with x in U_l.  If l < L-1, then all
z^(l+1)_i(x) >= 0, their linear parts are independent, x lies in the closure of U_{l+1} and on some
H^(l+1)_i.  If l = L-1, then x lies on some H^(L)_i.
*Proof.*  Near x the layers up to l are active.  l < L-1: every gradient of f near x is a combination
of the linear parts of the z^(l+1)_i with z^(l+1)_i(x) >= 0, the others being inactive near x.  There
are only r neurons, so rank r needs all of them, with independent linear parts; independent forms
>= 0 at x are made positive arbitrarily close to x.  As x is not in U_{l+1}, one of them is 0 at x.
l = L-1: near x, f is affine plus a combination of the ReLU(z^(L)_i) with affine z^(L)_i; if none
that is not constant vanishes at x, f is affine near x.  QED

**Theorem (tight fiber).**  Let the evidence show N = r(L-1) + n_L rich hyperplanes.  Then eta is
equivalent to one of the candidates of the following search, for every eta as above.
1. Layers l = 1, .., L-1 in turn: r of the rich hyperplanes not used yet, each with an orientation
   s h for which all rich points shown on the other hyperplanes not used yet have s h >= 0; the rows
   s h are written as w z^(l-1) + b (z^(0) = x), if the z^(l-1) have independent linear parts and
   that is possible.  These are the weights and biases of the layer.
2. Layer L: the remaining n_L hyperplanes, with all orientations, written in the same way.
3. Output: the column of the neuron with row s h is c, where the gradient of f grows by c h' from
   h < 0 to h > 0 at the rich points of h (no candidate if they disagree); the biases are those with
   which the value at the first point of the evidence is right.

*Proof.*  A rich hyperplane is an H^(l)_i: a relatively open part of it consists of rich points, each
on one of finitely many H^(l)_i.  There are at most N of those, so neurons and rich hyperplanes
correspond one to one, no form z^(l)_i is constant on U_{l-1}, and all H^(l)_i are different.
Let h belong to layer k, let x be a rich point shown on h, and let y be near x in the cell of x and
on no other rich hyperplane.  The lemma gives y in U_{k-1}, and y in the closure of U_k if k < L.
So a neuron of a layer k' <= k with k' < L, other than that of h, is >= 0 at y, and so is its
extension at x = lim y.  Hence the true choice passes step 1.  Its orientation is one of the two, up
to a positive factor, which is an equivalence.  By the lemma the z^(l-1) have independent linear
parts for 1 < l <= L (layer l-1 has a rich hyperplane), so w and b are unique.  Every hyperplane h of
layer L has a rich point y in U_{L-1} on no other; near y, f = affine + W_i ReLU(z^(L)_i), and with
z^(L)_i = s h its gradient grows by W_i h' towards h > 0, for both s.  One value fixes the biases.  QED
Only local arguments were used: the domain may be unbounded, or contain lines, and n_0 may be > r.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from exactrelu.checker.claims.fiber import STEP, Fiber, Layer, build
from exactrelu.checker.claims.forward import value
from exactrelu.checker.claims.germ import Facet, Hyperplane
from exactrelu.checker.document import Json, Row, Rule, require, spend
from exactrelu.checker.linear import dot, rank, solve

Column = tuple[Fraction, ...]


def jump(facet: Facet, scale: int) -> Column:
    """The c with gradient above = gradient below + c h' (h' is the linear part, c one an output)."""
    at = next(k for k, c in enumerate(facet.hyperplane) if k and c)
    pairs = zip(facet.below, facet.above, strict=True)
    return tuple(Fraction(b[at] - a[at], scale * facet.hyperplane[at]) for a, b in pairs)


def express(rows: Sequence[Row], before: Sequence[Row]) -> Layer | None:
    """Weights and biases with rows = weights before + biases; None if there are none, or many."""
    one = [1] + [0] * (len(before[0]) - 1)
    solved = [solve([*before, one], row) for row in rows]
    weights, biases = [], []
    for found in solved:
        if found is None:
            return None
        numerators, denominator = found
        *w, b = (Fraction(n, denominator) for n in numerators)
        weights.append(w)
        biases.append(b)
    return weights, biases


class TightSearch:
    """Rich hyperplanes, the sides of their points, and the candidates they allow."""

    def __init__(self, fiber: Fiber) -> None:
        self.fiber, network = fiber, fiber.network
        self.widths = network.widths[1:-1]
        self.rich: dict[Hyperplane, list[Facet]] = {}
        for facet in fiber.facets:
            if rank(facet.gradients) == self.widths[0]:
                self.rich.setdefault(facet.hyperplane, []).append(facet)
        columns = {
            h: {jump(facet, network.scales[-1]) for facet in found}
            for h, found in self.rich.items()
        }
        self.columns = {h: found.pop() for h, found in columns.items() if len(found) == 1}
        self.sides = {(h, k): self._side(h, k) for h in self.rich for k in self.rich if h != k}

    def _side(self, h: Hyperplane, k: Hyperplane) -> set[int]:
        """Strict signs of h at the points of k."""
        spend(len(self.rich[k]) * len(h))
        values = [dot(h, facet.x) for facet in self.rich[k]]
        return {(v > 0) - (v < 0) for v in values if v}

    def orientations(self, h: Hyperplane, rest: Sequence[Hyperplane]) -> list[int]:
        """Signs s such that the points of all others lie where s h >= 0."""
        return [s for s in (1, -1) if not any(-s in self.sides[h, k] for k in rest if k != h)]

    def layers(
        self, k: int, rest: Sequence[Hyperplane], before: Sequence[Row]
    ) -> Iterator[tuple[list[Layer], Sequence[Hyperplane]]]:
        """Layers from k (counted from 0) on, and the hyperplanes of the last one."""
        last = k + 1 == len(self.widths)
        spend(len(rest) ** 2)
        signs = {h: [1, -1] if last else self.orientations(h, rest) for h in rest}
        usable = [h for h in rest if signs[h]]
        for chosen in combinations(usable, self.widths[k]):
            left = [h for h in rest if h not in chosen]
            for choice in product(*(signs[h] for h in chosen)):
                spend(STEP)
                rows = [[s * c for c in h] for s, h in zip(choice, chosen, strict=True)]
                layer = express(rows, before)
                if layer is None:
                    break  # the same for all orientations
                later = [([], chosen)] if last else self.layers(k + 1, left, rows)
                for layers, final in later:
                    yield [layer, *layers], final

    def candidates(self) -> Iterator[list[Layer]]:
        """All layers of all candidates, the output biases still 0."""
        d, m = self.fiber.network.inputs, self.fiber.network.outputs
        inputs = [[int(c == j + 1) for c in range(d + 1)] for j in range(d)]
        for layers, final in self.layers(0, list(self.rich), inputs):
            if all(h in self.columns for h in final):
                weights = [[self.columns[h][o] for h in final] for o in range(m)]
                yield [*layers, (weights, [0] * m)]


def tight_fiber(claim: Json, evidence: Json) -> None:
    """The parameters of this architecture, all of them, that have the function of the network on
    the domain are exactly those equivalent (permutation and positive scaling of hidden neurons) to
    a member; the members are pairwise inequivalent.  The hidden layers but the last are of one
    width."""
    fiber = Fiber(claim, evidence)
    network = fiber.network
    *front, last = network.widths[1:-1] or [0]
    require(front and len(set(front)) == 1, "not a tight architecture")
    search = TightSearch(fiber)
    needed = front[0] * len(front) + last
    found = len(search.rich)
    require(found == needed, f"the points show {found} rich hyperplanes, needed {needed}")
    x = fiber.points[0]
    start = [Fraction(c, x[0]) for c in x[1:]]
    goal = value(network, start)
    for *hidden, (weights, zero) in search.candidates():
        spend(STEP)
        trial = value(build(network.inputs, [*hidden, (weights, zero)]), start)
        biases = [b - a for a, b in zip(trial, goal, strict=True)]
        fiber.settle(build(network.inputs, [*hidden, (weights, biases)]))


KINDS = {
    "tight-fiber": Rule(
        tight_fiber,
        "network domain members",
        "points trees",
        ("tight fiber", "cover", "color refinement"),
    )
}
