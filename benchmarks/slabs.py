"""Success and time of `construct slab`.

    python benchmarks/slabs.py [wide]

All architectures with 2 to 4 hidden layers of widths 2 and 3, inputs 2 to 4 and one output; with `wide`, those of width 4
besides, and width 2 up to 8 hidden layers.  One Markdown row each, then the summary.  Certification and checks included.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from statistics import median

from exactrelu.constructions.slab import slab
from exactrelu.errors import ExactReluError
from exactrelu.network.architecture import Architecture


def architectures(wide: bool) -> Iterator[tuple[int, ...]]:
    """The architectures of the sweep."""
    if wide:
        for depth in range(1, 9):
            yield (2, *[2] * depth, 1)
        for inputs, depth in product((2, 3, 4), (1, 2, 3, 4)):
            for hidden in product((2, 4), repeat=depth):
                if 4 in hidden:
                    yield (inputs, *hidden, 1)
        return
    for depth, inputs in product((2, 3, 4), (2, 3, 4)):
        for hidden in product((2, 3), repeat=depth):
            yield (inputs, *hidden, 1)


if __name__ == "__main__":
    seconds, tiers = [], Counter[str]()
    print("| architecture | tier | full cells | layers drawn | bits | seconds |\n|---|---|---|---|---|---|")
    for widths in architectures("wide" in sys.argv[1:]):
        start = time.perf_counter()
        try:
            facts = slab(Architecture(widths)).facts
        except ExactReluError as error:
            facts = {"tier": f"failed: {error}"}
        seconds.append(time.perf_counter() - start)
        tiers[facts["tier"]] += 1
        row = [facts.get(name, "-") for name in ("tier", "full_cells", "layers_drawn", "max_bits")]
        print(f"| {widths} | {' | '.join(map(str, row))} | {seconds[-1]:.2f} |", flush=True)
    print(f"\n{len(seconds)} architectures, {dict(tiers)}; median {median(seconds):.2f} s, worst {max(seconds):.2f} s")
