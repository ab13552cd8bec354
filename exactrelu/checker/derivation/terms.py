"""The term table: every formula is stored once, so that equal formulas are equal numbers.

A term is its number in the table; entry k is (op, data, arguments) with arguments < k.  Walks are
loops over distinct terms: neither depth nor the size of the unfolded tree matters.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from exactrelu.checker.derivation.meter import Meter

Node = tuple[str, str | int | Fraction | None, tuple[int, ...]]
ARITY = {
    "var": 0,
    "0": 0,
    "1": 0,
    "neg": 1,
    "oplus": 2,
    "odot": 2,
    "imp": 2,
    "vee": 2,
    "wedge": 2,
    "delta": 1,
    "scale": 1,
}
SIGNS = {"oplus": "+", "odot": "*", "imp": "->", "vee": "|", "wedge": "&"}


class Terms:
    """The table of one derivation."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.nodes: list[Node] = []
        self._number: dict[Node, int] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, term: int) -> Node:
        return self.nodes[term]

    def make(self, op: str, *arguments: int, data: str | int | Fraction | None = None) -> int:
        """The number of this term; a new one if there is none yet."""
        node = (op, data, arguments)
        number = self._number.get(node)
        if number is None:
            number = len(self.nodes)
            self.meter.term(number)
            self.nodes.append(node)
            self._number[node] = number
        return number

    def fold(self, count: int, term: int) -> int:
        """term (+) ... (+) term, `count` >= 1 of them, bracketed from the left."""
        result = term
        for _ in range(count - 1):
            result = self.make("oplus", result, term)
        return result

    def below(self, roots: Sequence[int]) -> list[int]:
        """The distinct terms that occur in the roots, arguments first."""
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            term = stack.pop()
            if term not in seen:
                seen.add(term)
                stack += self.nodes[term][2]
        self.meter.spend(len(seen))
        return sorted(seen)

    def rebuild(self, order: Sequence[int], image: dict[int, int]) -> None:
        """Extend `image` from replaced terms to all terms of `order` (arguments come first)."""
        self.meter.spend(len(order))
        for term in order:
            if term not in image:
                op, data, arguments = self.nodes[term]
                if arguments:
                    mapped = tuple([image[k] for k in arguments])
                    same = mapped == arguments
                    image[term] = term if same else self.make(op, *mapped, data=data)
                else:
                    image[term] = term

    def replaced(self, term: int, changes: Mapping[int, int]) -> int:
        """The term with every outermost occurrence of a key of `changes` replaced."""
        image = dict(changes)
        seen = set(image)
        stack = [term]
        order = []
        while stack:
            k = stack.pop()
            if k not in seen:
                seen.add(k)
                order.append(k)
                stack += self.nodes[k][2]
        self.rebuild(sorted(order), image)
        return image[term]

    def shared(self, roots: Sequence[int]) -> tuple[tuple[Node, ...], tuple[int, ...]]:
        """The terms below the roots as a table of their own, and the roots in it."""
        order = self.below(roots)
        place = {term: k for k, term in enumerate(order)}
        nodes = (self.nodes[term] for term in order)
        table = tuple((op, data, tuple([place[k] for k in args])) for op, data, args in nodes)
        return table, tuple(place[root] for root in roots)


def text(nodes: Sequence[Node], root: int, longest: int = 2_000) -> str:
    """A term of a shared table with all brackets; `...` stands for what would be too long."""
    if root > 10 * longest:
        return "..."
    written: list[str] = []
    for op, data, arguments in nodes[: root + 1]:
        parts = [written[k] for k in arguments]
        if op == "var":
            word = str(data)
        elif op == "neg":
            word = "~" + parts[0]
        elif op == "delta":
            word = f"/{data} {parts[0]}"
        elif op == "scale":
            word = f"[{data}]{parts[0]}"
        elif op in SIGNS:
            word = f"({parts[0]} {SIGNS[op]} {parts[1]})"
        else:
            word = op
        written.append(word if len(word) <= longest else "...")
    return written[root]
