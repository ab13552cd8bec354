"""Construction of minimal parameters that are not identifiable, by a linear block behind slab layers.

**Statement (minimality among supertransversal parameters).**  Let theta be supertransversal, and suppose that
(a) in the search for supertransversal realizations of f every branch that reaches layer L agrees with theta in the layers before,
    up to permutation and positive scaling; and the n_L - k neurons v outside the block have visible sheets, every class p of which
    determines the row of v: the equations w.a^(L-1) + b = 0 at the points of p have one solution up to a factor;
(b) a^(L-1) and 1 are linearly independent on the domain;
(c) C M + sum over v in T of W_v M_v has rank at least k for every set T of neurons of layer L outside the block.
Then no supertransversal parameter with L hidden layers and fewer neurons somewhere has the function f.

*Proof.*  In such a parameter eta each row found is a neuron of its own, so the layers before L keep their widths and are those of
theta.  A class of f is on the sheet of one neuron of theta and of one of eta.  Where this is v in layer L, no neuron of the layers
before vanishes on the class, neither in theta nor in eta, so it is a neuron of layer L in eta too, and by (a) its row is that of v
up to a factor.  So eta has the n_L - k neurons, up to orientation, T being the reversed ones.  Every other neuron of its layer L has
no outgoing weight, or no zero set inside the domain (else its sheet has a class, which is one of those of (a), and two neurons
would share a sheet, against supertransversality): then it is dead or always active.  By (b) the always active ones must contribute
C M + sum_T W_v M_v, so there are at least as many as its rank.  QED   (Fewer layers are excluded by the chain of the dependency
graph.)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.certificates.verdict import Holds, Undecided, Verdict
from exactrelu.certification.same_function import SameFunction
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.constructions.construction import Claim, Construction
from exactrelu.constructions.linear_block import LinearBlock, orbit_dimension
from exactrelu.constructions.one_function import pairwise
from exactrelu.constructions.slab import certified_slab
from exactrelu.dependency.report import DependencyReport, dependency_report
from exactrelu.errors import BudgetExceeded, InputError, InvariantError
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.supertransversality import supertransversality
from exactrelu.identifiability.functional_dimension import FunctionalDimension, functional_dimension
from exactrelu.identifiability.jacobian import exact_jacobian, strict_cells
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.forward import preactivations
from exactrelu.network.network import Network
from exactrelu.recovery.reconstruct import Branch, class_points, reconstruct

DRAWS = 40


def minimal_block(architecture: Architecture, size: int = 2, seed: int = 0, *, limits: Limits | None = None) -> Construction:
    """Return a parameter with a block of `size` always active neurons in its last hidden layer, and another one of its orbit.

    Args:
        architecture: widths of at least 2 before the output; the last hidden width at least size + 2.
    Raises:
        InputError: a request that cannot be served.  BudgetExceeded: a limit was reached, or no draw had the exact fiber
            dimension of the orbit.

    >>> made = minimal_block(Architecture((2, 2, 4, 2)))
    >>> made.facts["dimension_modulo_scaling"], made.facts["without_output_biases"]
    (4, 2)
    """
    widths = architecture.widths
    if len(widths) < 4 or size < 1 or widths[-2] < size + 2:
        raise InputError(f"a block of {size} neurons needs two hidden layers and a last one of at least {max(size, 1) + 2} neurons, "
                         f"not {architecture}")
    shown = Architecture((*widths[:-2], widths[-2] - size, widths[-1]))
    rng, meter = Random(f"block {widths} {size} {seed}"), Meter(limits)
    for number in range(DRAWS):
        base, _ = certified_slab(shown, seed + number // 4, limits=limits)
        network = _with_block(base.network, size, rng)
        expected = orbit_dimension(widths[-3], size, widths[-1])
        found = functional_dimension(network, base.domain, limits=limits)
        if not found.exact or architecture.expected_dimension - found.lower != expected:
            continue
        block = LinearBlock.of(network, base.domain)
        if len(block.neurons) != size or block.product_rank() != min(size, widths[-3], widths[-1]):
            continue
        minimal = minimal_among_supertransversal(block, meter)
        if isinstance(minimal, Holds) or size > min(widths[-3], widths[-1]) or number >= DRAWS // 2:
            return _construction(block, found, minimal, seed, limits)
    raise BudgetExceeded(f"no draw of {architecture} had a fiber that is exactly the orbit of its block; try another seed")


def _with_block(base: Network, size: int, rng: Random) -> Network:
    """The network with always active neurons: positive weights and biases over activations that are not negative."""
    layer = base.architecture.hidden_layers
    before, outputs = base.architecture.widths[layer - 1], base.architecture.outputs
    rows = [[rng.randint(1, 4) for _ in range(before)] for _ in range(size)]
    weights = [*base.weights[layer - 1], *rows]
    biases = [*base.biases[layer - 1], *(rng.randint(1, 3) for _ in range(size))]
    output = [[*row, *(rng.choice((-1, 1)) * rng.randint(1, 4) for _ in range(size))] for row in base.weights[layer]]
    assert len(output) == outputs
    return Network([*base.weights[:layer - 1], weights, output], [*base.biases[:layer - 1], biases, base.biases[layer]])


def minimal_among_supertransversal(block: LinearBlock, meter: Meter | None = None) -> Verdict:
    """Return whether the hypotheses of the module's statement hold, so that no neuron can be removed."""
    meter = meter if meter is not None else Meter()
    complex_, network = block.complex, block.network
    layer, size = network.architecture.hidden_layers, len(block.neurons)
    if not isinstance(supertransversality(Geometry(complex_)), Holds):
        return Undecided("the parameter is not supertransversal")
    report = dependency_report(complex_)
    graph = report.graph
    found = reconstruct(graph, network.architecture, SameFunction(network, complex_.domain, meter), meter)
    outside = network.architecture.widths[layer] - size
    flags = [(flag.code, flag.layer, flag.found) for flag in found.flags]
    if flags != [("FEW", layer, outside)] or found.candidates:
        return Undecided("the search for supertransversal realizations does not stop exactly at the block")
    if not all(agrees_in_front(branch, network) for branch in found.open_branches):
        return Undecided("some branch of the search has other layers in front")
    unseen = _undetermined_outside(block, report)
    if unseen:
        return Undecided(f"the visible sheets do not determine the rows of the neurons {unseen} of the last hidden layer")
    rows = {primitive_integer([Fraction(1), *(max(z, Fraction(0)) for z in preactivations(network, v)[layer - 2])]): None
            for i in range(complex_.full_cells) for v in complex_.full_cell(i).vertices}
    width = network.architecture.widths[layer - 1]
    if rank(list(rows), width + 1) <= width:
        return Undecided("the activations before the block are not independent")
    try:
        least = block.minimal_rank()
    except BudgetExceeded as error:
        return Undecided(str(error))
    if least < size:
        return Undecided(f"some set of reversed neurons leaves rank {least} to the block of {size}")
    return Holds(detail={"least_rank": least})


