"""All families of first-layer hyperplanes that cover given flats and pass finite tests.

Interior means that all inequalities of the domain are strict.  Given are

* *flats* of codimension 2, each with a point in the interior: every parameter eta of the fiber has
  for each flat a neuron of the first layer whose hyperplane contains it;
* *samples*: different facet points, each with the hyperplane of its facet and the gradients of f
  near it; in a part of the interior that no first-layer hyperplane of eta meets, at most `cap`
  different hyperplanes of samples occur.

The gradients of f in a part where the first-layer neurons A of eta are active, and no other, are
combinations of the linear parts of their rows; so they have rank at most |A|.

A *family* is the list of the n_1 first-layer hyperplanes of eta; some may coincide, or be absent
(constant neurons).  *Candidates* are the hyperplanes that contain two different flats (at most one
for each two), and those of samples that contain at least one.  So every other hyperplane contains
one flat (*wild*) or none (*free*).

**Theorem (covering).**  If `families` ends, every eta has as its family one of the lists returned,
n_1 different candidates, with its orientation (the sign by which the rows of eta are multiples of
the candidates) among those returned with it.
*Proof.*  Choose members of the family: treat the first flat that none of the chosen ones contains;
some member contains it, and is a candidate or wild; choose it.  This ends when all flats are
covered, with at most n_1 members.  Then choose all other candidates of the family as well, each
once.  The search goes through all these choices.  The members left over, if any, are *free* in
the search: other wild ones, really free ones, constant neurons, repetitions of chosen candidates.
A choice is tested with every combination of positions of its members that are not candidates:

* A wild member lies in the pencil of its flat, one parameter.  The samples cut the pencil into
  finitely many critical positions (through a sample outside the flat) and open intervals between
  them; in an interval the signs at the samples do not change, so one hyperplane stands for all.
  Critical positions that are candidates are left out, as the member is none.
* Free members are treated for d = 2 only (otherwise the document is refused).  The signs of a
  constant neuron at the samples are all equal.  The sign vectors of lines are those of the cells
  of an arrangement of planes in the space of rows, one plane a sample.  Every cell has in its closure a cell where two
  different samples vanish (or all samples, if they lie on one line): the row of a line through two
  samples.  Close to this row the signs at the samples off the line stay, and those on the line
  are the signs of an affine function of the position on the line: constant, or a change between two
  neighbors, or at one sample, which is then 0.  Lines through two samples which are candidates
  are left out; repetitions of chosen candidates are added.

Tests use the signs of the members at the samples alone.  They give the parts that samples without
a zero sign lie in.  A combination is *killed* if some part shows more than `cap` hyperplanes, or if
for each orientation some part has gradients of higher rank than its number of active members, or
(if these all are candidates) gradients outside of the span of their linear parts.  No eta has a
killed combination, whatever the unknown members are exactly.  The search refuses the document if
a combination with a wild or free member is not killed.  So the families left consist of
candidates, all different; orientations that fail the second test are left out.  QED
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cmp_to_key, partial
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from exactrelu.checker.claims.fiber import STEP
from exactrelu.checker.claims.germ import Facet, Hyperplane
from exactrelu.checker.claims.kernels import kernel, primitive
from exactrelu.checker.document import Row, require, spend
from exactrelu.checker.linear import dot, rank

Flat = tuple[Row, Row]  # two rows; the flat is where both vanish
Signs = tuple[int, int]  # samples where a member is positive, and negative, as bit masks
Orientation = tuple[int, ...]
Family = tuple[Hyperplane, ...]


def minors(flat: Flat) -> tuple[int, ...]:
    """Coordinates of a flat: equal for equal flats."""
    a, b = flat
    pairs = combinations(range(len(a)), 2)
    return primitive([a[i] * b[j] - a[j] * b[i] for i, j in pairs])


def to_the_left(p: tuple[int, int], q: tuple[int, int]) -> int:
    """Negative if the direction p comes before q, less than a half turn away."""
    return q[0] * p[1] - p[0] * q[1]


def unsigned(signs: Signs) -> Signs:
    """Signs up to a common sign: tests go through both orientations anyway."""
    return max(signs, signs[::-1])


class Choice(NamedTuple):
    """Members chosen so far: candidates, flats with a wild member; flats still to be covered."""

    exact: Family
    wild: tuple[int, ...]
    rest: frozenset[int]


class Stage:
    """The samples used for tests: all, or the first one of every facet."""

    def __init__(self, samples: list[Facet], cap: int) -> None:
        self.samples, self.cap = samples, cap
        self.all = (1 << len(samples)) - 1
        hyperplanes: dict[Hyperplane, int] = {}
        for i, sample in enumerate(samples):
            hyperplanes[sample.hyperplane] = hyperplanes.get(sample.hyperplane, 0) | 1 << i
        self.hyperplanes = list(hyperplanes.values())
        self.spans: dict[int, list[Row]] = {0: []}

    def signs(self, row: Sequence[int]) -> Signs:
        """Signs of a row at the samples."""
        spend(len(self.samples) * len(row))
        plus = minus = 0
        for i, sample in enumerate(self.samples):
            v = dot(row, sample.x)
            plus |= (v > 0) << i
            minus |= (v < 0) << i
        return plus, minus

    def parts(self, members: Sequence[Signs]) -> list[tuple[Orientation, int]]:
        """The parts that samples lie in: signs of the members, samples as a bit mask."""
        parts: list[tuple[Orientation, int]] = [((), self.all)]
        for signs in members:
            parts = [
                ((*before, s), mask & own)
                for before, mask in parts
                for s, own in zip((1, -1), signs, strict=True)
                if mask & own
            ]
        return parts

    def span(self, mask: int) -> list[Row]:
        """A basis of the space spanned by the gradients at these samples."""
        if mask not in self.spans:
            basis: list[Row] = []
            for i, sample in enumerate(self.samples):
                if mask >> i & 1 and len(basis) < len(sample.x) - 1:
                    for gradient in sample.gradients:
                        if rank([*basis, gradient]) > len(basis):
                            basis.append(gradient)
            self.spans[mask] = basis
        return self.spans[mask]

    def orientations(self, members: Sequence[Signs], exact: Family) -> Iterator[Orientation]:
        """Orientations that no test excludes; the first members are these candidates."""
        spend(STEP)
        parts = self.parts(members)
        if any(sum(1 for h in self.hyperplanes if h & mask) > self.cap for _, mask in parts):
            return
        spans = [(signs, self.span(mask)) for signs, mask in parts]
        spans = [(signs, span) for signs, span in spans if span]
        for orientation in product((1, -1), repeat=len(members)):
            spend(STEP // 20)
            for signs, span in spans:
                active = [i for i, s in enumerate(signs) if s == orientation[i]]
                if len(span) > len(active):
                    break
                if all(i < len(exact) for i in active):
                    rows = [list(exact[i][1:]) for i in active]
                    if rank([*rows, *span]) > rank(rows):
                        break
            else:
                yield orientation

    def pencil(self, flat: Flat, candidates: set[Hyperplane]) -> list[Signs]:
        """Signs of all hyperplanes through the flat that are no candidates."""
        a, b = flat
        critical = set()  # (v, u) of the row u a + v b, in the half turn v > 0 or v = 0 < u
        for sample in self.samples:
            v, u = primitive((-dot(a, sample.x), dot(b, sample.x)))
            if u or v:
                critical.add((u, v))
        turn = sorted(critical, key=cmp_to_key(to_the_left))
        around = [*turn, *((-u, -v) for u, v in turn[:1])]
        between = [(p[0] + q[0], p[1] + q[1]) for p, q in zip(around, around[1:], strict=False)]
        if len(turn) < 2:
            between = [(-v, u) for u, v in turn] or [(1, 0)]
        rows = {
            place: [place[0] * x + place[1] * y for x, y in zip(a, b, strict=True)]
            for place in (*turn, *between)
        }
        kept = [p for p in turn if primitive(rows[p]) not in candidates]
        return list({unsigned(self.signs(rows[p])) for p in (*kept, *between)})

    def lines(self, candidates: set[Hyperplane]) -> list[Signs]:
        """Signs of all lines (d = 2) except candidates through two samples, and of constants."""
        found = {(self.all, 0)}
        if len(self.samples) < 2:
            found.add((0, 0))  # a line through the only sample
        done: set[Hyperplane] = set()
        for one, two in combinations(self.samples, 2):
            spend(100)
            (r, x, y), (s, z, w) = one.x, two.x
            h = primitive([x * w - y * z, y * s - r * w, r * z - x * s])
            if h in done:
                continue
            done.add(h)
            plus, minus = self.signs(h)
            on = [i for i in range(len(self.samples)) if not (plus | minus) >> i & 1]
            on.sort(key=partial(self._along, h))
            if h not in candidates:
                found.add(unsigned((plus, minus)))
            for k in range(len(on) + 1):
                for at in (k, k + 1):  # the sample k on the line is 0 in the second case
                    head, tail = (sum(1 << i for i in part) for part in (on[:k], on[at:]))
                    for p, q in ((head, tail), (tail, head)):
                        found.add(unsigned((plus | p, minus | q)))
        return list(found)

    def _along(self, h: Hyperplane, i: int) -> Fraction:
        """Position of a sample along a line."""
        t, x, y = self.samples[i].x
        return Fraction(h[1] * y - h[2] * x, t)


class Covering:
    """The search for all families of `width` hyperplanes in `dimension` dimensions."""

    def __init__(
        self, dimension: int, flats: Sequence[Flat], samples: list[Facet], width: int, cap: int
    ) -> None:
        self.flats = list({minors(flat): flat for flat in flats}.values())
        self.dimension, self.width = dimension, width
        first = {sample.code: sample for sample in reversed(samples)}
        coarse = [sample for sample in samples if first[sample.code] is sample]
        self.stages = [Stage(coarse, cap), Stage(samples, cap)]
        found: dict[Hyperplane, frozenset[int]] = {}
        for a, b in combinations(self.flats, 2):
            columns = [list(column) for column in zip(*a, *b, strict=True)]
            for vector in kernel(columns, 4):
                row = [vector[0] * x + vector[1] * y for x, y in zip(*a, strict=True)]
                found[primitive(row)] = frozenset()
        for h in {**found, **{sample.hyperplane: None for sample in samples}}:
            through = [i for i, flat in enumerate(self.flats) if rank([*flat, h]) == 2]
            found[h] = frozenset(through)
        self.candidates = {h: through for h, through in found.items() if through}
        self.pencils: dict[tuple[int, int], list[Signs]] = {}

    def choices(self) -> Iterator[Choice]:
        """All ways to choose members, all candidates of the family among them."""
        stack = [Choice((), (), frozenset(range(len(self.flats))))]
        covers: set[tuple[Family, tuple[int, ...]]] = set()
        done: set[Choice] = set()
        most = max(map(len, self.candidates.values()), default=1)  # flats in one hyperplane
        while stack:
            spend(STEP)
            exact, wild, rest = stack.pop()
            if not rest:
                covers.add((tuple(sorted(exact)), tuple(sorted(wild))))
            elif len(rest) <= most * (self.width - len(exact) - len(wild)):
                first = min(rest)
                for h, through in self.candidates.items():
                    if first in through:
                        stack.append(Choice((*exact, h), wild, rest - through))
                stack.append(Choice(exact, (*wild, first), rest - {first}))
        for exact, wild in sorted(covers):
            others = [h for h in self.candidates if h not in exact]
            for k in range(self.width - len(exact) - len(wild) + 1):
                for more in combinations(others, k):
                    spend(STEP)
                    chosen = Choice(tuple(sorted((*exact, *more))), wild, frozenset())
                    if chosen not in done:
                        done.add(chosen)
                        yield chosen

    def killed(self, choice: Choice, number: int) -> bool:
        """Every combination of positions of the wild and free members is killed."""
        stage, known = self.stages[number], set(self.candidates)
        exact = [stage.signs(h) for h in choice.exact]
        pencils = []
        for i in choice.wild:
            if (i, number) not in self.pencils:
                self.pencils[i, number] = stage.pencil(self.flats[i], known)
            pencils.append(self.pencils[i, number])
        free = self.width - len(choice.exact) - len(choice.wild)
        lines: list[Signs] = []
        if free:
            require(self.dimension == 2, "a free hyperplane is possible, not in the plane")
            if (-1, number) not in self.pencils:
                self.pencils[-1, number] = stage.lines(known)
            lines = [*self.pencils[-1, number], *exact]
        for wild in product(*pencils):
            for loose in combinations_with_replacement(lines, free):
                members = [*exact, *wild, *loose]
                if next(stage.orientations(members, choice.exact), None) is not None:
                    return False
        return True

    def families(self) -> list[tuple[Family, list[Orientation]]]:
        """The families that consist of candidates, with their orientations (see the theorem)."""
        result = []
        fine = self.stages[1]
        for choice in self.choices():
            if len(choice.exact) == self.width:
                members = [fine.signs(h) for h in choice.exact]
                found = list(fine.orientations(members, choice.exact))
                if found:
                    result.append((choice.exact, found))
            else:
                dead = self.killed(choice, 0) or self.killed(choice, 1)
                require(dead, "a family with a wild or free hyperplane survives")
        return result
