"""Split trees: closed polyhedra, on each of which every neuron is affine, cover the domain.

The tree is one string of tokens in preorder.  Neurons are treated in order, one network after the
other; known rows are those of the domain, then one for every split passed.  At each node:

    s       split: first the part where the neuron's row is <= 0, then the part where it is >= 0;
    +i,j    the row is >= 0 on the whole part, as a combination of the known rows i, j with
            coefficients >= 0, plus a constant >= 0 ("+" alone: a constant);
    -i,j    the same for <= 0;
    leaf    all neurons are treated: "." or an interior point "t,x1,..,xd" with t > 0.

**Theorem (cover).**  If the walk ends, (a) the leaf parts cover the domain, and on each of them
every network is the affine map computed; (b) if every leaf has an interior point, the leaf
interiors are the parts in int P (all inequalities strict) of the full cells meeting int P.

*Proof.*  (a) Induction on the walk.  A part Q is {known rows >= 0}; a split writes it as the
union of Q with h <= 0 and Q with h >= 0; a forced sign holds on all of Q, by the combination.
The rows of the next layer are right on the closed part, as ReLU(0) = 0 either way.
(b) Inside a leaf the split rows are strict, and a forced row is affine and weakly signed,
hence strictly signed or identically 0: all signs are constant.  Two leaves part at a common
split, where one has - and the other +, so they lie in different cells.  A full cell meeting
int P meets some leaf, which is the closure of its interior; so it meets and contains that.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, Self, TypeVar

from exactrelu.checker.document import Malformed, Point, Rejected, Row, require, spend
from exactrelu.checker.linear import dot, solve


class State(Protocol):
    """The neurons of one layer still to be treated, with the activity before it fixed."""

    rows: list[Row]
    output: bool

    def child(self, mask: int) -> Self:
        """The next layer when the neurons of the mask are active."""


S = TypeVar("S", bound=State)


def implied(row: Row, rows: Sequence[Row], support: Sequence[int]) -> bool:
    """row >= 0 follows from rows[i] >= 0, i in support: row = sum lambda_i rows[i] + constant."""
    solution = solve([rows[i][1:] for i in support], row[1:])
    if solution is None:
        return False
    numerators, denominator = solution
    if denominator < 0:
        numerators, denominator = [-n for n in numerators], -denominator
    if any(n < 0 for n in numerators):
        return False
    constants = [rows[i][0] for i in support]
    return row[0] * denominator >= dot(numerators, constants)


def cover(
    roots: Sequence[S], walls: Sequence[Row], tree: str, dimension: int,
    leaf: Callable[[tuple[S, ...], Point | None], None],
) -> int:
    """Walk the tree; call leaf(output states, interior point) at every leaf; count the leaves."""
    tokens, leaves = _tokens(tree), 0
    stack = [(0, tuple(roots), 0, 0, list(walls))]
    while stack:
        k, states, j, mask, rows = stack.pop()
        token = next(tokens, None)
        if token is None:
            raise Rejected("the tree ends too early")
        while k < len(states) and states[k].output:
            k += 1
        if k == len(states):
            leaf(states, None if token == "." else _interior(token, rows, dimension))
            leaves += 1
            spend(2_500)  # for the memory of the states kept
            continue
        spend(len(rows))
        row = states[k].rows[j]
        opposite = [-x for x in row]
        if token == "s":
            signs = [(True, [*rows, row]), (False, [*rows, opposite])]
        elif token[:1] in ("+", "-"):
            support = _numbers(token[1:])
            require(all(0 <= i < len(rows) for i in support), "a support names no known row")
            positive = token[0] == "+"
            holds = implied(row if positive else opposite, rows, support)
            require(holds, f"sign of neuron {j} of its layer is not implied")
            signs = [(positive, rows)]
        else:
            raise Malformed(f"unknown token {token[:20]!a} in a tree")
        for active, known in signs:
            more = mask | active << j
            if j + 1 < len(states[k].rows):
                stack.append((k, states, j + 1, more, known))
            else:
                after = (*states[:k], states[k].child(more), *states[k + 1 :])
                stack.append((k, after, 0, 0, known))
    require(next(tokens, None) is None, "the tree goes on after its last leaf")
    return leaves


def _tokens(tree: str) -> Iterator[str]:
    start = 0
    while (end := tree.find(" ", start)) >= 0:
        yield tree[start:end]
        start = end + 1
    yield tree[start:]


def _numbers(text: str) -> list[int]:
    try:
        numbers = [int(x) for x in text.split(",")] if text else []
    except ValueError:
        numbers = []
    if ",".join(map(str, numbers)) != text:
        raise Malformed("expected integers separated by commas")
    return numbers


def _interior(token: str, rows: Sequence[Row], dimension: int) -> Point:
    x = tuple(_numbers(token))
    if len(x) != dimension + 1:
        raise Malformed("a leaf is '.' or a point")
    spend(len(rows) * len(x), max(map(abs, x)).bit_length())
    require(x[0] > 0 and all(dot(row, x) > 0 for row in rows), "a leaf point is not interior")
    return x
