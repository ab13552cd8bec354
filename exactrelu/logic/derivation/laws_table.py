"""The table of derivations of the textbook laws: ``python -m exactrelu.logic.derivation.laws_table FILE``."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from exactrelu.errors import InvariantError
from exactrelu.logic.derivation.proof import Proof
from exactrelu.logic.derivation.prove import prove
from exactrelu.logic.derivation.textbook import AXIOMS, LAWS, Law, stated

HEAD = """# Laws of Lukasiewicz logic and their derivations

Every line below is an equation that `exactrelu` derives from Chang's axioms A1-A6, the definitions of the connectives, and
V1, V2, R1 for the divisible and the Riesz language. *Lines* counts the proof lines of the derivation file, lemmas included;
*splits* the case splits in it; *pure* the lines after all case splits have been removed, which leaves equational logic.
Derivations found by rewriting are meant to be read, the others come from the complete procedure and rest on a
common stock of about 500 lines. The table is written by `python -m exactrelu.logic.derivation.laws_table FILE`, and every
derivation in it has been accepted by the checker.

"""


def table(laws: Iterable[Law]) -> list[str]:
    """The rows for some laws; every derivation is checked, with and without case splits."""
    rows = ["| law | equation | lines | splits | pure | found by |", "|---|---|---:|---:|---:|---|"]
    for law in laws:
        proof = prove(*stated(law))
        if not isinstance(proof, Proof):
            raise InvariantError(f"no derivation of {law[0]}: {proof}")
        goal, pure = proof.check(), proof.to_axioms().check()
        if pure.splits:
            raise InvariantError(f"case splits are left in {law[0]}")
        equation = proof.goal().replace("|", "\\|")
        rows.append(f"| {law[0]} | `{equation}` | {goal.lines} | {goal.splits} | {pure.lines} | {proof.method} |")
    return rows


def text() -> str:
    """The whole document."""
    parts = ["## Axioms and definitions", "", *table(AXIOMS), "", "## Consequences", "", *table(LAWS)]
    return HEAD + "\n".join(parts) + "\n"


def main(arguments: list[str]) -> None:
    """Write the document to the file named."""
    document = text()
    with open(arguments[0], "w", encoding="utf-8") as file:
        file.write(document)


if __name__ == "__main__":
    main(sys.argv[1:])