def _undetermined_outside(block: LinearBlock, report: DependencyReport) -> list[int]:
    """Neurons of the last hidden layer outside the block without a visible class, or with one that leaves several rows."""
    network = block.network
    layer, width = network.architecture.hidden_layers, network.architecture.widths[-3]
    determined: dict[int, bool] = {}
    for neurons, facets in zip(report.class_neurons, report.graph.facets):
        if len(neurons) != 1:
            raise InvariantError("a class of a supertransversal parameter that is not on one neuron")
        if neurons[0].layer != layer:
            continue
        rows: dict[tuple[int, ...], None] = {}
        for t, *point in class_points(report.graph.function, facets.tolist()):
            z = preactivations(network, [Fraction(x, t) for x in point])[layer - 2]
            rows.setdefault(primitive_integer([Fraction(1), *(max(x, Fraction(0)) for x in z)]))
        at = neurons[0].index
        determined[at] = determined.get(at, True) and rank(list(rows), width + 1) == width
    return [i for i in range(network.architecture.widths[layer]) if i not in block.neurons and not determined.get(i, False)]


def agrees_in_front(branch: Branch, network: Network) -> bool:
    """Whether the layers of a branch are the first ones of a network, up to permutation and positive scaling."""
    place, scale = list(range(network.architecture.inputs)), [Fraction(1)] * network.architecture.inputs
    for rows, weights, biases in zip(branch, network.weights, network.biases):
        known = {primitive_integer([b, *row]): (i, b, row) for i, (row, b) in enumerate(zip(weights, biases))}
        new_place, new_scale = [], []
        for row in rows:
            moved = [Fraction(0)] * len(place)
            for j, x in enumerate(row[1:]):
                moved[place[j]] = x * scale[j]
            over = [Fraction(row[0]), *moved]
            match = known.pop(primitive_integer(over), None)
            if match is None:
                return False
            i, b, old = match
            new_place.append(i)
            new_scale.append(next(x / y for x, y in zip(over, (b, *old)) if y))
        place, scale = new_place, new_scale
    return True


