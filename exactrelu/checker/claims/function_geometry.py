"""What f alone shows: classes of facets, arcs between them, and how many layers they need.

A *germ* is the cell of an interior point.  A **facet** germ has exactly one vanishing neuron v,
with a row that is not 0; a **ridge** germ exactly two, v and w with layer(v) <= layer(w), with
independent rows.  Nothing is asked of the network at other points.  All signs are constant on
a cell, so a germ is named by its code and is the same at all its points.

*Facet.*  Near it all other signs are constant, so f is affine on both sides and its gradient
jumps by (path weights of v to the outputs) * (row of v).  *Visible*: a path weight is not 0.

*Ridge.*  Near it z_v = h_v and z_w = h_w + beta ReLU(h_v), beta being the path weight from v to
w through the active neurons (0 in one layer), with h_v, h_w independent affine forms.  So all
signs of v and w occur, the four codes beside the ridge are facet germs, and in the plane with
coordinates (h_v, h_w) they are the rays (0, 1) and (0, -1) of v (w on, w off), (-1, 0) and
(1, -beta) of w (v off, v on).  The two rays of w have one path weight c_w, those of v have
c_v and c_v + beta c_w.  Visible are therefore
    none;  two rays, opposite, of one neuron;  four rays;
    three rays: both of w and one of v, beta not 0, no two opposite.

*Gluing.*  Opposite visible rays belong together; if beta is not 0 and three or four rays are
visible, the rays of w belong together and v -> w is an **arc** (v lies in an earlier layer).
Exception: three rays none of whose lines leaves the other two on one side (determinants: the
ray (0, 1) with beta > 0, or (0, -1) with beta < 0).  Such a ridge is *ambiguous*, and nothing
follows from it.  Classes are the visible facets joined by gluing.

**Theorem (geometry of f).**  Let eta be a supertransversal parameter of any architecture with
f_eta = f on the domain.  Each class lies in {z_u(eta) = 0} for one neuron u of eta, and an arc
p -> q implies layer u(p) < layer u(q).

*Proof.*  (1) One facet sigma.  Near each of its points f breaks exactly along its hyperplane.
Cells of eta that cut an open piece out of sigma have codimension 1: otherwise no neuron of eta
vanishes and f is affine.  They have one vanishing neuron (supertransversal).  A cell tau of eta
that meets sigma in dimension d - 2 has codimension 2 (if it had codimension 1, f would break
only along tau, transversal to sigma), two vanishing neurons, and the picture of a ridge of eta
(above, for eta) is two opposite visible rays, of one neuron.  Pieces of smaller dimension do not
disconnect sigma.  So the open pieces all belong to one neuron u, and sigma, in their closure
within int P, lies in {z_u = 0}.  The same holds for two opposite visible rays with the ridge
between them, when no other ray is visible: f breaks near all of it along one hyperplane.
(2) A ridge rho with three or four visible rays.  A cell of eta that cuts an open piece out of
rho has codimension >= 2, because f breaks not along one hyperplane there; so it has dimension
d - 2, two vanishing neurons and the directions of rho, and the rays of f are the visible rays
of eta.  Four rays with two opposite pairs: both neurons of eta are straight, each owns a pair.
Four with one pair: it is the straight neuron of eta, the two others are the later one, strictly
later.  Three: the lone ray is the straight, earlier neuron, its line separates the two others,
which are the later one; if only one ray is possible, its rays are those found here.  QED
(The lone ray of theta is one of v, whose line always separates the rays of w.)
All facets of a class belong to one neuron of theta, and arcs go to later layers: no cycles.

*Layers.*  For eta with L hidden layers lo(p) <= layer u(p) <= L + 1 - down(p), where lo (down)
counts the classes on the longest path of arcs that ends (starts) at p.  So a path of k classes
needs k hidden layers.

`function-geometry` states the numbers for a complex given by all its vertices (see `skeleton`).
Its ridges are all there are, so classes and arcs depend on f only; ambiguous ridges are counted
as cells of the complex.
"""

from collections.abc import Hashable, Iterable, Sequence

from exactrelu.checker.claims.complex import Partition
from exactrelu.checker.claims.forward import path_weight
from exactrelu.checker.claims.geometry import scene
from exactrelu.checker.claims.skeleton import Skeleton
from exactrelu.checker.document import (
    Json,
    Point,
    Row,
    Rule,
    canonical,
    field,
    index,
    points,
    require,
    spend,
)
from exactrelu.checker.linear import dot
from exactrelu.checker.network import Network


