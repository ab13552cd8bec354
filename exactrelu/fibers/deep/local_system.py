"""All parameters near theta with the function of theta, as polynomial equations.

On an activity pattern s the affine map (A_s, a_s) is polynomial in the parameters.  If the cells of theta persist under small changes
(`local_constancy`), then near theta

    f_eta = f_theta  iff  (A_s, a_s)(eta) = (A_s, a_s)(theta) for every pattern s of a full cell.

*Proof.*  If f_eta = f_theta and eta is near, cells of one pattern overlap in an open set, so the maps agree.  Conversely the solutions
near theta form a set that is locally conic at theta, so eta is joined to theta by a path of solutions, along which cells persist.  Cells
with equal maps, joined through facets, form regions; the facets between different maps lie in finitely many hyperplanes that are the
same along the path, and the regions vary continuously: they do not move.  QED

Without persistence the equations are necessary only: ReLU(2 ReLU(x) + ReLU(1 - x) - 1) = ReLU(|x|) near 0 satisfies them after lowering
the bias of the second layer and raising that of the output, but changes on a small interval.
The inequalities say that one point inside each full cell keeps its pattern; they hold near theta.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from exactrelu.arithmetic.polynomial import Polynomial
from exactrelu.certificates.verdict import Holds, Undecided
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.subdivision.sign_words import sign_matrix
from exactrelu.errors import BudgetExceeded
from exactrelu.fibers.deep.local_constancy import local_constancy
from exactrelu.fibers.semialgebraic.basic_set import BasicSet
from exactrelu.fibers.semialgebraic.parameter_names import ParameterSpace
from exactrelu.identifiability.jacobian import strict_cells
from exactrelu.limits import Meter

MAX_PARAMETERS = 250
MAX_TERMS = 200_000
"""Terms of all polynomials together."""
SOURCE = "region equations near a parameter"

Vector = list[Polynomial]
Pattern = tuple[tuple[bool, ...], ...]


@dataclass(frozen=True, eq=False)
class LocalSystem:
    """The equations of a complex.

    Attributes:
        complex: of theta on the domain.
        meter: limits.
    Raises:
        BudgetExceeded: too many parameters; or, when the system is built, too many terms.
    """

    complex: CanonicalComplex
    meter: Meter

    def __post_init__(self) -> None:
        """Refuse what would not fit into memory."""
        count = self.complex.network.architecture.parameters
        if count > MAX_PARAMETERS:
            raise BudgetExceeded(f"the polynomial system is written for at most {MAX_PARAMETERS} parameters, there are {count}")

    @cached_property
    def space(self) -> ParameterSpace:
        """The parameters of the architecture."""
        return ParameterSpace(self.complex.network.architecture)

    @cached_property
    def persistence(self) -> Holds | Undecided:
        """Whether all cells persist near theta."""
        return local_constancy(self.complex)

    @cached_property
    def basic_set(self) -> BasicSet:
        """The system; it contains theta, and near theta all parameters with its function.

        Exactness: rational.    Cost: one product of polynomials a layer for every prefix of an activity pattern, and one evaluation of the
        layers for every full cell.

        >>> from exactrelu.network.network import Network
        >>> relu = CanonicalComplex.build(Network([[[2]], [[3]]], [[4], [5]]))
        >>> [str(c) for c in LocalSystem(relu, Meter()).basic_set.constraints()][:3]
        ['b2_1 - 5 = 0', 'b1_1*W2_1_1 + b2_1 - 17 = 0', 'W1_1_1*W2_1_1 - 6 = 0']
        """
        count = len(self._cells)
        text = f"the same affine map on each of {count} activity pattern{'s' * (count != 1)}"
        return BasicSet(self.space.ring, tuple(self._equations()), (), tuple(self._inequalities()), description=text, source=SOURCE)

    @cached_property
    def _cells(self) -> dict[Pattern, int]:
        """Activity patterns, layer by layer, with the full cell of each."""
        offsets = self.complex.network.architecture.offsets
        chosen = strict_cells(self.complex)
        active = (sign_matrix(self.complex.activity_words[chosen], self.complex.fan.neurons) > 0).tolist()
        return dict(sorted((tuple(tuple(row[a:b]) for a, b in zip(offsets, offsets[1:])), number)
                           for row, number in zip(active, chosen.tolist())))

    def _equations(self) -> list[Polynomial]:
        ring, theta = self.space.ring, self.space.point(self.complex.network)
        inputs = self.complex.network.architecture.inputs
        start = [[ring.constant(int(k == j + 1)) for k in range(inputs + 1)] for j in range(inputs)]
        known: dict[Pattern, list[Vector]] = {(): start}
        out: dict[Polynomial, None] = {}
        terms = 0
        for pattern in self._cells:
            self.meter.tick()
            for layer in range(1, len(pattern) + 1):
                if pattern[:layer] not in known:
                    rows = self._next(layer, known[pattern[:layer - 1]], pattern[layer - 1])
                    known[pattern[:layer]] = rows
                    terms += sum(len(x.terms) for row in rows for x in row)
                    self._bounded(terms)
            last = self._next(len(pattern) + 1, known[pattern], [True] * self.complex.network.architecture.outputs)
            for row in last:
                for entry in row:
                    equation = entry - ring.constant(entry(theta))
                    terms += len(equation.terms)
                    out[equation] = None
            self._bounded(terms)
        return [equation for equation in out if equation]

    def _next(self, layer: int, values: Sequence[Vector], active: Sequence[bool]) -> list[Vector]:
        """Rows (b, a) of the outputs of a layer as polynomials, 0 for inactive neurons."""
        ring = self.space.ring
        width = len(values[0]) if values else 0
        out = []
        for j, on in enumerate(active):
            if not on:
                out.append([ring.zero] * width)
                continue
            weights = self.space.weights(layer, j)
            row = [ring.sum(w * value[k] for w, value in zip(weights, values) if value[k]) for k in range(width)]
            row[0] = row[0] + self.space.bias(layer, j)
            out.append(row)
        return out

    def _inequalities(self) -> list[Polynomial]:
        """The signs of all neurons at one point inside each full cell."""
        ring, terms = self.space.ring, 0
        out: dict[Polynomial, None] = {}
        for pattern, number in self._cells.items():
            self.meter.tick()
            point: list[Fraction] = list(self.complex.full_cell(number).point)
            values: Vector = [ring.constant(x) for x in point]
            for layer, active in enumerate(pattern, 1):
                following = []
                for j, on in enumerate(active):
                    z = ring.sum(w * value for w, value in zip(self.space.weights(layer, j), values) if value) + self.space.bias(layer, j)
                    out[z if on else -z] = None
                    terms += len(z.terms)
                    following.append(z if on else ring.zero)
                values = following
                self._bounded(terms)
        return list(out)

    @staticmethod
    def _bounded(terms: int) -> None:
        if terms > MAX_TERMS:
            raise BudgetExceeded(f"the polynomial system has more than {MAX_TERMS} terms")
