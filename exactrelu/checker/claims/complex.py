"""The whole complex of a zero-count generic network, with every genericity condition.

Everything is recomputed from the certified cells, so false conditions are proved as well as
true ones.  On a facet exactly one neuron vanishes; f does not bend there if and only if its
path weight to the outputs through the active neurons is zero (*hidden* facet).
"""

from collections.abc import Hashable, Iterable
from hashlib import sha256

from exactrelu.checker.claims.forward import path_weight
from exactrelu.checker.claims.geometry import scene
from exactrelu.checker.claims.skeleton import Skeleton
from exactrelu.checker.document import Json, Rule, canonical, field, require
from exactrelu.checker.network import Network

FIELDS = (
    "f_vector lineality hidden_facets no_cancellation transparency tpic sheets "
    "linear_regions distinct_affine_maps sha256"
)


class Partition:
    """Disjoint sets; an element is its own set until it is joined."""

    def __init__(self) -> None:
        self.parent: dict[Hashable, Hashable] = {}

    def find(self, x: Hashable) -> Hashable:
        """The representative of the set of x."""
        parent = self.parent
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    def join(self, x: Hashable, y: Hashable) -> None:
        """Unite the sets of x and y."""
        self.parent[self.find(x)] = self.find(y)


def whole_complex(claim: Json, evidence: Json) -> None:
    """The complex is supertransversal and zero-count generic, and has the given numbers of
    cells (f_vector, by dimension, modulo the lineality space), conditions and linear regions."""
    network, walls = scene(claim)
    skeleton = Skeleton(network, walls, field(evidence, "vertices", list))
    for name, found in Description(network, skeleton).fields().items():
        require(canonical(claim[name]) == canonical(found), f"{name} is {str(found)[:60]}")


class Description:
    """What the certified cells say, field by field of the claim `complex`."""

    def __init__(self, network: Network, skeleton: Skeleton) -> None:
        self.network = network
        self.cells = [skeleton.cells(k) for k in range(max(network.dim, 2) + 1)]
        self.full, facets, self.ridges = self.cells[:3]
        neurons = range(network.hidden)
        self.facets = {c: next(j for j in neurons if not c >> 2 * j & 3) for c in facets}
        known: dict[tuple[int, int], bool] = {}
        self.hidden_facets = []
        for code, j in self.facets.items():
            key = (j, code >> 2 * network.offsets[network.layer_of[j] + 1])
            if key not in known:
                known[key] = not any(path_weight(network, code, j))
            if known[key]:
                self.hidden_facets.append(code)

    def fields(self) -> dict[str, Json]:
        """All fields of the claim, recomputed."""
        network = self.network
        maps = {self._affine_map(code) for code in self.full}
        return {
            "f_vector": [len(self.cells[k]) for k in range(network.dim, -1, -1)],
            "lineality": network.inputs - network.dim,
            "hidden_facets": len(self.hidden_facets),
            "no_cancellation": self._no_cancellation(),
            "transparency": self._transparency(),
            "tpic": self._tpic(),
            "sheets": self._sheets(),
            "linear_regions": self._linear_regions(),
            "distinct_affine_maps": len(maps),
            "sha256": digest(network, self.full),
        }

    def _affine_map(self, code: int) -> tuple[tuple[int, ...], ...]:
        return tuple(map(tuple, self.network.nodes(code)[-1].rows))

    def _no_cancellation(self) -> bool:
        """Behind every hidden facet some later layer has no active neuron."""
        network = self.network
        for code in self.hidden_facets:
            later = range(network.layer_of[self.facets[code]] + 1, network.depth)
            if all(network.active(code, k) for k in later):
                return False
        return True

    def _transparency(self) -> bool:
        """Every layer is active somewhere: full cells suffice, as the signs near a cell of
        larger codimension, on the boundary too, are all completions of its code."""
        network = self.network
        return all(network.active(c, k) for c in self.full for k in range(network.depth))

    def _tpic(self) -> bool:
        """Any two neurons of adjacent layers meet in a ridge on which no other neuron vanishes;
        all four combinations of their signs occur around it."""
        network = self.network
        met = {tuple(j for j in range(network.hidden) if not c >> 2 * j & 3) for c in self.ridges}
        for k in range(1, network.depth):
            first, second = network.offsets[k - 1], network.offsets[k]
            for i, row in enumerate(network.W[k]):
                if any((first + j, second + i) not in met for j in range(len(row))):
                    return False
        return True

    def _sheets(self) -> list[int]:
        """Components of {neuron j = 0} through ridges, for each neuron."""
        sheets = Partition()
        for code in self.ridges:
            v, w = (j for j in range(self.network.hidden) if not code >> 2 * j & 3)
            for a, b in ((v, w), (w, v)):
                sheets.join((a, code | 1 << 2 * b), (a, code | 2 << 2 * b))
        roots = {(j, sheets.find((j, code))) for code, j in self.facets.items()}
        counted = [0] * self.network.hidden
        for j, _ in roots:
            counted[j] += 1
        return counted

    def _linear_regions(self) -> int:
        regions = Partition()
        for code in self.hidden_facets:
            j = self.facets[code]
            regions.join(code | 1 << 2 * j, code | 2 << 2 * j)
        return len({regions.find(code) for code in self.full})


def digest(network: Network, codes: Iterable[int]) -> str:
    """SHA-256 of the sorted sign vectors, one line of +-0 a cell."""
    neurons = range(network.hidden)
    lines = sorted("".join("0+-"[c >> 2 * j & 3] for j in neurons) + "\n" for c in codes)
    return sha256("".join(lines).encode()).hexdigest()


KINDS = {
    "complex": Rule(
        whole_complex,
        "network domain " + FIELDS,
        "vertices",
        ("skeleton", "face order", "local normal form"),
    )
}
