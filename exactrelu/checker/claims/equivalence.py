"""One function or two; one parameter or two modulo permutation and positive scaling.

Two parameters of one architecture are *equivalent* if neurons of each hidden layer can be
permuted and scaled by positive numbers (row times c, outgoing column divided by c) so that
one becomes the other.

**Inequivalence, for all parameters** (zero rows, equal rows and zero columns included).
For a given permutation, b = c * a is a set of equations c_i / c_k = ratio, one for every
non-zero entry (inputs, outputs and the constant have c = 1) together with equal zero
patterns and positive ratios; whether positive c exist is decided by following the equations
from one neuron to the next (`scalable`).  The permutations to try are cut down by colors:

* A neuron is *rigid* if its bias, or its weight from a rigid neuron of the layer before, is
  not zero (inputs are rigid).  Its *scale* is the s > 0 that makes the vector (s bias,
  s weight / scale of k, over rigid k) a primitive integer vector.  An equivalence carries
  rigid neurons to rigid ones, and the scale s to s / c: so the numbers s_i weight_ik / s_k
  between rigid neurons, and the signs of all other entries, are the same for both parameters
  up to the permutation.
* Colors are refined: a neuron's new color is its old one, its bias, and the multisets of
  (color, entry) over its incoming and over its outgoing weights.

By induction an equivalence maps each neuron to one of the same color.  So if the multisets of
colors differ, or no permutation that respects the colors passes `scalable`, the parameters are
not equivalent; and if one passes they are.  *Twins* of b, neurons whose links are the same and
all exact, can be exchanged (and rescaled) without changing b; of the permutations that differ by
exchanging twins one is tried.  QED
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import factorial, gcd, prod

from exactrelu.checker.claims.forward import value
from exactrelu.checker.cover import cover
from exactrelu.checker.document import (
    LIMITS,
    Json,
    Malformed,
    Point,
    Rule,
    common_denominator,
    field,
    homogeneous,
    index,
    rational,
    require,
    sequence,
    spend,
)
from exactrelu.checker.linear import dot
from exactrelu.checker.network import Network, Node, read_domain

ONE = Fraction(1)
Place = tuple[int, int]  # layer (0: inputs), neuron
Edge = tuple[Place, Place, Fraction]  # into, from, non-zero entry; from (-1, 0): a bias
Link = tuple[Place, Place, Hashable]  # the same with a number up to scaling, or a sign (bool)


def read_pair(claim: Json) -> tuple[Network, Network]:
    """The two networks of a claim, with the same inputs and outputs."""
    a, b = Network(claim["a"]), Network(claim["b"])
    if (a.inputs, a.outputs) != (b.inputs, b.outputs):
        raise Malformed("the networks have different inputs or outputs")
    return a, b


def equal(claim: Json, evidence: Json) -> None:
    """The two networks have the same values at every point of the domain."""
    check_equal(*read_pair(claim), claim["domain"], field(evidence, "tree", str))


def check_equal(a: Network, b: Network, domain: Json, tree: str) -> bool:
    """f_a = f_b on the domain; True if a leaf shows that the domain has an interior point."""
    interior = False

    def leaf(states: tuple[Node, ...], x: Point | None) -> None:
        nonlocal interior
        interior = interior or x is not None
        for one, two in zip(states[0].rows, states[1].rows, strict=True):
            same = [x * b.scales[-1] for x in one] == [x * a.scales[-1] for x in two]
            require(same, "two different affine maps on a part")

    cover([a.root, b.root], read_domain(domain, a.inputs), tree, a.dim, leaf)
    return interior


def different(claim: Json, evidence: Json) -> None:
    """The two networks have different values at this point of the domain."""
    a, b = read_pair(claim)
    x = sequence(claim["point"], rational, a.inputs)
    walls = read_domain(claim["domain"], a.inputs)
    inside = all(dot(wall, homogeneous(x)) >= 0 for wall in walls)
    require(inside, "the point lies outside the domain")
    require(value(a, x) != value(b, x), "equal values at the point")


def equivalent(claim: Json, evidence: Json) -> None:
    """Permutations and positive scalings of the hidden neurons turn a into b."""
    a, b = read_pair(claim)
    require(a.widths == b.widths, "different architectures")
    maps = [[(i, ONE) for i in range(a.inputs)]]
    moves = sequence(evidence["moves"], lambda move: move, a.depth)
    for move, width in zip(moves, a.widths[1:], strict=False):
        if type(move) is not dict or set(move) != {"permutation", "scale"}:
            raise Malformed("a move has the fields permutation scale")
        permutation = sequence(move["permutation"], index, width)
        scale = sequence(move["scale"], rational, width)
        require(sorted(permutation) == list(range(width)), "not a permutation")
        require(min(scale) > 0, "a scale is not positive")
        maps.append(list(zip(permutation, scale, strict=True)))
    maps.append([(i, ONE) for i in range(a.outputs)])
    spend(a.parameters)
    for k, (before, after) in enumerate(pairwise(maps)):
        for i, (p, s) in enumerate(after):
            moved = [s * a.weights[k][p][q] / t for q, t in before]
            same = moved == b.weights[k][i] and s * a.biases[k][p] == b.biases[k][i]
            require(same, f"row {i} of layer {k + 1} does not match")


def edges(network: Network) -> Iterator[Edge]:
    """All non-zero entries."""
    for k, (weights, biases) in enumerate(zip(network.weights, network.biases, strict=True)):
        for i, (row, bias) in enumerate(zip(weights, biases, strict=True)):
            if bias:
                yield (k + 1, i), (-1, 0), bias
            for j, weight in enumerate(row):
                if weight:
                    yield (k + 1, i), (k, j), weight


def fixed_places(network: Network) -> list[Place]:
    """The constant, the inputs, the outputs: they are neither permuted nor scaled."""
    inputs = [(0, j) for j in range(network.inputs)]
    outputs = [(network.depth + 1, i) for i in range(network.outputs)]
    return [(-1, 0), *inputs, *outputs]


def hidden_places(network: Network) -> list[Place]:
    """All hidden neurons, layer by layer."""
    return [(k, i) for k in range(1, network.depth + 1) for i in range(network.widths[k])]


def scales(network: Network) -> dict[Place, Fraction]:
    """The scales of the rigid neurons; 1 for inputs, outputs and the constant."""
    incoming: dict[Place, list[Edge]] = {}
    for edge in edges(network):
        incoming.setdefault(edge[0], []).append(edge)
    found = dict.fromkeys(fixed_places(network), ONE)
    for place in hidden_places(network):
        vector = [w / found[k] for _, k, w in incoming.get(place, []) if k in found]
        if vector:
            denominator = common_denominator(vector)
            content = gcd(*(int(x * denominator) for x in vector))
            found[place] = Fraction(denominator, content)
    return found


def scaled_edges(network: Network) -> list[Link]:
    """The non-zero entries, exact between rigid places and as signs elsewhere."""
    s = scales(network)
    return [(i, k, w * s[i] / s[k] if i in s and k in s else w > 0) for i, k, w in edges(network)]


def colors(networks: tuple[Network, Network]) -> tuple[dict[Place, int], dict[Place, int]]:
    """Colors that agree on neurons matched by any equivalence of the two networks."""
    scaled = [scaled_edges(network) for network in networks]
    current: list[dict[Place, int]] = []
    for network in networks:
        fixed, hidden = fixed_places(network), hidden_places(network)
        start = {place: -1 - n for n, place in enumerate(fixed)}
        current.append({**start, **{place: place[0] for place in hidden}})
    count = 0
    while True:
        spend(10 * sum(map(len, scaled)) + 10)
        names: dict[Hashable, int] = {}
        refined = []
        for network, links, color in zip(networks, scaled, current, strict=True):
            signs: dict[Place, list[Hashable]] = {place: [] for place in color}
            for i, k, entry in links:
                signs[i].append(("in", color[k], type(entry), entry))
                signs[k].append(("out", color[i], type(entry), entry))
            new = dict(color)
            for place in hidden_places(network):
                key = (color[place], frozenset(Counter(signs[place]).items()))
                new[place] = names.setdefault(key, len(names))
            refined.append(new)
        if len(names) == count:
            return current[0], current[1]
        current, count = refined, len(names)


def twin_keys(network: Network) -> dict[Place, Hashable]:
    """Keys that agree only on neurons of a layer whose exchange is an equivalence."""
    links: dict[Place, set[Hashable]] = {place: set() for place in hidden_places(network)}
    loose = set()
    for i, k, entry in scaled_edges(network):
        for place, link in ((i, ("in", k, entry)), (k, ("out", i, entry))):
            if place in links:
                links[place].add(link)
                if type(entry) is bool:
                    loose.add(place)
    return {
        place: place if place in loose else (place[0], frozenset(found))
        for place, found in links.items()
    }


def arrangements(groups: list[list[Place]]) -> Iterator[list[Place]]:
    """All orders of the places, up to exchanging places of one group."""
    if not groups:
        yield []
        return
    first, *others = groups
    total = sum(map(len, groups))
    for rest in arrangements(others):
        for positions in combinations(range(total), len(first)):
            order = list(rest)
            for position, place in zip(positions, first, strict=True):
                order.insert(position, place)
            yield order


def scalable(a: Network, b: Network, match: dict[Place, Place]) -> bool:
    """Positive scalings turn a into b, neuron p of a becoming neuron match[p] of b."""
    target = {(i, k): w for i, k, w in edges(b)}
    neighbors: dict[Place, list[tuple[Place, Fraction]]] = {}
    count = 0
    for i, k, w in edges(a):
        ratio = target.get((match[i], match[k]), 0 * ONE) / w
        if ratio <= 0:
            return False
        neighbors.setdefault(i, []).append((k, 1 / ratio))  # c_k = c_i / ratio
        neighbors.setdefault(k, []).append((i, ratio))  # c_i = c_k ratio
        count += 1
    spend(10 * count + 10)
    if count != len(target):
        return False
    factor = dict.fromkeys(fixed_places(a), ONE)
    waiting = list(factor)
    rest = hidden_places(a)
    while waiting or rest:
        if not waiting:
            place = rest.pop()
            if place not in factor:  # no equation joins it to what is known: any value will do
                factor[place] = ONE
                waiting.append(place)
            continue
        place = waiting.pop()
        for other, ratio in neighbors.get(place, []):
            wanted = factor[place] * ratio
            if other not in factor:
                factor[other] = wanted
                waiting.append(other)
            elif factor[other] != wanted:
                return False
    return True


def check_inequivalent(a: Network, b: Network) -> None:
    """No permutation and positive scaling turns a into b."""
    if a.widths != b.widths:
        return
    color_a, color_b = colors((a, b))
    classes: dict[int, list[Place]] = {}
    for place in hidden_places(a):
        classes.setdefault(color_a[place], []).append(place)
    groups: dict[int, dict[Hashable, list[Place]]] = {c: {} for c in classes}
    keys = twin_keys(b)
    for place in hidden_places(b):
        if color_b[place] not in classes:
            return
        groups[color_b[place]].setdefault(keys[place], []).append(place)
    number = 1
    for c, places in classes.items():
        if len(places) != sum(map(len, groups[c].values())):
            return
        number *= factorial(len(places))
        number //= prod(factorial(len(twins)) for twins in groups[c].values())
    require(number <= LIMITS["permutations"], "too many permutations to try")
    fixed = {place: place for place in fixed_places(a)}
    for choice in product(*(arrangements(list(groups[c].values())) for c in classes)):
        match = dict(fixed)
        for places, images in zip(classes.values(), choice, strict=True):
            match.update(zip(places, images, strict=True))
        require(not scalable(a, b, match), "the parameters are equivalent")


def inequivalent(claim: Json, evidence: Json) -> None:
    """No permutation and positive scaling of the hidden neurons turns a into b."""
    check_inequivalent(*read_pair(claim))


def not_identifiable(claim: Json, evidence: Json) -> None:
    """The two networks of one architecture have the same values on the domain, which has
    interior points, and are not equivalent under permutation and positive scaling."""
    a, b = read_pair(claim)
    require(a.widths == b.widths, "different architectures")
    check_inequivalent(a, b)
    interior = check_equal(a, b, claim["domain"], field(evidence, "tree", str))
    require(interior, "no leaf shows that the domain has an interior point")


KINDS = {
    "equal": Rule(equal, "a b domain", "tree", ("cover",)),
    "different": Rule(different, "a b domain point", ""),
    "equivalent": Rule(equivalent, "a b", "moves"),
    "inequivalent": Rule(inequivalent, "a b", "", ("color refinement",)),
    "not-identifiable": Rule(not_identifiable, "a b domain", "tree", ("cover", "color refinement")),
}
