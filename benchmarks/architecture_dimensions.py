"""The functional dimensions of many architectures: the table of docs/theory/functional_dimension.md.

    python benchmarks/architecture_dimensions.py [SAMPLES]

For every architecture SAMPLES (default 200) sampled parameters, then up to ten times as many until N - H is reached.
One Markdown row each.  Rows are written by this program only.
"""

from __future__ import annotations

import sys

from exactrelu.identifiability.architecture_dimension import architecture_dimension
from exactrelu.network.architecture import Architecture
from exactrelu.polyhedra.domain import Domain

ARCHITECTURES = (
    (1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 1), (1, 1, 1, 1), (1, 1, 1, 1, 1), (1, 2, 2, 1), (1, 3, 2, 1), (1, 2, 3, 1), (1, 3, 3, 1),
    (1, 2, 2, 2, 1), (1, 1, 2, 1), (1, 2, 1, 1), (2, 1, 1), (2, 2, 1), (2, 3, 1), (2, 4, 1), (2, 2, 2), (2, 2, 3), (2, 1, 1, 1),
    (2, 1, 1, 1, 1), (2, 1, 2, 1), (2, 1, 3, 1), (2, 2, 1, 1), (2, 2, 1, 1, 1), (2, 3, 1, 1), (2, 2, 2, 1), (2, 2, 3, 1), (2, 3, 2, 1),
    (2, 3, 3, 1), (2, 4, 2, 1), (2, 2, 4, 1), (2, 2, 2, 2), (2, 2, 1, 2, 1), (2, 3, 1, 2, 1), (2, 3, 1, 3, 1), (2, 2, 2, 1, 1),
    (2, 2, 2, 2, 1), (2, 3, 2, 2, 1), (2, 2, 3, 2, 1), (3, 1, 1), (3, 2, 1), (3, 3, 1), (3, 1, 3, 1), (3, 2, 1, 1), (3, 2, 2, 1),
    (3, 3, 2, 1), (3, 2, 3, 1), (3, 3, 3, 1), (3, 3, 3, 2), (3, 2, 2, 2), (4, 2, 2, 1), (4, 3, 2, 1), (4, 4, 1),
)


def row(widths: tuple[int, ...], samples: int) -> str:
    """One row of the table."""
    architecture, domain = Architecture(widths), Domain.box(widths[0], [(-200, 200)] if widths[0] == 1 else [(-12, 12)])
    found = architecture_dimension(architecture, domain, samples=samples, stop=False)
    best, note = found.lower, f"{found.hits}/{samples}"
    if not found.exact:
        more = architecture_dimension(architecture, domain, samples=10 * samples, seed=1)
        if more.lower > best:
            best, note = more.lower, f"{note}; 1/{more.samples}"
    relation = "=" if best == architecture.expected_dimension else ">="
    return (f"| {widths} | {architecture.parameters} | {architecture.hidden_neurons} | {architecture.expected_dimension} "
            f"| {relation} {best} | {note} |")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print("| architecture | N | H | N - H | dimension | reached in |\n|---|---|---|---|---|---|")
    for case in ARCHITECTURES:
        print(row(case, count), flush=True)
