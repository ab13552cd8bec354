"""The later layers of all parameters of a fiber, once their first layer is known.

Let the first layer of a parameter eta be known (n_1 rows), let the layers 2, .., L-1 have two
neurons each (there are none if L = 2), and layer L any number.  Regions R of layer l are convex
parts of the interior where no neuron of layer 1 changes its sign and the neurons of the layers
2, .., l-1 are positive, so that a^(l-1) and z^(l) are affine there.  A *sample* is a facet point x
with its hyperplane h; all points of {h = 0} near x are facet points with the same maps of f.  It is
*rich* if the gradients of f near it have rank 2.

**Lemma (owners).**  Let x be a sample in R with hyperplane h.
(a) l = L: some z^(L)_u is on R a multiple of h, not 0.
(b) l < L and x rich: all z^(l)_i(x) >= 0; and either some z^(l)_i is on R a multiple of h, not 0,
    or h is (on the part of R where the layers l, .., k-1 are positive) a multiple of a z^(k)_i of a
    later layer k, not 0.
*Proof.*  (a) On R, f is affine plus a combination of the ReLU(z^(L)_u), and not affine at any point
of {h = 0} near x; so one of finitely many zero sets of affine z^(L)_u that are not constant contains
a relatively open part of {h = 0}.  (b) For y in R rich let k >= l be the largest index such that the
layers l, .., k-1 <= L-1 are positive at y.  If k < L every gradient near y is a combination of the
linear parts of z^(k)_1, z^(k)_2, the ones negative at y left out; rank 2 needs both, independent:
both are >= 0 at y, and one of them is 0 as the layer is not positive.  If k = L, argue as in (a): a
z^(L)_u that is not constant vanishes at y.  Apply this to the y near x on {h = 0}: one k and
neuron serve for a relatively open part.  At y, so at x, the z^(l)_i are > 0 (k > l) or >= 0.  QED

Consequences for an eta in a region R of layer l.  A neuron is on R a multiple of at most one h.
If l < L: at most sum_{k > l} n_k hyperplanes are owned by later layers (each z^(k)_i is one affine
form where all layers between are positive); and if neuron i owns h, all rich samples in R lie on
one side of h.

**Search.**  Every pair (region, hyperplane of a sample in it) - of a rich one if l < L - is given to
a neuron u of the layer (one hyperplane a region), or if l < L to later ones (so many a region at
most).  Giving it to u is a linear condition on its weights and bias: w a^(l-1) + b is on R a
multiple of h; it must not be 0 on R for all (w, b) left.  Neurons without a pair yet are
interchangeable.  At the end each neuron must have its (w, b) determined up to a factor, or the
document is refused; up to a positive factor, which is an equivalence, there remain the signs.  If
l < L, signs with a rich sample where z^(l)_i < 0 are left out, and the regions are cut down to
z^(l) > 0.  By the lemma eta follows one of the branches, so its hidden layers are, up to
equivalence, among those found.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from exactrelu.checker.claims.fiber import STEP, Layer
from exactrelu.checker.claims.germ import Facet, Hyperplane
from exactrelu.checker.claims.kernels import kernel, primitive
from exactrelu.checker.document import Row, require, spend
from exactrelu.checker.linear import dot


class Region(NamedTuple):
    """Rows of the activations before the layer, valid on the region, and its samples."""

    rows: list[Row]
    samples: list[int]


class Item(NamedTuple):
    """A hyperplane of samples in a region: conditions on (w, b) for a neuron that owns it."""

    region: int
    conditions: list[Row]
    ownable: bool  # all rich samples of the region lie on one side


class State(NamedTuple):
    """Items given away so far: by neuron its items and a basis of the (w, b) left; by region the
    number left to later layers."""

    owned: tuple[tuple[int, ...], ...]
    bases: tuple[list[Row], ...]
    later: tuple[int, ...]


def form(vector: Sequence[int], rows: Sequence[Row]) -> Row:
    """The row of w a + b for the vector (w, b) and the rows of a."""
    *weights, bias = vector
    result = [bias] + [0] * (len(rows[0]) - 1)
    for w, row in zip(weights, rows, strict=True):
        if w:
            result = [x + w * y for x, y in zip(result, row, strict=True)]
    return result


def meet(basis: list[Row], conditions: list[Row]) -> list[Row]:
    """A basis of the vectors in the span of the basis that all conditions kill."""
    spend(len(basis) * len(conditions) * len(conditions[0]))
    found = []
    for combination in kernel([[dot(c, v) for v in basis] for c in conditions], len(basis)):
        vector = [dot(combination, column) for column in zip(*basis, strict=True)]
        found.append(list(primitive(vector)))
    return found


class Ownership:
    """The search for the layers after the first one."""

    def __init__(self, widths: Sequence[int], samples: list[Facet], rich: list[bool]) -> None:
        self.widths, self.samples, self.rich = widths, samples, rich

    def hidden(self, first: list[Row]) -> Iterator[list[Layer]]:
        """All hidden layers that eta can have if its first layer has these rows."""
        regions: dict[tuple[int, ...], list[int]] = {}
        for i, sample in enumerate(self.samples):
            spend(len(first) * len(sample.x))
            z = [dot(row, sample.x) for row in first]
            if all(z):
                regions.setdefault(tuple(v > 0 for v in z), []).append(i)
        zero = [0] * len(first[0])
        start = [
            Region([row if on else zero for row, on in zip(first, signs, strict=True)], inside)
            for signs, inside in sorted(regions.items())
        ]
        layer = [row[1:] for row in first], [row[0] for row in first]
        for later in self._layers(1, start):
            yield [layer, *later]

    def _layers(self, k: int, regions: list[Region]) -> Iterator[list[Layer]]:
        """The layers from k on (the first layer is 0)."""
        last = k + 1 == len(self.widths)
        for bases in self._owners(k, regions):
            vectors = [basis[0] for basis in bases if len(basis) == 1]
            require(len(vectors) == len(bases), f"layer {k + 1} is not determined in a branch")
            for signs in product((1, -1), repeat=len(vectors)):
                spend(STEP)
                rows = [[s * c for c in v] for s, v in zip(signs, vectors, strict=True)]
                layer = [row[:-1] for row in rows], [row[-1] for row in rows]
                after = [] if last else self._cut(rows, regions)
                if last:
                    yield [layer]
                elif after is not None:
                    for later in self._layers(k + 1, after):
                        yield [layer, *later]

    def _cut(self, vectors: list[Row], regions: list[Region]) -> list[Region] | None:
        """The regions where the layer is positive; None if it is negative at a rich sample."""
        result = []
        for region in regions:
            rows = [form(v, region.rows) for v in vectors]
            kept = []
            for i in region.samples:
                spend(len(rows) * len(rows[0]))
                z = [dot(row, self.samples[i].x) for row in rows]
                if self.rich[i] and min(z) < 0:
                    return None
                if min(z) > 0:
                    kept.append(i)
            if kept:
                result.append(Region(rows, kept))
        return result

    def _items(self, regions: list[Region], last: bool) -> list[Item]:
        """What has to be owned in the regions, regions with many hyperplanes first."""
        groups = []
        for r, region in enumerate(regions):
            samples: dict[Hyperplane, list[int]] = {}
            for i in region.samples:
                if last or self.rich[i]:
                    samples.setdefault(self.samples[i].hyperplane, []).append(i)
            items = []
            for h in sorted(samples):
                spend(len(region.samples) * len(h))
                values = [dot(h, self.samples[i].x) for i in region.samples if self.rich[i]]
                ownable = last or not min(values) < 0 < max(values)
                columns = kernel([list(h)], len(h))
                spend(len(columns) * len(region.rows) * len(h))
                conditions = [[*(dot(row, n) for row in region.rows), n[0]] for n in columns]
                items.append(Item(r, conditions, ownable))
            groups.append(items)
        return [item for items in sorted(groups, key=len, reverse=True) for item in items]

    def _owners(self, k: int, regions: list[Region]) -> Iterator[tuple[list[Row], ...]]:
        """The (w, b) left for all neurons, for all ways to give the items away."""
        width, size = self.widths[k], self.widths[k - 1] + 1
        capacity = sum(self.widths[k + 1 :])
        items = self._items(regions, not capacity)
        whole = [[int(i == j) for j in range(size)] for i in range(size)]
        stack = [(0, State(((),) * width, (whole,) * width, (0,) * len(regions)))]
        while stack:
            spend(STEP)
            t, state = stack.pop()
            if t == len(items):
                yield state.bases
                continue
            item = items[t]
            r = item.region
            if state.later[r] < capacity:
                count = (*state.later[:r], state.later[r] + 1, *state.later[r + 1 :])
                stack.append((t + 1, state._replace(later=count)))
            used = sum(map(bool, state.owned))  # neurons are taken in order
            for u in range(min(used + 1, width) if item.ownable else 0):
                own = (*state.owned[u], t)
                if any(items[i].region == r for i in state.owned[u]):
                    continue
                basis = meet(state.bases[u], item.conditions)
                if all(self._not_zero(basis, regions[items[i].region]) for i in own):
                    bases = (*state.bases[:u], basis, *state.bases[u + 1 :])
                    owned = (*state.owned[:u], own, *state.owned[u + 1 :])
                    stack.append((t + 1, State(owned, bases, state.later)))

    def _not_zero(self, basis: list[Row], region: Region) -> bool:
        """Some (w, b) left is not 0 on the region."""
        spend(len(basis) * len(region.rows) * len(region.rows[0]))
        return any(any(form(v, region.rows)) for v in basis)
