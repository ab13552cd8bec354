"""demo: certify bundled networks, write certificates, check them, and write a page."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactrelu.checker import Rejected, check
from exactrelu.cli.answer import INCONSISTENT, Answer, clipped
from exactrelu.cli.network_verbs import write_text, writes_nothing
from exactrelu.cli.options import limits_of
from exactrelu.errors import InputError, MissingBackend
from exactrelu.network.files.load import SUFFIXES, load
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.report.page import Section, html_page

BUNDLED = (Path(__file__).resolve().parents[1] / "bundled_networks", Path(__file__).resolve().parents[2] / "examples" / "networks")


@dataclass(frozen=True)
class Stop:
    """One stop of the tour."""

    file: str
    box: str | None
    story: str


TOUR = (
    Stop("fc_2-2-3.nnet", None, "a test network of a verifier: its two neurons switch on the same line"),
    Stop("vnncomp_small_1-2-2-1.onnx", None, "a competition test network that repeats its neurons"),
    Stop("twin_ladder_5-10-1.nnet", None, "two copies of the same neurons whose outputs cancel"),
    Stop("ecoli_7-5-5-4.npz", None, "a classifier of protein sites, on all of R^7"),
    Stop("ecoli_7-5-5-4.npz", "0,1", "the same network on its data range [0,1]^7"),
    Stop("iris_4-10-8-6-4-3.npz", None, "a classifier of iris flowers, on all of R^4"),
    Stop("generic_2-4-4-1.json", None, "a network that passes every genericity condition"),
    Stop("slab_2-2-2-2-2-1.json", "-4,8;-2,2", "a deep narrow network on a box"),
)


def bundled(name: str) -> Path:
    """Path of a bundled network file."""
    for folder in BUNDLED:
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"the bundled network {name} is not installed; looked in " + ", ".join(map(str, BUNDLED)))


def _stops(options: Namespace) -> list[tuple[Path, Stop]]:
    if options.networks is None:
        return [(bundled(stop.file), stop) for stop in TOUR]
    folder = Path(options.networks)
    files = sorted(p for p in folder.iterdir() if p.suffix in SUFFIXES) if folder.is_dir() else []
    if not files:
        raise InputError(f"{folder}: no folder with network files ({', '.join(SUFFIXES)})")
    return [(path, Stop(path.name, None, "")) for path in files]


def demo(options: Namespace) -> Answer:
    """Guided tour; every certificate is written, read back and checked."""
    writes_nothing(options)
    folder = Path(options.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror})") from None
    sections, results = [], []
    skipped = []
    for number, (path, stop) in enumerate(_stops(options), 1):
        try:
            network = load(path, decimal=options.decimal)
        except MissingBackend as error:
            skipped.append(f"skipped: {error}")
            continue
        section, result = _visit(options, folder, f"{number:02d}-{path.stem}", network, stop)
        sections.append(section)
        results.append(result)
        if not options.quiet and not options.json:
            print(f"{section.title}\n  {section.verdict}")
            for sentence in section.sentences:
                print("  " + clipped(sentence, 150))
            for name, value in section.rows:
                print(f"  {name}: {clipped(value, 110)}")
            print(flush=True)
    introduction = ("Every number on this page is exact. With each verdict comes a certificate (of the functional dimension, where nothing "
                    "more is decided) that a small independent program, which knows nothing of the engine, has accepted.")
    write_text(str(folder / "report.html"), html_page("exactrelu: a tour", introduction, sections))
    good = all(r["checked"] for r in results)
    lines = (f"{len(results)} networks; certificates and report.html in {folder}", "check one yourself: exactrelu check FILE", *skipped)
    return Answer("checked" if good else "rejected", {"networks": results, "folder": str(folder)}, lines, 0 if good else INCONSISTENT)


def _visit(options: Namespace, folder: Path, name: str, network: Network, stop: Stop) -> tuple[Section, dict[str, Any]]:
    from exactrelu.certification.certify import certify
    from exactrelu.complexes.complex_report import ComplexReport

    d = network.architecture.inputs
    domain = Domain.space(d) if stop.box is None else Domain.parse_box(d, stop.box)
    result = certify(network, domain, seed=options.seed, limits=limits_of(options))
    title = f"{stop.file} {network.architecture} on " + (f"R^{d}" if stop.box is None else f"the box {stop.box}")
    sentences = [text[0].upper() + text[1:] + "." for text in (stop.story, result.reason) if text]
    rows = []
    counts: dict[str, Any] = {}
    if result.dimension.complex is not None:
        counts = ComplexReport(result.dimension.complex).fields()
        rows.append(("cells by dimension", " ".join(map(str, counts["f_vector"]))))
        rows.append(("linear regions", f"{counts['linear_regions']} ({counts['distinct_affine_maps']} distinct affine maps)"))
        failing = [name for name, verdict in result.conditions.verdicts.items() if verdict.word == "fails"]
        rows.append(("genericity", "all conditions hold" if not failing else "fails: " + ", ".join(failing)))
    rows.append(("functional dimension", f"{result.dimension.lower}" + ("" if result.dimension.exact else f" to {result.dimension.upper}")
                 + f" of at most {network.architecture.expected_dimension}"))
    certificate = result.certificate or result.dimension.certificate
    target = folder / f"{name}-{certificate.kind}.json"
    write_text(str(target), certificate.text)
    try:
        checked = check(target.read_text(encoding="ascii"), certificate.claim) == certificate.kind
    except Rejected:
        checked = False
    rows.append(("certificate", f"{target.name}, {len(certificate.text)} bytes, accepted by the checker"))
    figure = _figure(network, domain) if d == 2 else None
    return (Section(title, result.verdict, tuple(sentences), tuple(rows), figure),
            {"file": stop.file, "verdict": result.verdict, "certificate": str(target), "checked": checked, **counts})


def _figure(network: Network, domain: Domain) -> Any:
    from exactrelu.complexes.canonical_complex import CanonicalComplex
    from exactrelu.report.figure import complex_figure

    built = CanonicalComplex.build(network, domain)
    return complex_figure(built if built.bounded.all() else CanonicalComplex.build(network, Domain.box(2, [(-10, 10)])))
