"""Documents that must be refused, each failing exactly where its name says.

`python -m tests.checker.forgeries` rewrites tests/golden/forged (one file a document) and
tests/golden/forged.json (verdict, message, and the limits or the claim it is checked with).
"""

import json
from typing import Any

from tests.checker import (
    forged_algebra,
    forged_conservation,
    forged_fibers,
    forged_form,
    forged_geometry,
    forged_identifiability,
    forged_shallow,
)
from tests.checker import producers as P
from tests.checker.forgery import Forgery


def forgeries() -> list[Forgery]:
    groups = (
        forged_form.bytes_forgeries,
        forged_form.number_forgeries,
        forged_geometry.cover_forgeries,
        forged_geometry.geometry_forgeries,
        forged_geometry.genericity_forgeries,
        forged_algebra.dimension_forgeries,
        forged_algebra.equivalence_forgeries,
        forged_identifiability.geometry_of_f_forgeries,
        forged_identifiability.supertransversal_forgeries,
        forged_identifiability.two_layers_forgeries,
        forged_identifiability.shallow_forgeries,
        forged_identifiability.width_one_forgeries,
        forged_identifiability.randomized_forgeries,
        forged_fibers.local_forgeries,
        forged_fibers.tight_forgeries,
        forged_fibers.covering_forgeries,
        forged_fibers.front_forgeries,
        forged_conservation.conservation_forgeries,
        forged_shallow.shallow_function_forgeries,
    )
    return [forgery for group in groups for forgery in group()]


def main() -> None:
    folder = P.GOLDEN / "forged"
    folder.mkdir(parents=True, exist_ok=True)
    index: dict[str, Any] = {}
    for f in forgeries():
        (folder / f"{f.name}.json").write_bytes(f.text)
        entry: dict[str, Any] = {"verdict": f.verdict, "message": f.message}
        if f.limits:
            entry["limits"] = f.limits
        if f.claim is not None:
            entry["claim"] = f.claim
        index[f.name] = entry
    text = json.dumps(index, indent=1, sort_keys=True, ensure_ascii=True)
    (P.GOLDEN / "forged.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
