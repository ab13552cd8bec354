"""logic: networks as formulae of Łukasiewicz logic, and derivations."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactrelu.cli.answer import CERTIFIED, REFUTED, UNDECIDED, Answer, clipped
from exactrelu.cli.network_verbs import writes_nothing
from exactrelu.cli.options import NETWORK_HELP, UsageError, limits_of, network_file
from exactrelu.errors import InputError, PreconditionError

if TYPE_CHECKING:
    from exactrelu.logic.decide import Decision
    from exactrelu.logic.graph import SubstitutionGraph

Add = Callable[..., argparse.ArgumentParser]
CODES = {"equivalent": CERTIFIED, "inequivalent": REFUTED, "undecided": UNDECIDED}
FORMULA = "formula, for instance \"x*(y|z)\": ~ not, + sum, * product, | max, & min, -> implication, /n part, [p/q] multiple, n. sum of n"


def grammar(add: Add) -> None:
    """Add the questions of `logic`; `add` makes the parser of one question with the common options."""
    extract = add("extract", "network -> substitution graph (-o GRAPH)")
    extract.add_argument("network", metavar="NETWORK", help=NETWORK_HELP)
    extract.add_argument("--mode", default="auto", help="sliced (integer weights), scaled, or auto (default)")
    extract.add_argument("--language", default="riesz", help="how fractions are written: riesz (default) or divisible")
    extract.add_argument("--normalize", default="exact", help="scale by exact maxima (default) or by the next integer")
    extract.add_argument("--bounds", default="exact", help="of the preactivations: exact (default) or interval")
    extract.add_argument("--affine", action="store_true", help="sliced: one node for each output instead of slices")
    extract.add_argument("--clear-denominators", action="store_true", help="make the weights integers first (many slices)")
    extract.add_argument("--domain", metavar="FILE", help="a bounded box as domain file (default: the unit cube)")
    extract.add_argument("--box", metavar="LO,HI", help="a box instead of the unit cube")
    build = add("build", "substitution graph or formula -> network (-o NET)")
    build.add_argument("graph", metavar="GRAPH", help=f"graph file, or {FORMULA}")
    evaluate = add("evaluate", "value of a formula or graph at a point")
    evaluate.add_argument("formula", metavar="FORMULA", help=f"{FORMULA}; or a graph file")
    evaluate.add_argument("--at", action="append", default=[], metavar="x=1/2", help="value of a variable; repeat, or separate by commas")
    equivalent = add("equivalent", "the same function on the cube?")
    derive = add("derive", "proof from the axioms, or a counterexample (-o DERIVATION)")
    for parser in (equivalent, derive):
        parser.add_argument("first", metavar="F", help=f"{FORMULA}; or a graph file")
        parser.add_argument("second", metavar="G", help="the other one")
    derive.add_argument("--to-axioms", action="store_true", help="compile case splits away: equational logic only (longer)")
    derive.add_argument("--explain", action="store_true", help="print the proof for a person")
    check = add("check", "the independent checker of derivations")
    check.add_argument("derivation", metavar="DERIVATION", help="derivation file (also gzipped)")
    show = add("show", "a formula or graph for a person")
    show.add_argument("formula", metavar="FORMULA", help=f"{FORMULA}; or a graph file")
    show.add_argument("--style", default="unicode", help="text, unicode (default) or latex")
    synthesize = add("synthesize", "network or formula -> one formula, a maximum of minima of clipped pieces")
    synthesize.add_argument("source", metavar="SOURCE", help=f"network file, or {FORMULA}")
    synthesize.add_argument("--language", default="mv", help="mv (default; integer pieces), divisible or riesz")
    for name, text in (("collapse", "substitute a layer into the next one"), ("expand", "replace a layer by two"),
                       ("rewrite", "replace the formula of a node by an equivalent one")):
        parser = add(name, f"{text} (-o GRAPH)")
        parser.add_argument("graph", metavar="GRAPH", help="graph file")
        parser.add_argument("--layer", type=int, required=True, metavar="L", help="the layer, from 1")
        if name == "expand":
            parser.add_argument("--psi", required=True, metavar="F;F", help="formulae of the new layer, separated by semicolons")
            parser.add_argument("--chi", required=True, metavar="F;F", help="formulae of the layer behind it, in y{L}_1, y{L}_2, ...")
        if name == "rewrite":
            parser.add_argument("--node", type=int, required=True, metavar="J", help="the node, from 1")
            parser.add_argument("--formula", required=True, metavar="F", help="the new formula")
    connect = add("connect", "a path of operations from one graph to another (-o GRAPH: the target with this history)")
    connect.add_argument("first", metavar="GRAPH", help="graph file")
    connect.add_argument("second", metavar="GRAPH", help="graph file")
    connect.add_argument("--derive", action="store_true", help="prove every rewrite from the axioms")


def logic(options: Namespace) -> Answer:
    """Dispatch to the question."""
    found: Answer = globals()[f"_{options.question}"](options)
    return found


# --- reading ----------------------------------------------------------------------------------------------------------------------

def _is_file(text: str) -> bool:
    try:
        return text.endswith((".json", ".json.gz")) or Path(text).is_file()
    except (OSError, ValueError):
        return False


def _graph(text: str) -> SubstitutionGraph:
    """A graph file, or the graph of one formula."""
    from exactrelu.logic.graph_file import load_graph

    if _is_file(text):
        return load_graph(text)
    raise InputError(f"{clipped(text, 60)}: not a graph file (*.json)")


def _written(graph: SubstitutionGraph, options: Namespace) -> str | None:
    from exactrelu.logic.graph_file import save_graph

    if options.output is None:
        return None
    try:
        save_graph(graph, options.output)
    except OSError as error:
        raise InputError(f"{options.output}: cannot be written ({error.strerror})") from None
    return str(options.output)


def _graph_answer(graph: SubstitutionGraph, options: Namespace, verdict: str = "graph") -> Answer:
    from exactrelu.logic.graph_file import graph_document

    written, sizes = _written(graph, options), graph.sizes()
    fields: dict[str, Any] = {"graph": written if written is not None else graph_document(graph), "layers": list(sizes.layers),
                              "dag_nodes": sizes.dag, "tree_nodes": str(sizes.tree), "language": graph.language, "notes": list(graph.notes)}
    widths = ", ".join(map(str, sizes.layers))
    lines = [f"{graph.inputs} inputs, layers of {widths} nodes, language {graph.language}, {sizes.dag} formula nodes",
             *(f"note: {note}" for note in graph.notes), *graph.show("unicode").split("\n")]
    lines += [f"step: {step}" for step in graph.history]
    if written is not None:
        lines.append(f"written to {written}")
    return Answer(verdict, fields, tuple(lines))


# --- networks and graphs ----------------------------------------------------------------------------------------------------------

def _extract(options: Namespace) -> Answer:
    from exactrelu.cli.options import domain_of
    from exactrelu.logic.extract import extract

    found = network_file(options, options.network)
    mapped = options.domain is not None or options.box is not None
    domain = domain_of(options, found.network, found) if mapped else None
    graph = extract(found.network, mode=options.mode, language=options.language, normalize=options.normalize, bounds=options.bounds,
                    affine=options.affine, clear_denominators=options.clear_denominators, domain=domain, limits=limits_of(options))
    return _graph_answer(graph, options)


def _build(options: Namespace) -> Answer:
    from exactrelu.logic.build import build
    from exactrelu.logic.parse import parse
    from exactrelu.network.files.save import save

    if _is_file(options.graph):
        built = _graph(options.graph).built()
        network, dropped = built.network, built.dropped
    else:
        network, dropped = build(parse(options.graph)), ()
    if options.output is not None:
        save(network, options.output)
    fields = {"network": options.output if options.output is not None else network.to_json(),
              "architecture": list(network.architecture.widths), "dropped": list(dropped)}
    lines = [f"architecture {network.architecture}"]
    if dropped:
        lines.append(f"nodes that left no trace: {', '.join(dropped)}")
    if options.output is not None:
        lines.append(f"written to {options.output}")
    return Answer("network", fields, tuple(lines))


def _synthesize(options: Namespace) -> Answer:
    from exactrelu.logic.parse import parse
    from exactrelu.logic.synthesis import synthesize

    writes_nothing(options)
    source = network_file(options, options.source).network if _is_file(options.source) else parse(options.source)
    return _formula_answer(synthesize(source, language=options.language, limits=limits_of(options)), "unicode")


def _formula_answer(formula: Any, style: str) -> Answer:
    from exactrelu.logic.show import show

    sizes = formula.sizes()
    fields = {"formula": show(formula), "language": formula.language, "dag_nodes": sizes.dag, "tree_nodes": str(sizes.tree),
              "depth": sizes.depth}
    counts = f"language {formula.language}, {sizes.dag} distinct nodes, depth {sizes.depth}"
    return Answer("formula", fields, (show(formula, style), counts))


def _show(options: Namespace) -> Answer:
    from exactrelu.logic.parse import parse

    writes_nothing(options)
    if options.style not in ("text", "unicode", "latex"):
        raise UsageError(f"no style is called {options.style!r}; there are text, unicode and latex")
    if _is_file(options.formula):
        return _graph_answer(_graph(options.formula), options)
    return _formula_answer(parse(options.formula), options.style)


def _collapse(options: Namespace) -> Answer:
    return _graph_answer(_graph(options.graph).collapse(options.layer), options)


def _expand(options: Namespace) -> Answer:
    psi, chi = ([text.strip() for text in texts.split(";") if text.strip()] for texts in (options.psi, options.chi))
    return _refusable(lambda: _graph_answer(_graph(options.graph).expand(options.layer, psi, chi), options))


def _rewrite(options: Namespace) -> Answer:
    place = (options.layer, options.node)
    return _refusable(lambda: _graph_answer(_graph(options.graph).rewrite(place, options.formula, limits=limits_of(options)), options))


def _connect(options: Namespace) -> Answer:
    from exactrelu.logic.connect import connect

    def answer() -> Answer:
        found = connect(_graph(options.first), _graph(options.second), derive=options.derive, limits=limits_of(options))
        shown = _graph_answer(found.end, options, "connected")
        return Answer("connected", {**shown.fields, "steps": [step.to_json() for step in found.steps]},
                      (*(f"step: {step}" for step in found.steps), *([shown.lines[-1]] if options.output else [])))

    return _refusable(answer)


def _refusable(answer: Callable[[], Answer]) -> Answer:
    """A precondition that fails is a no, with its counterexample."""
    try:
        return answer()
    except PreconditionError as error:
        witness = error.verdict.fields().get("counterexample") if hasattr(error.verdict, "fields") else None
        return Answer("refused", {"reason": str(error), "counterexample": witness}, (str(error),), REFUTED)


# --- questions about formulae -----------------------------------------------------------------------------------------------------

def _evaluate(options: Namespace) -> Answer:
    from exactrelu.arithmetic.rational import parse_rational
    from exactrelu.logic.parse import parse

    writes_nothing(options)
    env: dict[str, Fraction] = {}
    for part in ",".join(options.at).split(","):
        if not part.strip():
            continue
        name, sign, text = part.partition("=")
        if not sign or name.strip() in env:
            raise UsageError(f"{part.strip()!r} is not NAME=VALUE, or the name is there twice")
        env[name.strip()] = parse_rational(text.strip())
    if _is_file(options.formula):
        graph = _graph(options.formula)
        names = [f"x{i}" for i in range(1, graph.inputs + 1)]
        if sorted(env) != sorted(names):
            raise UsageError(f"the graph has the inputs {', '.join(names)}")
        values = [str(x) for x in graph([env[name] for name in names])]
    else:
        values = [str(parse(options.formula).evaluate(env))]
    return Answer("value", {"values": values}, (", ".join(values),))


def _decision_answer(found: Decision) -> Answer:
    lines = {"equivalent": "equal on the whole cube"}.get(found.verdict, repr(found))
    return Answer(found.verdict, found.fields(), (lines,), CODES[found.verdict])


def _equivalent(options: Namespace) -> Answer:
    from exactrelu.logic.agreement import graphs_equivalent
    from exactrelu.logic.decide import equivalent
    from exactrelu.logic.parse import parse

    writes_nothing(options)
    files = [_is_file(options.first), _is_file(options.second)]
    if any(files):
        if not all(files):
            raise UsageError("compare two formulae or two graph files")
        return _decision_answer(graphs_equivalent(_graph(options.first), _graph(options.second), limits=limits_of(options)))
    return _decision_answer(equivalent(parse(options.first), parse(options.second), limits=limits_of(options)))


def _derive(options: Namespace) -> Answer:
    from exactrelu.logic.derivation.proof import Proof
    from exactrelu.logic.derivation.prove import Counterexample, prove
    from exactrelu.logic.parse import parse

    found = prove(parse(options.first), parse(options.second), limits_of(options))
    if isinstance(found, Counterexample):
        place = {name: str(x) for name, x in found.at.items()}
        values = [str(x) for x in found.values]
        where = ", ".join(f"{name} = {x}" for name, x in place.items()) or "the only point"
        fields: dict[str, Any] = {"counterexample": place, "values": values}
        return Answer("inequivalent", fields, (f"at {where}: {values[0]} and {values[1]}",), REFUTED)
    if not isinstance(found, Proof):
        return Answer("undecided", {"reason": found.reason, "counterexample": None}, (f"reason: {found.reason}",), UNDECIDED)
    if options.to_axioms:
        found = found.to_axioms()
    goal = found.check()
    if options.output is not None:
        try:
            found.save(options.output)
        except OSError as error:
            raise InputError(f"{options.output}: cannot be written ({error.strerror})") from None
    fields = {"goal": found.goal(), "lines": found.size(), "case_splits": goal.splits, "method": found.method, "counterexample": None,
              "derivation": options.output}
    counts = f"{found.size()} lines, {goal.splits} case splits, found by {found.method}, accepted by the checker"
    lines = [clipped(found.goal(), 200), counts + (f", written to {options.output}" if options.output else "")]
    if options.explain:
        lines += found.explain().split("\n")
    return Answer("equivalent", fields, tuple(lines))


def _check(options: Namespace) -> Answer:
    writes_nothing(options)
    return derivation_answer(options.derivation)


def derivation_answer(path: str) -> Answer:
    """Accept or reject a derivation file."""
    import zlib

    from exactrelu.checker import Malformed, Rejected
    from exactrelu.checker.derivation import check_derivation
    from exactrelu.checker.derivation.__main__ import lines

    try:
        goal = check_derivation(lines(path))
    except (Rejected, MemoryError) as error:
        reason = str(error) or "too much memory"
        return Answer("rejected", {"claim": None, "reason": reason}, (f"reason: {reason}",), REFUTED)
    except (Malformed, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{path}: malformed derivation: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    fields = {"claim": {"kind": "derivation", "goal": goal.text()}, "lines": goal.lines, "case_splits": goal.splits}
    return Answer("accepted", fields, (clipped(goal.text(), 400), f"{goal.lines} lines, {goal.splits} case splits"))
