"""Planted faults in the kinds about what f shows of its parameter (see `test_faults`)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checker.test_faults import GOLDEN, PROGRAM, SOURCE

GEOMETRY, SEARCH = "claims/function_geometry.py", "claims/supertransversal.py"
SHALLOW, TWO, DRAW = "claims/shallow_fiber.py", "claims/two_layers.py", "claims/randomized.py"
KERNELS = "claims/kernels.py"

FAULTS = {
    "boundary points are germs": (GEOMETRY, "all(dot(wall, x) > 0", "all(dot(wall, x) >= 0"),
    "germs with dependent rows": (GEOMETRY, "and here.codimension == count", ""),
    "all facets visible": (
        GEOMETRY,
        "self._known[key] = any(path_weight(self.network, code, neuron))",
        "self._known[key] = True",
    ),
    "ambiguous ridge glued": (GEOMETRY, "if bent and off != on and (beta > 0) == on:", "if False:"),
    "ambiguous on the other side": (GEOMETRY, "(beta > 0) == on:", "(beta > 0) != on:"),
    "arc without bend": (
        GEOMETRY,
        "(v_on if on else v_off, w_on)] if beta",
        "(v_on if on else v_off, w_on)] if bent",
    ),
    "classes not joined": (
        GEOMETRY,
        "            self._glued.join(w_off, w_on)",
        "            pass",
    ),
    "lo not carried on": (GEOMETRY, "result[q] = max(result[q], result[p] + 1)", "pass"),
    "down from the wrong end": (GEOMETRY, "self.down[q] + 1)", "self.down[q])"),
    "depth not compared": (GEOMETRY, 'require(longest >= index(claim["depth"]),', "require(True,"),
    "points outside": (SEARCH, "require(inside, ", "require(True, "),
    "points of no class": (SEARCH, "x.code & c == x.code", "x.code & c == c"),
    "too few rows": (SEARCH, "require(shown == width, few)", "pass"),
    "classes not shared out": (SEARCH, "len(space) > 1), key=len)", "False), key=len)"),
    "one distribution only": (SEARCH, "[*groups, space]", "groups"),
    "one orientation": (
        SEARCH,
        "((k + 1, n + k + 1), (n + k + 1, k + 1))",
        "((k + 1, n + k + 1),)",
    ),
    "layers not raised": (SEARCH, "max(low, layer + 1)", "low"),
    "always raised": (SEARCH, "low if known else max", "max"),
    "second candidate": (
        SEARCH,
        "require(equivalent_to(self.network, layers, output),",
        "require(True,",
    ),
    "output not unique": (SEARCH, "all(len(space) == 1 for space in spaces)", "True"),
    "wrong scale": (SEARCH, "Fraction(divisor, denominator)", "Fraction(denominator, divisor)"),
    "cut nothing": (KERNELS, "        if k != at:", "        if True:"),
    "hyperplane of another neuron": (SHALLOW, "j in here.neurons and any(rows[j])", "here.neurons"),
    "constant neuron": (SHALLOW, "and any(rows[j])", ""),
    "outgoing weights": (SHALLOW, "all(map(any, columns))", "True"),
    "coincident hyperplanes": (SHALLOW, "require(different, ", "require(True, "),
    "flips of columns alone": (
        SHALLOW,
        "[v * w for v in columns[i] for w in rows[i]]",
        "columns[i]",
    ),
    "number of classes": (SHALLOW, 'require(found == index(claim["classes"]),', "require(True,"),
    "orientations of one kind": (SHALLOW, "and w * v < 0", ""),
    "levels of both signs": (SHALLOW, "w * b < 0 and v * c < 0 and", ""),
    "equal levels": (SHALLOW, "require(b * v != c * w,", "require(True,"),
    "levels unseen": (SHALLOW, 'require(on, "a point', 'require(True, "a point'),
    "no jump": (SHALLOW, "any(q for _, q in slopes)", "True"),
    "another orientation": (SHALLOW, "any(p + q for p, q in slopes)", "True"),
    "invisible facets": (TWO, "require(seen, ", "require(True, "),
    "covers ignored": (TWO, "require(most > network.widths[2],", "require(True,"),
    "flips ignored": (TWO, "require(unique, ", "require(True, "),
    "closure ignored": (TWO, "require(reaches_all(network, facets, ridges),", "require(True,"),
    "few bits": (DRAW, "require(bits >= needed,", "require(True,"),
    "off the grid": (DRAW, "k.denominator == 1 and 0 <= k < 1 << bits", "k.denominator == 1"),
    "between the grid": (DRAW, "k.denominator == 1 and 0 <= k", "0 <= k"),
    "other signs": (DRAW, "require(here.code == before.code,", "require(True,"),
    "zero at a sample": (DRAW, "require(not here.zeros,", "require(True,"),
    "rank of the samples": (DRAW, "require(rank == len(samples) == full,", "require(True,"),
    "more samples than the rank": (DRAW, "rank == len(samples) == full", "rank == full"),
    "uniqueness of the draw": (DRAW, "    check_unique(", "    (lambda *_: None)("),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_noticed(name: str, tmp_path: Path) -> None:
    file, old, new = FAULTS[name]
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
