"""Terms of a derivation as numbers in one table.

Entry k is (op, data, arguments) with arguments < k, so equal terms are equal numbers, sorting numbers puts arguments
first, and every walk is a loop over distinct terms.  The operations are those of formulae.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Data = str | int | Fraction | None
Node = tuple[str, Data, tuple[int, ...]]


class TermTable:
    """A growing table of terms.  0 and 1 are the first two entries."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._number: dict[Node, int] = {}
        self.zero = self.make("0")
        self.one = self.make("1")

    def copy(self) -> TermTable:
        """A table that starts with the same terms."""
        other = TermTable.__new__(TermTable)
        other.nodes, other._number = self.nodes[:], self._number.copy()
        other.zero, other.one = self.zero, self.one
        return other

    def make(self, op: str, arguments: tuple[int, ...] = (), data: Data = None) -> int:
        """The number of this term."""
        node = (op, data, arguments)
        number = self._number.get(node)
        if number is None:
            number = self._number[node] = len(self.nodes)
            self.nodes.append(node)
        return number

    def var(self, name: str) -> int:
        """A variable; names that begin with `?` cannot be written in a formula and serve in schemas."""
        return self.make("var", (), name)

    def neg(self, a: int) -> int:
        """~a."""
        return self.make("neg", (a,))

    def plus(self, a: int, b: int) -> int:
        """a (+) b."""
        return self.make("oplus", (a, b))

    def times(self, a: int, b: int) -> int:
        """a (.) b."""
        return self.make("odot", (a, b))

    def fold(self, n: int, a: int) -> int:
        """a (+) ... (+) a, n >= 1 times, bracketed from the left."""
        result = a
        for _ in range(n - 1):
            result = self.plus(result, a)
        return result

    def op(self, term: int) -> str:
        """The connective of a term."""
        return self.nodes[term][0]

    def args(self, term: int) -> tuple[int, ...]:
        """The arguments of a term."""
        return self.nodes[term][2]

    def below(self, roots: Sequence[int]) -> list[int]:
        """All distinct terms that occur in the roots, arguments first."""
        nodes, seen, stack = self.nodes, set[int](), list(roots)
        while stack:
            term = stack.pop()
            if term not in seen:
                seen.add(term)
                stack += nodes[term][2]
        return sorted(seen)

    def rebuild(self, order: Sequence[int], image: dict[int, int]) -> None:
        """Extend `image` from the replaced terms to all terms of `order`."""
        nodes, make = self.nodes, self.make
        for term in order:
            if term not in image:
                op, data, arguments = nodes[term]
                if arguments:
                    mapped = tuple([image[k] for k in arguments])
                    image[term] = term if mapped == arguments else make(op, mapped, data)
                else:
                    image[term] = term

    def replaced(self, term: int, changes: Mapping[int, int]) -> int:
        """The term with all outermost occurrences of keys of `changes` replaced at the same time."""
        nodes, image = self.nodes, dict(changes)
        seen, stack, order = set(image), [term], []
        while stack:
            k = stack.pop()
            if k not in seen:
                seen.add(k)
                order.append(k)
                stack += nodes[k][2]
        self.rebuild(sorted(order), image)
        return image[term]

    def value(self, term: int, point: Callable[[str], Fraction]) -> Fraction:
        """The exact truth value at a point of the cube."""
        one, values = Fraction(1), dict[int, Fraction]()
        for k in self.below([term]):
            op, data, arguments = self.nodes[k]
            a = [values[j] for j in arguments]
            if op == "var":
                values[k] = point(str(data))
            elif op in ("0", "1"):
                values[k] = Fraction(int(op))
            elif op == "neg":
                values[k] = one - a[0]
            elif op == "oplus":
                values[k] = min(one, a[0] + a[1])
            elif op == "odot":
                values[k] = max(one - 1, a[0] + a[1] - 1)
            elif op == "imp":
                values[k] = min(one, one - a[0] + a[1])
            elif op in ("vee", "wedge"):
                values[k] = max(a) if op == "vee" else min(a)
            elif isinstance(data, int):
                values[k] = a[0] * Fraction(1, data)
            elif isinstance(data, Fraction):
                values[k] = a[0] * data
        return values[term]
