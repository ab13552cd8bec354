"""Small derivations written by hand, and what it takes to forge them."""

import json
from typing import Any

HEADER = '{"format":"exactrelu/derivation","version":1}\n'
Line = list[Any] | dict[str, Any]


def document(*lines: Line | str) -> list[str]:
    """The lines of a file: the header, then canonical JSON for lists and objects, texts as they are."""
    written = [one if isinstance(one, str) else json.dumps(one, sort_keys=True, separators=(",", ":")) + "\n" for one in lines]
    return [HEADER, *written]


X, Y, Z0, ONE = ["var", "x"], ["var", "y"], ["0"], ["1"]

# x + 0 = x by A3; terms: 0 ?x, 1 x, 2 "0", 3 x + 0
UNIT: list[Line] = [["axiom", "A3"], ["var", "?x"], X, ["inst", 0, 0, 1], Z0, ["oplus", 1, 2], {"goal": [3, 1], "line": 1}]

# x * y <= ... : both cases of a split prove (x * y) + 0 = x * y, each with its hypothesis used once
SPLIT: list[Line] = [
    X, Y, ["odot", 0, 1], ["oplus", 0, 1], ["0"], ["1"],  # 2: x*y, 3: x+y
    ["assume", 2, 4],  # 0: x*y = 0
    ["assume", 3, 5],  # 1: x+y = 1
    ["oplus", 2, 4],  # 6: (x*y) + 0
    ["axiom", "A3"],  # 2
    ["var", "?x"],  # 7
    ["inst", 2, 7, 2],  # 3: (x*y) + 0 = x*y
    ["sym", 0],  # 4: 0 = x*y
    ["trans", 3, 0, 4],  # 5: x*y = 0 |- (x*y) + 0 = x*y
    ["sym", 1],  # 6
    ["refl", 6],  # 7
    ["trans", 7, 3],  # 8
    ["split", 0, 1, 5, 8],  # 9
    {"goal": [6, 2], "line": 9},
]
