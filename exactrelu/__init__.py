"""Exact rational-arithmetic geometry of ReLU networks.

Names load on first use, so that importing the package (or its checker) loads no engine and no library.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PLACES = {
    "Architecture": "exactrelu.network.architecture",
    "Network": "exactrelu.network.network",
    "Neuron": "exactrelu.network.architecture",
    "Domain": "exactrelu.polyhedra.domain",
    "Limits": "exactrelu.limits",
    "Holds": "exactrelu.certificates.verdict",
    "Fails": "exactrelu.certificates.verdict",
    "Undecided": "exactrelu.certificates.verdict",
    "Certificate": "exactrelu.certificates.certificate",
    "CanonicalComplex": "exactrelu.complexes.canonical_complex",
    "BreakpointComplex": "exactrelu.complexes.breakpoint_complex",
    "TrivialSymmetry": "exactrelu.network.trivial_symmetry",
    "load": "exactrelu.network.files.load",
    "save": "exactrelu.network.files.save",
    "check": "exactrelu.checker",
    "info": "exactrelu.verbs",
    "convert": "exactrelu.verbs",
    "complex": "exactrelu.verbs",
    "dimension": "exactrelu.verbs",
    "certify": "exactrelu.verbs",
    "canonical": "exactrelu.verbs",
    "equivalent": "exactrelu.verbs",
    "equal": "exactrelu.verbs",
    "reconstruct": "exactrelu.verbs",
    "construct": "exactrelu.verbs",
    "extract": "exactrelu.verbs",
    "fiber": "exactrelu.verbs",
    "minimal_width": "exactrelu.verbs",
    "conservation": "exactrelu.verbs",
}
_ROOMS = ("genericity", "dependency")
"""Rooms with the name of a verb: the module is returned, and can be called."""

__all__ = ["__version__", *_PLACES, *_ROOMS]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"exactrelu.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module 'exactrelu' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
