"""Importing the package costs nothing; importing the checker loads the standard library only."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {"numpy", "flint", "cdd", "sympy", "networkx", "hypothesis", "matplotlib", "onnx", "rich"}
MOST_SECONDS = 0.1


def loaded(statement: str) -> set[str]:
    """Top-level names of what a statement loads in a fresh interpreter, beyond what that interpreter starts with."""
    code = f"import sys; before = set(sys.modules); {statement}; import json; print(json.dumps(sorted(set(sys.modules) - before)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def seconds(statement: str) -> float:
    """Time of a statement, measured inside a fresh interpreter: the start of the interpreter is not part of it."""
    code = f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
    return float(subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("statement", ["import exactrelu", "import exactrelu.checker", "from exactrelu import Network, Domain",
                                       "import exactrelu.network.network", "import exactrelu.testing.registration"])
def test_no_heavy_library_is_loaded(statement: str) -> None:
    assert not HEAVY & {name.partition(".")[0] for name in loaded(statement)}


def test_the_package_loads_nothing_of_itself() -> None:
    assert {name for name in loaded("import exactrelu") if name.startswith("exactrelu")} == {"exactrelu"}


def test_the_checker_loads_the_standard_library_and_itself() -> None:
    found = {name for name in loaded("import exactrelu.checker.__main__") if name.partition(".")[0] not in sys.stdlib_module_names}
    assert not {name for name in found if name != "exactrelu" and not name.startswith("exactrelu.checker")}


def test_importing_takes_no_time() -> None:
    best = 1.0
    for _ in range(8):
        best = min(best, seconds("import exactrelu"))
        if best <= MOST_SECONDS:
            return
    assert best <= MOST_SECONDS


def test_hypothesis_plugin_loads_no_engine() -> None:
    """What `import hypothesis` loads in every project of the environment: the values, and no library of ours."""
    before = loaded("import hypothesis")
    after = loaded("import hypothesis; from exactrelu.testing.registration import _register; _register()")
    new = {name.partition(".")[0] for name in after - before}
    assert not (HEAVY - {"hypothesis"}) & new and "exactrelu.testing.strategies" not in after
