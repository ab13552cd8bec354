"""A list of vertices that is closed under edges is the whole complex (zero-count generic case).

*Items* are the hidden neurons and, after them, the inequalities of the domain ("walls", whose
sign is 0 or + only).  If W_1 and the walls have rank r < d, all points are taken in r
coordinates on which the rank is still r, the others being 0: the column space is the same, so
every point has the signs of a point of that subspace, and cells are products with the kernel.

**Theorem (skeleton).**  Let the list of points satisfy: it is not empty; each point lies in P,
exactly r items vanish there, their rows are independent, and the codes are distinct; for each
point, each item vanishing there and each side of it, the edge code so formed occurs at two
points of the list, or at one and then that edge is an unbounded ray (all rows, in the edge's
own activity, keep their sign along its direction).  Then every cell of codimension k has
exactly k vanishing items, the points are all vertices, and the cells are exactly the codes
between a vertex code and its 3^(neurons) 2^(walls) completions.

*Proof.*  Local: the items vanishing at a vertex v are, in layer order, a triangular piecewise
linear homeomorphism from a neighborhood of v onto one of 0 in R^r (identifiability notes,
Lemma 1, walls counting as neurons of layer 0).  So all completions of the code occur, once
each, in the right dimension; in particular int P is not empty.  Global: no closed cell
contains a line, so each has a vertex and a connected graph of vertices and bounded edges; full
cells sharing a facet share a vertex of it, and int P without its codimension-2 part is
connected.  So the graph of all vertices and bounded edges is connected.  Let v be listed and e
a bounded edge at v with other end v'.  If its code occurs at two listed vertices v, v'', both
codes are below code(e), so both points lie in the closure of e, which is e and its two ends:
v'' = v'.  It was not shown to be a ray, since it is bounded.  So the list is closed under
neighbors, not empty, hence complete; and every cell has a vertex in its closure.  QED
"""

from itertools import product

from exactrelu.checker.document import LIMITS, Json, Row, points, require, spend
from exactrelu.checker.linear import dot, eliminate, rank, size
from exactrelu.checker.network import Network


class Skeleton:
    """The vertices of a complex, checked on construction, and the cells around them."""

    def __init__(self, network: Network, walls: list[Row], listed: Json) -> None:
        self.network = network
        self.walls = self._restrict(walls)
        self.items = network.hidden + len(walls)
        self.zeros: dict[int, list[tuple[int, Row]]] = {}  # vertex code -> items vanishing there
        dimension = network.dim
        require(len(listed) > 0, "no vertices")
        faces = len(listed) * 3 ** min(dimension, 20)
        require(faces <= 3 * LIMITS["items"], "too many faces at the vertices")
        for x in points(listed, dimension):
            here = network.locate(x)
            code, zeros = here.code, here.zeros
            for k, wall in enumerate(self.walls, network.hidden):
                z = dot(wall, x)
                require(z >= 0, "a vertex lies outside the domain")
                if z:
                    code |= 1 << 2 * k
                else:
                    zeros.append((k, wall))
            found = len(zeros)
            require(found == dimension, f"{found} items vanish at a vertex, expected {dimension}")
            independent = rank(row[1:] for _, row in zeros) == dimension
            require(independent, "the items vanishing at a vertex are dependent")
            require(code not in self.zeros, "a vertex is listed twice")
            self.zeros[code] = zeros
        self._check_edges()

    def _restrict(self, walls: list[Row]) -> list[Row]:
        """Keep coordinates on which no cell contains a line."""
        rows = self.network.W[0] + [wall[1:] for wall in walls]
        keep: list[int] = []
        for c in range(self.network.inputs):
            if rank([[row[k] for k in [*keep, c]] for row in rows]) > len(keep):
                keep.append(c)
        self.network.restrict(keep)
        return [[wall[0]] + [wall[1 + c] for c in keep] for wall in walls]

    def sides(self, item: int) -> tuple[int, ...]:
        """The codes of an item off its zero set."""
        return (1 << 2 * item, 2 << 2 * item) if item < self.network.hidden else (1 << 2 * item,)

    def _check_edges(self) -> None:
        ends: dict[int, list[tuple[int, int]]] = {}
        for code, zeros in self.zeros.items():
            for item, _ in zeros:
                for side in self.sides(item):
                    ends.setdefault(code | side, []).append((code, item))
        for edge, at in ends.items():
            if len(at) == 1:  # never more than two, as the points lie in the closure of the edge
                ((vertex, item),) = at
                ray = self._is_ray(edge, vertex, item)
                require(ray, "a vertex is missing: an edge has one end")

    def _is_ray(self, edge: int, vertex: int, item: int) -> bool:
        """The edge leaving the vertex on this side of the item is unbounded."""
        nodes = self.network.nodes(edge)[:-1]
        rows = [row[1:] for node in nodes for row in node.rows] + [w[1:] for w in self.walls]
        others = [rows[i] for i, _ in self.zeros[vertex] if i != item]
        direction = _orthogonal(others, self.network.dim)
        spend(len(rows) * self.network.dim, size(others) * len(others))
        along = [dot(row, direction) for row in rows]
        if (along[item] > 0) != (edge >> 2 * item & 3 == 1):
            along = [-z for z in along]
        signs = [edge >> 2 * k & 3 for k in range(self.items)]
        return all(
            z >= 0 if sign == 1 else z <= 0 if sign == 2 else z == 0
            for z, sign in zip(along, signs, strict=True)
        )

    def cells(self, codimension: int) -> set[int]:
        """Codes of all cells of this codimension that meet {all inequalities strict}."""
        found: set[int] = set()
        for code, zeros in self.zeros.items():
            interior = code
            for item, _ in zeros:
                if item >= self.network.hidden:
                    interior |= 1 << 2 * item
            neurons = [(0, *self.sides(item)) for item, _ in zeros if item < self.network.hidden]
            for choice in product(*neurons):
                if choice.count(0) == codimension:
                    found.add(interior + sum(choice))
        require(len(found) <= LIMITS["items"], "too many cells")
        return found


def _orthogonal(rows: list[Row], n: int) -> Row:
    """A non-zero integer vector orthogonal to n - 1 independent rows (unique up to a factor)."""
    matrix = [list(row) for row in rows]
    pivots, pivot = eliminate(matrix, n)
    (free,) = sorted(set(range(n)) - set(pivots))
    vector = [0] * n
    vector[free] = pivot
    for row, c in zip(matrix, pivots, strict=True):
        vector[c] = -row[0]
    return vector
