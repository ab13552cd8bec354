"""The accepted corpus: small true documents of every kind, many of them degenerate.

`python -m tests.checker.corpus` rewrites tests/golden/accepted (the files named engine_* come
from elsewhere and stay).
"""

from fractions import Fraction as F
from typing import Any

from tests.checker import corpus_conservation, corpus_fibers, corpus_identifiability, corpus_shallow
from tests.checker.producers import (
    GOLDEN,
    Net,
    box,
    by_facet_pairs,
    changed,
    dimension_at_least,
    dimension_at_most,
    document,
    dumps,
    equal,
    face,
    full_cells,
    linear_regions,
    locally_identifiable,
    moves,
    network,
    no_cancellation,
    not_identifiable,
    supertransversality,
    values,
    whole_complex,
    witness,
)

ONE = network(([[1]], [0]), ([[1]], [0]))
LINES = network(([[1, 0], [0, 1]], [0, 0]), ([[2, 3]], [1]))
CONCURRENT = network(([[1, 0], [0, 1], [1, 1]], [0, 0, 0]), ([[2, 3, 5]], [1]))
TWO_LAYERS = network(([[1, 0], [1, 2]], [-1, 1]), ([[1, -2], [2, 1]], [1, -3]), ([[1, -1]], [2]))
# z_2 = 2 ReLU(x) + ReLU(1 - x) - 1 is |x| near x = 0: it vanishes there and does not bend
TOUCH = network(([[1], [-1]], [0, 1]), ([[2, 1]], [-1]), ([[1]], [0]))
DEAD = network(([[1, 1]], [0]), ([[-1]], [-1]), ([[1]], [0]))
CANCEL = network(([[1, 0], [0, 1]], [0, 4]), ([[1, 1]], [9]), ([[0]], [1]))
HIDDEN = network(([[1, 0], [0, 1]], [0, 4]), ([[0, 1]], [1]), ([[1]], [1]))
OPPOSITE = network(([[1], [-1]], [0, 0]), ([[1, -1]], [0]))
TWINS = network(([[1], [1]], [0, 0]), ([[1, 2]], [0]))


def three_ray(row: list[int], bias: int, second: Any, last: Any) -> Net:
    return network(([row, [1, 0], [0, 1]], [bias, 4, 4]), second, last)


RAY_A = three_ray([1, -1], 0, ([[1, 0, 1], [0, 2, 3]], [-4, 1]), ([[1, 1]], [-21]))
RAY_B = three_ray([0, 1], 0, ([[1, -1, 0], [0, 3, 3]], [4, 1]), ([[1, 1]], [-25]))
RAY_BOX = box((-2, 3), (-3, 2))
# a dead neuron (row below 0 on the domain), a zero column, a zero row, and twins, all together
MESSY = network(
    ([[1, 1], [1, 1], [1, 0], [0, 1]], [0, 0, -9, 1]),
    ([[1, 2, 0, 3], [0, 0, 0, 0]], [-1, 0]),
    ([[2, 5]], [1]),
)
# rows known up to scale only: all entries of layer 2 come from the zero-row neurons of layer 1
FLOPPY = network(([[0], [0]], [0, 0]), ([[1, 1], [3, 1]], [0, 0]), ([[1, 1]], [0]))
SQUARE = box((0, 1), (0, 1))
CORNER = box((F(-7, 2), F(13, 5)), (F(-5, 2), F(9, 4)))


