"""Networks as formulae of Łukasiewicz logic, and back, exactly.

    f = parse("x*(y|z)")                      formulae: `formula`, `parse`, `show`
    equivalent(f, parse("(x*y)|(x*z)"))       exact decision with counterexample: `decide`
    graph = extract(network)                  network -> substitution graph: `extract`, `clip`
    graph.collapse(1).rewrite((1, 1), f)      local operations: `operations`, `connect`
    graph.to_network(), build(f)              formulae -> network: `build`
    synthesize(network)                       max of mins of clipped pieces: `synthesis`

Derivations from the axioms are made in `derivation`.  Source: paper D (arXiv 2602.00266).
"""

from __future__ import annotations

from exactrelu.logic.agreement import computes, graphs_equivalent
from exactrelu.logic.build import build
from exactrelu.logic.clip import AffineForm, clip_formula
from exactrelu.logic.connect import Connection, connect
from exactrelu.logic.decide import Decision, Different, Equivalent, Unknown, equivalent, networks_equivalent, truth_range
from exactrelu.logic.extract import extract, preactivation_bounds
from exactrelu.logic.formula import ONE, ZERO, Formula, const, delta, nfold, scale, var
from exactrelu.logic.graph import SubstitutionGraph
from exactrelu.logic.graph_file import load_graph, parsed_graph, save_graph
from exactrelu.logic.operations import Step
from exactrelu.logic.parse import parse
from exactrelu.logic.recovery import recover_affine
from exactrelu.logic.show import show, show_shared
from exactrelu.logic.synthesis import synthesize

__all__ = ["ONE", "ZERO", "AffineForm", "Connection", "Decision", "Different", "Equivalent", "Formula", "Step", "SubstitutionGraph",
           "Unknown", "build", "clip_formula", "computes", "connect", "const", "delta", "equivalent", "extract", "graphs_equivalent",
           "load_graph", "networks_equivalent", "nfold", "parse", "parsed_graph", "preactivation_bounds", "recover_affine", "save_graph",
           "scale", "show", "show_shared", "synthesize", "truth_range", "var"]
