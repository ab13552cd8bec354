"""Uniqueness among the supertransversal parameters of the architecture.

Theorem: if the reconstruction search ends without a flag and finds nothing but theta, every supertransversal parameter
of the architecture with the function of theta on the domain is a permutation and positive scaling of theta.  If moreover
the domain is bounded, theta is supertransversal also with respect to the walls of the domain, and *gluing-stable*, then
almost every parameter near theta is unique among **all** parameters.

Gluing-stable: no ridge where two neurons v, w of layers l(v) < l(w) meet shows w only.  (There a small change can turn
on half of v's sheet, the ridge becomes ambiguous, and the sheet of w falls apart.)  Source: paper A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactrelu.arithmetic.rational import affine_point, point_text, rational_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Fails, Holds, Undecided, Verdict
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.subdivision.sign_words import positive_matrix
from exactrelu.dependency.dependency_graph import DependencyGraph
from exactrelu.errors import InvariantError
from exactrelu.genericity.generic import GenericityReport
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.recovery.reconstruct import Reconstruction

ALMOST_EVERY = "unique among all parameters for almost every parameter in a neighborhood"
MAX_POINTS = 60_000
"""Largest number of points in the evidence."""


@dataclass(frozen=True)
class UnstableRidge:
    """A ridge that shows the later of its two neurons only."""

    point: tuple[Any, ...]
    hidden: int
    visible: int

    def to_json(self) -> dict[str, Any]:
        """Return point and neurons (numbered through the layers)."""
        return {"point": [rational_text(x) for x in self.point], "hidden": self.hidden, "visible": self.visible}


def gluing_stability(complex_: CanonicalComplex, graph: DependencyGraph) -> Verdict:
    """Return whether no ridge shows the later of its two neurons only; witness: the first ridge that does.

    Cost: linear in the ridges.
    """
    function, fan = graph.function, complex_.fan
    two = np.flatnonzero(graph.pictures.rays == 2)
    if fan.dimension < 3 or not len(two):
        return Holds(None, {"reason": "every ridge where two layers meet shows the earlier neuron or neither"})
    bent = BentHyperplanes(complex_)
    zeros = positive_matrix(bent.words[fan.dimension - 2][function.ridge_cones[two]], 0, fan.neurons)
    facet = function.ridges.indices[function.ridges.starts[two]]
    shown = positive_matrix(bent.words[fan.dimension - 1][function.facet_cones[facet]], 0, fan.neurons)
    layer = np.searchsorted(np.array(complex_.network.architecture.offsets), np.arange(fan.neurons), side="right")
    large = fan.neurons + 1
    hidden_layer = np.where(zeros & ~shown, layer, large).min(axis=1)
    shown_layer = np.where(shown, layer, 0).max(axis=1)
    bad = np.flatnonzero(hidden_layer < shown_layer)
    if not len(bad):
        return Holds(None, {"reason": "every ridge where two layers meet shows the earlier neuron or neither"})
    k = int(bad[0])
    hidden = int(np.argmin(np.where(zeros[k] & ~shown[k], layer, large)))
    point = affine_point(function.ridge_points[two[k]].tolist())
    return Fails(UnstableRidge(point, hidden, int(np.argmax(np.where(shown[k], layer, 0)))), None,
                 {"reason": "a ridge shows the later of its two neurons only"})


def almost_every(complex_: CanonicalComplex, conditions: GenericityReport, graph: DependencyGraph, found: Reconstruction) -> Verdict:
    """Return whether the statement about almost every parameter near theta holds (given uniqueness among supertransversal ones).

    The combinatorial type must be that of all parameters near theta (zero count, also with the walls), gluings must survive, and
    every test that ended a branch of the search must have the same outcome nearby.
    """
    if not bool(complex_.bounded.all()):
        return Undecided("the domain is not bounded")
    if not isinstance(conditions.verdicts["zero_count"], Holds):
        return Undecided("more neurons vanish at some cell than its codimension, so the complex may change near theta")
    if found.coincident_rows:
        return Undecided("the search used that two rows are proportional, which need not be so near theta")
    walls = conditions.further["boundary_transversality"]
    if not isinstance(walls, Holds):
        return Undecided("the walls of the domain do not meet the bent hyperplanes transversally")
    stable = gluing_stability(complex_, graph)
    if isinstance(stable, Fails):
        place = ", ".join(stable.witness.to_json()["point"])
        return Undecided(f"not gluing-stable: {stable.detail['reason']}, at ({place})", {"witness": stable.witness})
    return Holds(None, {"reason": ALMOST_EVERY})


def evidence_points(graph: DependencyGraph, found: Reconstruction, refutations: Sequence[str]) -> list[str]:
    """Points of the document: the ridges and facets looked at, all points that the search used, and refutations of candidates."""
    function, sample = graph.function, found.sample
    points = [*map(tuple, function.ridge_points[list(sample.ridges)].tolist())]
    points += map(tuple, function.facet_points[[f for facets in sample.facets for f in facets]].tolist())
    return list(dict.fromkeys([*(point_text(p) for p in [*points, *found.points]), *refutations]))


def among_supertransversal(complex_: CanonicalComplex, conditions: GenericityReport, graph: DependencyGraph,
                           found: Reconstruction, refutations: Sequence[str] = ()) -> Verdict:
    """Return whether theta is unique among the supertransversal parameters of its architecture.

    Args:
        found: the reconstruction from `graph`.
        refutations: points where candidates that the search rejected differ from theta.

    `Holds` carries the document `identifiable-among-supertransversal`, not yet checked; `Fails` a second candidate.
    Raises:
        InvariantError: the search ended and lost theta itself.
    Cost: one test of equivalence a candidate, and the list of points.
    """
    network = complex_.network
    own = conditions.verdicts["supertransversality"]
    others = [n for n in found.candidates if equivalent(network, n).word == "fails"]
    if others:
        return Fails(others[0], None, {"reason": "the reconstruction finds a second supertransversal candidate", "others": others})
    if isinstance(own, Fails):
        place = own.witness.to_json()
        where = f" at ({', '.join(place['point'])})" if "point" in place else ""
        return Undecided(f"theta is not supertransversal: {place['reason']}{where}", {"code": "ST", "witness": own.witness})
    if not isinstance(own, Holds):
        return Undecided(f"supertransversality of theta is undecided: {own.reason}")
    if found.flags:
        flag = found.flags[0]
        ambiguous = graph.pictures.ambiguous
        reason = flag.reason
        if len(ambiguous):
            place = graph.ambiguous_json(int(ambiguous[0]))["point"]
            reason += f"; {len(ambiguous)} ridges are ambiguous, the first at ({', '.join(place)})"
        return Undecided(reason, {"code": flag.code, "flags": found.flags})
    if not found.candidates:
        raise InvariantError("the reconstruction ended without a flag and without theta")
    points = evidence_points(graph, found, refutations)
    if len(points) > MAX_POINTS:
        return Undecided(f"the document would list {len(points)} points, more than {MAX_POINTS}")
    claim = {"kind": "identifiable-among-supertransversal", "network": network.claim(), "domain": complex_.domain.claim()}
    further = almost_every(complex_, conditions, graph, found)
    extra = ""
    if isinstance(further, Holds):
        extra = f"; {ALMOST_EVERY}"
    elif isinstance(further, Undecided):
        extra = f"; nothing is said about nearby parameters: {further.reason}"
    return Holds(Certificate(claim, {"points": points}),
                 {"reason": f"the reconstruction from f finds theta only{extra}", "almost_every": further})
