"""Planted faults: each one-line change of the checker is noticed by the golden documents.

A fault is killed if the changed checker accepts a forged document, refuses an accepted one,
crashes, or gives another verdict than the one recorded.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import exactrelu.checker
from tests.checker.fiber_faults import FIBER_FAULTS
from tests.checker.forged_conservation import CONSERVATION_FAULTS
from tests.checker.forged_shallow import SHALLOW_FAULTS
from tests.checker.identifiability_faults import IDENTIFIABILITY_FAULTS

SOURCE = Path(exactrelu.checker.__file__).parent
GOLDEN = Path(__file__).resolve().parents[1] / "golden"
PROGRAM = """
import json, pathlib, sys
from exactrelu.checker import Malformed, Rejected, check
from exactrelu.checker.document import LIMITS
golden = pathlib.Path(sys.argv[1])
index = json.loads((golden / "forged.json").read_text())
cases = [(p, "accepted", {}) for p in sorted((golden / "accepted").glob("*.json"))]
cases += [(golden / "forged" / (n + ".json"), e["verdict"], e) for n, e in index.items()]
for path, expected, entry in cases:
    old = dict(LIMITS)
    LIMITS.update(entry.get("limits", {}))
    try:
        check(path.read_bytes(), entry.get("claim"))
        found = "accepted"
    except Rejected:
        found = "rejected"
    except Malformed:
        found = "malformed"
    except Exception as error:
        found = repr(error)
    LIMITS.update(old)
    if found != expected:
        print(path.stem, expected, found)
        break
"""

FAULTS = {
    "negative multipliers": ("cover.py", "if any(n < 0 for n in numerators):", "if False:"),
    "constant ignored": ("cover.py", "row[0] * denominator >= dot", "True or dot"),
    "leaf point unchecked": (
        "cover.py",
        "x[0] > 0 and all(dot(row, x) > 0 for row in rows)",
        "True",
    ),
    "leaf point on walls": ("cover.py", "dot(row, x) > 0 for row", "dot(row, x) >= 0 for row"),
    "sign of row": ("cover.py", "row if positive else opposite, rows", "row, rows"),
    "support later": ("cover.py", "0 <= i < len(rows) for i", "i < len(rows) for i"),
    "tree goes on": ("cover.py", "next(tokens, None) is None", "True"),
    "split sides": ("cover.py", "(False, [*rows, opposite])", "(False, [*rows, row])"),
    "zero is active": (
        "network.py",
        "if z > 0:\n                    mask",
        "if z >= 0:\n                    mask",
    ),
    "boundary is interior": (
        "network.py",
        "dot(wall, x) > 0 for wall",
        "dot(wall, x) >= 0 for wall",
    ),
    "code order": ("network.py", "self.code & other.code == self.code", "True"),
    "codimension by count": (
        "network.py",
        "return rank(row[1:] for _, row in self.zeros)",
        "return len(self.zeros)",
    ),
    "minus zero": ("document.py", 'or value == "-0" ', ""),
    "lowest terms": ("document.py", "gcd(p, q) != 1", "q < 1"),
    "t not positive": ("document.py", "entries[0] > 0", "entries[0] != 0"),
    "true is 1": (
        "document.py",
        "if type(value) is not int or not 0",
        "if not isinstance(value, int) or not 0",
    ),
    "rays unchecked": ("claims/skeleton.py", "require(ray, ", "require(True, "),
    "vertex outside": ("claims/skeleton.py", "require(z >= 0, ", "require(True, "),
    "vertex items": ("claims/skeleton.py", "require(found == dimension, ", "require(True, "),
    "vertices dependent": ("claims/skeleton.py", "require(independent, ", "require(True, "),
    "vertex twice": ("claims/skeleton.py", "require(code not in self.zeros, ", "require(True, "),
    "cells on the boundary": ("claims/skeleton.py", "interior |= 1 << 2 * item", "pass"),
    "bending in one cell": ("claims/geometry.py", "require(changes, ", "require(True, "),
    "facet elsewhere": ("claims/geometry.py", "require(here.below(facet), ", "require(True, "),
    "any three points": (
        "claims/geometry.py",
        "require(codimensions == [1, 0, 0], ",
        "require(True, ",
    ),
    "list not increasing": ("claims/geometry.py", "if any(a >= b for", "if any(a > b for"),
    "not more bending": ("claims/genericity.py", "len(bending) > here", "len(bending) >= here"),
    "later layer dead": ("claims/genericity.py", "require(alive, f", "require(True, f"),
    "hidden, dead behind": ("claims/genericity.py", 'require(alive, "a', 'require(True, "a'),
    "regions in one cell": (
        "claims/genericity.py",
        "require(one.code != two.code, ",
        "require(True, ",
    ),
    "layer from 0": (
        "claims/genericity.py",
        "[layer - 1]",
        "[min(layer, network.depth) - 0 - (layer == network.depth)]",
    ),
    "maps not compared": ("claims/equivalence.py", 'require(same, "two', 'require(True, "two'),
    "empty interior": ("claims/equivalence.py", "require(interior, ", "require(True, "),
    "negative scale": ("claims/equivalence.py", "require(min(scale) > 0, ", "require(True, "),
    "last row unchecked": ("claims/equivalence.py", "require(same, f", "require(same or k, f"),
    "ties untried": (
        "claims/equivalence.py",
        "            yield order",
        "            yield order; return",
    ),
    "signs as twins": (
        "claims/equivalence.py",
        "place if place in loose else",
        "0 if place in loose else",
    ),
    "scalings unchecked": ("claims/equivalence.py", "elif factor[other] != wanted:", "elif False:"),
    "rigid everywhere": (
        "claims/equivalence.py",
        "if i in s and k in s else w > 0",
        "if i in s and k in s else w",
    ),
    "zero neuron at a sample": (
        "claims/functional_dimension.py",
        "require(not here.zeros, ",
        "require(True, ",
    ),
    "kernel unchecked": ("claims/functional_dimension.py", "require(killed, ", "require(True, "),
    "kernel dependent": (
        "claims/functional_dimension.py",
        "require(rank_modulo(kill) == len(kill), ",
        "require(True, ",
    ),
    "pair differs elsewhere": ("claims/facet_pairs.py", "require(one == two, ", "require(True, "),
    "pair without weight": (
        "claims/facet_pairs.py",
        "require(self.visible(one, layer, i), ",
        "require(True, ",
    ),
    "pair on a facet": (
        "claims/facet_pairs.py",
        "require(all(all(values) for values in z[:-1]), ",
        "require(True, ",
    ),
}


ALL_FAULTS = {**FAULTS, **IDENTIFIABILITY_FAULTS, **FIBER_FAULTS, **CONSERVATION_FAULTS, **SHALLOW_FAULTS}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_FAULTS)
def test_fault_is_noticed(name: str, tmp_path: Path) -> None:
    file, old, new = ALL_FAULTS[name]
    room = tmp_path / "exactrelu"
    shutil.copytree(SOURCE, room / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    (room / "__init__.py").write_text("")
    text = (room / "checker" / file).read_text()
    assert text.count(old) == 1, "the fault has no unique place"
    (room / "checker" / file).write_text(text.replace(old, new))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(GOLDEN)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout or done.returncode, "the golden documents do not notice"


def test_the_checker_itself_has_no_fault() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(GOLDEN)],
        cwd=SOURCE.parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stdout


def test_recorded_verdicts_are_refusals() -> None:
    index = json.loads((GOLDEN / "forged.json").read_text())
    assert {entry["verdict"] for entry in index.values()} == {"malformed", "rejected"}