def documents() -> dict[str, dict[str, Any]]:
    """The accepted corpus."""
    copy, evidence = moves(TWO_LAYERS, [[1, 0], [1, 0]], [[2, F(1, 3)], [F(5, 7), 3]])
    floppy_copy, floppy_moves = moves(FLOPPY, [[0, 1], [0, 1]], [[3, 1], [F(1, 3), 1]])
    off = changed(copy, 2, 0, None, F(1, 9))
    messy_copy, _ = moves(MESSY, [[2, 0, 3, 1], [1, 0]], [[1, 2, 3, 4], [1, 1]])
    dead = changed(MESSY, 1, 0, 2, 7)
    zero_column = changed(TWO_LAYERS, 2, 0, 0, 0)
    moved_row = changed(zero_column, 1, 0, 1, 3)
    heavier = network(([[1], [1]], [0, 0]), ([[2, 1]], [0]))
    twins_moved = network(([[1], [1]], [0, 0]), ([[F(3, 2), F(3, 2)]], [0]))
    always = network(([[1, 0], [0, 1]], [1, 1]), ([[1, 1]], [-2]))
    shifted = network(([[1, 0], [0, 1]], [2, 1]), ([[1, 1]], [-3]))
    block = network(([[1, 1], [0, 1]], [1, 1]), ([[1, 0]], [-1]))
    flip = network(([[1], [-1]], [0, 0]), ([[1, -1]], [0]))
    flipped = network(([[2], [-2]], [0, 0]), ([[F(1, 2), F(-1, 2)]], [0]))
    orientation = (
        network(([[1, 0], [0, 1], [1, 1]], [0, 0, 0]), ([[1, 1, -1]], [0])),
        network(([[-1, 0], [0, -1], [-1, -1]], [0, 0, 0]), ([[1, 1, -1]], [0])),
    )
    return {
        "values": values(TWO_LAYERS, [F(1, 3), F(-2, 7)]),
        "face_concurrent": face(CONCURRENT, None, [0, 0]),
        "face_touch": face(TOUCH, None, [0]),
        "face_interior": face(TWO_LAYERS, CORNER, [0, 0]),
        "cells_concurrent": full_cells(CONCURRENT, None),
        "cells_two_layers": full_cells(TWO_LAYERS, CORNER),
        "cells_dead": full_cells(DEAD, None),
        "cells_floppy": full_cells(FLOPPY, None),
        "complex_lines": whole_complex(LINES, None),
        "complex_two_layers": whole_complex(TWO_LAYERS, CORNER),
        "complex_plane": whole_complex(TWO_LAYERS, None),
        "complex_lineality": whole_complex(DEAD, None),
        "complex_hidden": whole_complex(HIDDEN, CORNER),
        "complex_line": whole_complex(ONE, box((-1, 1))),
        "complex_constant": whole_complex(network(([[0, 0]], [1]), ([[1]], [0])), None),
        "complex_no_layer": whole_complex(network(([[1, 2]], [3])), box((0, 1), (0, 1))),
        "complex_three_layers": whole_complex(
            network(([[1]], [0]), ([[2]], [-1]), ([[-1]], [3]), ([[1]], [0])), None
        ),
        "complex_space": whole_complex(
            network(
                ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]), ([[1, 2, 3]], [-1]), ([[1]], [0])
            ),
            None,
        ),
        "zero_count_concurrent": witness("zero-count-fails", CONCURRENT, None, [0, 0]),
        "zero_count_touch": witness("zero-count-fails", TOUCH, None, [0]),
        "zero_count_full_cell": witness("zero-count-fails", FLOPPY, None, [5]),
        "supertransversality": supertransversality(CONCURRENT, None, [0, 0]),
        "supertransversality_twins": supertransversality(TWINS, box((-1, 1)), [0]),
        "transparency": witness("transparency-fails", DEAD, None, [0, 0], layer=2),
        "transparency_boundary": witness("transparency-fails", ONE, box((0, 1)), [0], layer=1),
        "hidden_facet": witness("hidden-facet", HIDDEN, CORNER, [0, 1], neuron=0),
        "hidden_facet_output": witness("hidden-facet", CANCEL, None, [0, 1], neuron=0),
        "no_cancellation": no_cancellation(HIDDEN, CORNER, [0, 1]),
        "no_cancellation_flip": no_cancellation(OPPOSITE, None, [0]),
        "regions_adjacent": linear_regions(HIDDEN, CORNER, "adjacent"),
        "regions_strong": linear_regions(HIDDEN, CORNER, "strong"),
        "dimension_at_least": dimension_at_least(TWO_LAYERS, CORNER),
        "dimension_at_least_no_layer": dimension_at_least(network(([[1, 2]], [3])), None),
        "locally_identifiable": locally_identifiable(LINES, None),
        "dimension_at_most": dimension_at_most(ONE, box((-1, 1))),
        "dimension_at_most_block": dimension_at_most(block, SQUARE),
        "facet_pairs_lines": by_facet_pairs(LINES, None, 7),
        "facet_pairs_two_layers": by_facet_pairs(TWO_LAYERS, CORNER, 9),
        "facet_pairs_local": by_facet_pairs(LINES, None, None),
        "facet_pairs_no_layer": by_facet_pairs(network(([[1, 2]], [3])), None, 3),
        "equal_copy": equal(TWO_LAYERS, copy, CORNER),
        "different": document(
            "different",
            {"a": TWO_LAYERS, "b": off, "domain": CORNER, "point": ["2", "-1"]},
            {},
        ),
        "equivalent": document("equivalent", {"a": TWO_LAYERS, "b": copy}, {"moves": evidence}),
        "equivalent_floppy": document(
            "equivalent", {"a": FLOPPY, "b": floppy_copy}, {"moves": floppy_moves}
        ),
        "inequivalent": document("inequivalent", {"a": TWO_LAYERS, "b": off}, {}),
        "inequivalent_shapes": document("inequivalent", {"a": ONE, "b": TWINS}, {}),
        "inequivalent_twins": document("inequivalent", {"a": TWINS, "b": twins_moved}, {}),
        "inequivalent_messy": document("inequivalent", {"a": messy_copy, "b": dead}, {}),
        "not_identifiable_rays": not_identifiable(RAY_A, RAY_B, RAY_BOX),
        "not_identifiable_dead": not_identifiable(MESSY, dead, SQUARE),
        "not_identifiable_zero_column": not_identifiable(zero_column, moved_row, None),
        "not_identifiable_twins": not_identifiable(heavier, twins_moved, None),
        "not_identifiable_bias_shift": not_identifiable(always, shifted, SQUARE),
        "not_identifiable_block": not_identifiable(always, block, SQUARE),
        "not_identifiable_flips": not_identifiable(*orientation, None),
        "equal_flip": equal(flip, flipped, None),
        **corpus_identifiability.documents(),
        **corpus_fibers.documents(),
        **corpus_conservation.documents(),
        **corpus_shallow.documents(),
    }


def main() -> None:
    folder = GOLDEN / "accepted"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in documents().items():
        (folder / f"{name}.json").write_text(dumps(content))


if __name__ == "__main__":
    main()