class Classes:
    """The classes of visible facets, in the order of their neurons, with arcs between them.

    `facets[p]` are the codes of the facets of class p; `arcs` are pairs p < q, sorted.
    """

    def __init__(self, network: Network, ridges: Iterable[int], facets: Iterable[int]) -> None:
        self.network = network
        self._known: dict[tuple[int, int], bool] = {}
        self._glued = Partition()
        self._shown = {c for c in facets if self.visible(c, *zero_neurons(network, c))}
        self.ambiguous = 0
        between = [arc for code in ridges for arc in self._read(code)]
        groups: dict[Hashable, list[int]] = {}
        for code in self._shown:
            groups.setdefault(self._glued.find(code), []).append(code)
        order = sorted(
            (zero_neurons(network, codes[0]), sorted(codes)) for codes in groups.values()
        )
        self.facets = [codes for _, codes in order]
        name = {code: p for p, codes in enumerate(self.facets) for code in codes}
        self.arcs = sorted({(name[a], name[b]) for a, b in between})
        self.lo = self.raised([1] * len(self.facets))
        self.down = [1] * len(self.facets)
        for p, q in reversed(self.arcs):
            self.down[p] = max(self.down[p], self.down[q] + 1)

    def raised(self, lo: Sequence[int]) -> list[int]:
        """Lower bounds of the layers, carried along the arcs."""
        result = list(lo)
        for p, q in self.arcs:  # sorted: all arcs into p come before those out of p
            result[q] = max(result[q], result[p] + 1)
        return result

    def visible(self, code: int, neuron: int) -> bool:
        """f bends at the facet."""
        later = self.network.offsets[self.network.layer_of[neuron] + 1]
        key = (neuron, code >> 2 * later)
        if key not in self._known:
            self._known[key] = any(path_weight(self.network, code, neuron))
        return self._known[key]

    def _read(self, code: int) -> list[tuple[int, int]]:
        """Glue the facets beside a ridge; return its arc, from facet to facet, if it has one."""
        spend(100)
        v, w = zero_neurons(self.network, code)
        v_off, v_on = code | 2 << 2 * w, code | 1 << 2 * w
        w_off, w_on = code | 2 << 2 * v, code | 1 << 2 * v
        off, on, bent = self.visible(v_off, v), self.visible(v_on, v), self.visible(w_on, w)
        rays = ((v_off, off), (v_on, on), (w_off, bent), (w_on, bent))
        self._shown.update(facet for facet, seen in rays if seen)
        beta = inner_weight(self.network, code, v, w) if bent and (off or on) else 0
        if bent and off != on and (beta > 0) == on:
            self.ambiguous += 1
            return []
        if off and on:
            self._glued.join(v_off, v_on)
        if bent:
            self._glued.join(w_off, w_on)
        return [(v_on if on else v_off, w_on)] if beta else []


def zero_neurons(network: Network, code: int) -> list[int]:
    """The neurons vanishing in a code."""
    spend(network.hidden)
    return [j for j in range(network.hidden) if not code >> 2 * j & 3]


def inner_weight(network: Network, code: int, v: int, w: int) -> int:
    """Path weight from neuron v to neuron w through the active neurons between them."""
    first, last = network.layer_of[v], network.layer_of[w]
    if first >= last:
        return 0
    column = [row[v - network.offsets[first]] for row in network.W[first + 1]]
    for k in range(first + 1, last):
        active = network.active(code, k)
        spend((len(active) + 1) * network.widths[k + 2], network.bits)
        column = [sum(row[i] * column[i] for i in active) for row in network.W[k + 1]]
    return column[w - network.offsets[last]]


def germs(
    network: Network, walls: Sequence[Row], listed: Iterable[Point]
) -> tuple[set[int], set[int]]:
    """Codes of the ridge germs and of the facet germs among the interior points."""
    ridges: set[int] = set()
    facets: set[int] = set()
    for x in listed:
        if all(dot(wall, x) > 0 for wall in walls):
            here = network.locate(x)
            count = len(here.zeros)
            if count in (1, 2) and here.codimension == count:
                (ridges if count == 2 else facets).add(here.code)
    return ridges, facets


def function_geometry(claim: Json, evidence: Json) -> None:
    """The visible facets of f form this many classes, joined by this many arcs, with these
    bounds [lo, down] on their layers (sorted); the complex of the network is supertransversal
    and has this many ambiguous ridges."""
    network, walls = scene(claim)
    skeleton = Skeleton(network, walls, field(evidence, "vertices", list))
    found = Classes(network, skeleton.cells(2), skeleton.cells(1))
    fields = {
        "classes": len(found.facets),
        "arcs": len(found.arcs),
        "ambiguous_ridges": found.ambiguous,
        "bounds": sorted(map(list, zip(found.lo, found.down, strict=True))),
    }
    for name, number in fields.items():
        require(canonical(claim[name]) == canonical(number), f"{name} is {str(number)[:60]}")


def depth(claim: Json, evidence: Json) -> None:
    """No supertransversal parameter with fewer than `depth` hidden layers, of any widths, has
    the function of the network on the domain."""
    network, walls = scene(claim)
    found = Classes(network, *germs(network, walls, points(evidence["points"], network.inputs)))
    longest = max(found.lo, default=0)
    require(longest >= index(claim["depth"]), f"the longest path of arcs has {longest} classes")


KINDS = {
    "function-geometry": Rule(
        function_geometry,
        "network domain classes arcs ambiguous_ridges bounds",
        "vertices",
        ("skeleton", "face order", "local normal form", "geometry of f"),
    ),
    "depth": Rule(depth, "network domain depth", "points", ("local normal form", "geometry of f")),
}
