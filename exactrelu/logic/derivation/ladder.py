"""Ladders: the good sequence of an affine form, and the laws of adding one or two formulae to it.

For a list L of formulae let T(c; L) be the term of clip(c + sum of L): T(c; ()) is 1 for c >= 1 and else 0, and
``T(c; L, f) = T(c; L) + (T(c+1; L) (.) f)``.  The sequence decreases with c and is *good*: T(c+1) + T(c) = T(c+1).  Levels
that are constant because of their number alone (c >= 1, or c + |L| <= 0) are written 1 or 0, and the step is folded:
``T(c; L) + f`` next to 1, ``T(c+1; L) (.) f`` next to 0.  So T(0; f, g) is f + g and T(-1; f, g) is f (.) g.

A law speaks of three neighboring levels r, q, p of a list.  It is proved once for variables; `Ladders.variant` folds it for
levels that are 0 or 1, and again only once for every pattern of constant levels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from exactrelu.errors import InvariantError
from exactrelu.logic.derivation.tactics import Tactics

Level = tuple[int, int | None]
"""A term, and 0 or 1 if the level is constant because of its number."""
Bag = tuple[int, ...]
Sides = tuple[int, int]


class Ladders:
    """Terms T(c; L), their goodness, and the folded variants of the laws."""

    def __init__(self, tactics: Tactics, variants: dict[tuple[str, tuple[int | None, ...]], int] | None = None) -> None:
        self.tactics, self.ledger, self.terms = tactics, tactics.ledger, tactics.terms
        self._levels: dict[tuple[int, Bag], Level] = {}
        self._good: dict[tuple[int, Bag], int] = {}
        self._variants = {} if variants is None else variants
        self._sides: dict[str, Callable[[Sequence[Level]], Sides]] = {
            "swap": lambda v: (self.twice(v, self.f, self.g), self.twice(v, self.g, self.f)),
            "sum": lambda v: (self.step(v, self.terms.plus(self.f, self.g))[0], self.twice(v, self.f, self.g)),
            "product": lambda v: (self.step(v[1:], self.terms.times(self.f, self.g))[0], self.twice(v, self.f, self.g)),
            "cancel": lambda v: (self.twice(v, self.f, self.terms.neg(self.f)), v[1][0]),
            "add_one": lambda v: (self.step(v, self.terms.one)[0], v[1][0]),
            "add_zero": lambda v: (self.step(v, self.terms.zero)[0], v[0][0]),
            "good": lambda v: (self.terms.plus(self.step(v[1:], self.f)[0], self.step(v, self.f)[0]), self.step(v[1:], self.f)[0]),
        }

    @property
    def f(self) -> int:
        """The variable for the first formula added."""
        return self.terms.var("?f")

    @property
    def g(self) -> int:
        """The variable for the second formula added."""
        return self.terms.var("?g")

    def fork(self) -> Ladders:
        """The same laws over a ledger of their own."""
        return Ladders(self.tactics.fork(), self._variants.copy())

    def step(self, levels: Sequence[Level], f: int) -> Level:
        """The level above `levels[0]`, `levels[1]` when f is added."""
        (r, low), (q, high) = levels[0], levels[1]
        if low == 1 or high == 0:
            return (r, 1) if low == 1 else (q, 0)
        if high == 1:
            return (f if low == 0 else self.terms.plus(r, f)), None
        return (self.terms.times(q, f) if low == 0 else self.terms.plus(r, self.terms.times(q, f))), None

    def twice(self, levels: Sequence[Level], f: int, g: int) -> int:
        """The term for three levels when f and then g are added."""
        return self.step((self.step(levels, f), self.step(levels[1:], f)), g)[0]

    def level(self, c: int, bag: Bag) -> Level:
        """T(c; L) and whether it is constant."""
        if c >= 1:
            return self.terms.one, 1
        if c + len(bag) <= 0:
            return self.terms.zero, 0
        levels = self._levels
        found = levels.get((c, bag))
        if found is None:
            rest, size = bag[:-1], len(bag) - 1
            if ((c, rest) in levels or c + size <= 0) and ((c + 1, rest) in levels or c >= 0 or c + 1 + size <= 0):
                found = levels[c, bag] = self.step((self.level(c, rest), self.level(c + 1, rest)), bag[-1])
                return found
            for size in range(1, len(bag) + 1):
                part = bag[:size]
                for at in range(max(c, 1 - size), min(0, c + len(bag) - size) + 1):
                    if (at, part) not in self._levels:
                        self._levels[at, part] = self.step((self.level(at, part[:-1]), self.level(at + 1, part[:-1])), part[-1])
            found = self._levels[c, bag]
        return found

    def term(self, c: int, bag: Bag) -> int:
        """T(c; L)."""
        return self.level(c, bag)[0]

    def variant(self, law: str, flags: tuple[int | None, ...]) -> int:
        """The law folded for levels r, q, p that are constant as `flags` says."""
        key = (law, flags)
        if key not in self._variants:
            self._variants[key] = self._fold(law, flags)
        return self._variants[key]

    def _fold(self, law: str, flags: tuple[int | None, ...]) -> int:
        t, k, m = self.tactics, self.ledger, self.terms
        variables = [m.var(name) for name in ("?r", "?q", "?p")][: len(flags)]
        levels: list[Level] = [(v if flag is None else m.one if flag else m.zero, flag) for v, flag in zip(variables, flags)]
        line = t.laws[f"ladder_{law}"]
        image = {v: level[0] for v, level in zip(variables, levels)}
        proofs = []
        for left, right in k.set_of(k.hypotheses[line]):
            places = {j: j for j in m.below([left, right]) if not m.args(j)} | image
            m.rebuild(m.below([left, right]), places)
            proof = t.units(places[left])
            if k.right[proof] == places[right]:
                proofs.append(proof)
        line = k.lemma(line, image, proofs)
        left, right = self._sides[law](levels)
        start, end = self._folded(k.left[line], left), self._folded(k.right[line], right)
        line = k.trans(k.sym(start), line, end)
        if (k.left[line], k.right[line]) != (left, right):
            raise InvariantError(f"the law {law} does not fold for {flags}: {k.show(line)}")
        return line

    def monotone(self, flags: tuple[int | None, ...]) -> int:
        """r <= s, q <= p |- step(r, q, f) <= step(s, p, f), folded for constant levels r, q, s, p."""
        key = ("monotone", flags)
        if key in self._variants:
            return self._variants[key]
        t, k, m = self.tactics, self.ledger, self.terms
        names = ("?r", "?q", "?s", "?p")
        r, q, s, p = levels = [(m.var(n) if flag is None else m.one if flag else m.zero, flag) for n, flag in zip(names, flags)]
        line = t.laws["step_monotone"]
        proofs = [t.units(m.times(a, m.neg(b))) for (a, one), (b, two) in ((r, s), (q, p)) if one == 0 or two == 1]
        if flags[0] is None and flags[2] == 1:
            proofs.append(t.use("at_most_one", x=r[0]))
        if flags[1] is None and flags[3] == 1:
            proofs.append(t.use("at_most_one", x=q[0]))
        image = {m.var(n): level[0] for n, level in zip(names, levels)}
        line = k.lemma(line, image, proofs)
        small, large = m.args(k.left[line])[0], m.args(m.args(k.left[line])[1])[0]
        wanted = (self.step((r, q), self.f)[0], self.step((s, p), self.f)[0])
        turned = k.rewrite(k.left[line], [self._folded(small, wanted[0]), self._folded(large, wanted[1])])
        if k.right[turned] != m.times(wanted[0], m.neg(wanted[1])):
            inner = k.cong(m.neg(large), self._folded(large, wanted[1]))
            turned = k.cong(k.left[line], self._folded(small, wanted[0]), inner)
        self._variants[key] = k.trans(k.sym(turned), line)
        return self._variants[key]

    def _folded(self, term: int, wanted: int) -> int:
        """term = wanted where both have the same form under the unit laws."""
        k = self.ledger
        first, second = self.tactics.units(term), self.tactics.units(wanted)
        return k.trans(first, k.sym(second))

    def good(self, c: int, bag: Bag) -> int:
        """T(c+1; L) + T(c; L) = T(c+1; L)."""
        line = self._good.get((c, bag))
        if line is None and len(bag) > 1:
            for size in range(1, len(bag)):  # shortest lists first, so that nothing nests deeply
                part = bag[:size]
                for at in range(max(c, -size), min(0, c + len(bag) - size) + 1):
                    if (at, part) not in self._good:
                        self._good_step(at, part)
        return self._good_step(c, bag) if line is None else line

    def _good_step(self, c: int, bag: Bag) -> int:
        key = (c, bag)
        line = self._good.get(key)
        if line is None:
            (q, high), (r, low) = self.level(c + 1, bag), self.level(c, bag)
            if high == 1:
                line = self.tactics.use("one_plus", x=r)
            elif low == 0:
                line = self.tactics.use("plus_zero", x=q)
            else:
                line = self.law("good", c, bag[:-1], f=bag[-1])
            self._good[key] = line
        return line

    def law(self, name: str, c: int, bag: Bag, *proofs: int, **image: int) -> int:
        """A law at the levels T(c; L), T(c+1; L), T(c+2; L)."""
        levels = [self.level(c + i, bag) for i in range(3)]
        flags = tuple(flag for _, flag in levels)
        if name == "add_zero":
            flags = flags[:2]
        elif name == "add_one":
            flags = flags[:2]
        (r, _), (q, _), (p, _) = levels
        line = self.variant(name, flags)
        needed = self.ledger.hypotheses[line]
        goods = []
        if needed:
            var = self.terms.var
            if needed & self.ledger.bit(self.terms.plus(var("?q"), var("?r")), var("?q")):
                goods.append(self.good(c, bag))
            if needed & self.ledger.bit(self.terms.plus(var("?p"), var("?q")), var("?p")):
                goods.append(self.good(c + 1, bag))
        values = {"r": r, "q": q, "p": p} | image
        return self.tactics.use(line, *goods, *proofs, **values)