def rank_without_output_biases(complex_: CanonicalComplex) -> int:
    """Rank of the Jacobian on all strict cells without the columns of the output biases."""
    architecture = complex_.network.architecture
    width = architecture.widths[-2] + 1
    first = architecture.parameters - architecture.outputs * width
    dropped = {first + i * width + width - 1 for i in range(architecture.outputs)}
    rows: dict[tuple[int, ...], None] = {}
    for cell in strict_cells(complex_).tolist():
        for row in exact_jacobian(complex_, cell):
            kept = [x for j, x in enumerate(row) if j not in dropped]
            if any(kept):
                rows.setdefault(primitive_integer(list(map(Fraction, kept))))
    return rank(list(rows), architecture.parameters - len(dropped))


def _construction(block: LinearBlock, found: FunctionalDimension, minimal: Verdict, seed: int, limits: Limits | None) -> Construction:
    network, domain, size = block.network, block.complex.domain, len(block.neurons)
    other = block.act(_mixing(size), [Fraction(int(i == 0)) for i in range(size)])
    claims = pairwise((network, other), domain, limits)
    widths = network.architecture.widths
    orbit = orbit_dimension(widths[-3], size, widths[-1])
    rest = network.architecture.expected_dimension - found.lower
    claims.append(Claim("dimension-at-least", f"functional dimension at least {found.lower}, so the fiber has at most dimension {rest} "
                        "modulo scaling near theta", found.certificate))
    claims.append(Claim("dimension-at-most", f"functional dimension at most {found.upper}; the blocks with the same contribution "
                        f"have dimension {orbit} modulo scaling: near theta they are the fiber", found.upper_certificate))
    if isinstance(minimal, Holds):
        claims.append(Claim("minimal", "no supertransversal parameter of a strict subarchitecture of this depth has the function "
                                       "(decided by the engine)"))
    jump = block.dimension_jump()
    if isinstance(jump, Holds):
        claims.append(Claim("dimension-jump", "almost every parameter near theta is in no strict subarchitecture of this depth: "
                            f"removing a neuron lowers the dimension by at least {jump.detail['drop']}, the block only by {orbit}"))
    without = network.architecture.parameters - network.architecture.outputs - network.architecture.hidden_neurons
    facts = {"seed": seed, **block.to_json(), "minimal_among_supertransversal": minimal.word, "generic_minimality": jump.word,
             "rank_deficit_without_output_biases": without - rank_without_output_biases(block.complex)}
    return Construction("linear-block", (network, other), domain, tuple(claims), facts, ("theta", "eta"))


def _mixing(size: int) -> Sequence[Sequence[Fraction]]:
    """A matrix that keeps positive values positive: upper triangular with small positive entries."""
    return [[Fraction(int(i == j)) + (Fraction(1, 2) if j == i + 1 else 0) for j in range(size)] for i in range(size)]
