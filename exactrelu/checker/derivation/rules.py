"""The rules: each recomputes a sequent, a set of hypotheses and one equation, from earlier ones.

A sequent H |- l = r says: for all values in [0,1] of its variables and all interpretations of unknown
operations, if every equation of H holds then l = r.  Each rule below keeps that true, pointwise;
`split` because s + t <= 1 or s + t >= 1.
"""

from collections.abc import Sequence

from exactrelu.checker.derivation.axioms import Equation
from exactrelu.checker.derivation.meter import LIMITS
from exactrelu.checker.derivation.terms import Terms

Sequent = tuple[int, int, int]
"""Hypotheses (bit k: equation number k of the table), left side, right side."""


class Rules:
    """The rules over one table of terms, and the table of hypotheses."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.meter = terms, terms.meter
        self.hypotheses: list[Equation] = []
        self._bit: dict[Equation, int] = {}
        self._programs: dict[Sequent, tuple[list[int], list[Equation]]] = {}
        self._stored = 0

    def bit(self, left: int, right: int) -> int:
        """The set with this one hypothesis."""
        bit = self._bit.get((left, right))
        if bit is None:
            count = len(self.hypotheses)
            self.meter.require(count < LIMITS["hypotheses"], "too many hypotheses")
            self.hypotheses.append((left, right))
            bit = self._bit[left, right] = 1 << count
        return bit

    def equations(self, hypotheses: int) -> list[Equation]:
        """The equations of a set."""
        found = []
        while hypotheses:
            low = hypotheses & -hypotheses
            found.append(self.hypotheses[low.bit_length() - 1])
            hypotheses ^= low
            self.meter.spend(1 + (hypotheses.bit_length() >> 9))
        return found

    def refl(self, term: int) -> Sequent:
        """|- t = t."""
        return 0, term, term

    def assume(self, left: int, right: int) -> Sequent:
        """l = r |- l = r."""
        return self.bit(left, right), left, right

    def sym(self, premise: Sequent) -> Sequent:
        """H |- l = r gives H |- r = l."""
        return premise[0], premise[2], premise[1]

    def trans(self, premises: Sequence[Sequent]) -> Sequent:
        """t0 = t1, t1 = t2, ... give t0 = tn under the union of the hypotheses."""
        known, left, right = premises[0]
        for more, start, end in premises[1:]:
            self.meter.require(start == right, "the equations do not meet")
            known |= more
            right = end
        return known, left, right

    def cong(self, term: int, premises: Sequence[Sequent]) -> Sequent:
        """a_i = b_i for all arguments give op(a) = op(b)."""
        op, data, arguments = self.terms[term]
        self.meter.require(
            arguments and arguments == tuple([left for _, left, _ in premises]),
            "the premises are not about the arguments",
        )
        known = 0
        for more, _, _ in premises:
            known |= more
        return known, term, self.terms.make(op, *[right for _, _, right in premises], data=data)

    def rewrite(self, term: int, premises: Sequence[Sequent]) -> Sequent:
        """l_i = r_i give t = t', all outermost l_i in t replaced by r_i at the same time."""
        known, changes = 0, dict[int, int]()
        for more, left, right in premises:
            self.meter.require(left not in changes, "two premises have the same left side")
            changes[left] = right
            known |= more
        return known, term, self.terms.replaced(term, changes)

    def inst(self, premise: Sequent, image: dict[int, int]) -> Sequent:
        """Substitute terms for variables, in the hypotheses too."""
        return self.lemma(premise, image, [])

    def lemma(self, premise: Sequent, image: dict[int, int], proofs: Sequence[Sequent]) -> Sequent:
        """Substitute terms for variables; hypotheses proved by `proofs` are replaced by theirs."""
        program = self._programs.get(premise)
        if program is None:
            conditions = self.equations(premise[0])
            roots = [*premise[1:], *(side for equation in conditions for side in equation)]
            program = (self.terms.below(roots), conditions)
            self._stored += len(program[0]) + len(conditions)
            if self._stored > LIMITS["terms"]:  # a cache must not outgrow the table
                self._programs.clear()
                self._stored = len(program[0]) + len(conditions)
            self._programs[premise] = program
        order, conditions = program
        self.terms.rebuild(order, image)
        proved = {(left, right): known for known, left, right in proofs}
        self.meter.require(len(proved) == len(proofs), "two proofs of one hypothesis")
        known, used = 0, set[Equation]()
        for left, right in conditions:
            condition = (image[left], image[right])
            if condition in proved:
                known |= proved[condition]
                used.add(condition)
            else:
                known |= self.bit(*condition)
        self.meter.require(len(used) == len(proved), "a proof of what is no hypothesis")
        return known, image[premise[1]], image[premise[2]]

    def cut(self, premise: Sequent, proofs: Sequence[Sequent]) -> Sequent:
        """H, E |- l = r and D |- E give H, D |- l = r; one proof after the other."""
        known, left, right = premise
        for more, start, end in proofs:
            bit = self._bit.get((start, end), 0)
            self.meter.require(known & bit, "a proof of what is no hypothesis")
            known = known & ~bit | more
        return known, left, right

    def split(self, s: int, t: int, below: Sequent, above: Sequent) -> Sequent:
        """The same equation from s (.) t = 0 and from s (+) t = 1."""
        self.meter.require(below[1:] == above[1:], "the two cases prove different equations")
        make = self.terms.make
        first = self.bit(make("odot", s, t), make("0"))
        second = self.bit(make("oplus", s, t), make("1"))
        return below[0] & ~first | above[0] & ~second, below[1], below[2]
