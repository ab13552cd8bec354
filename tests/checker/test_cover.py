import random

import pytest

from exactrelu.checker import Rejected, check
from tests.checker import judges, oracle, producers
from tests.checker.random_networks import random_network, random_widths

DOMAINS = {
    1: [None, producers.box((-1, 1)), producers.half([0, 1]), producers.half([0, 0], [1, 1])],
    2: [None, producers.box((-1, 1), (0, 2)), producers.half([0, 1, 1], [0, 1, 1], [5, -1, 0])],
}


def test_covers_prove_the_brute_force_count() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        widths = random_widths(rng)
        net, domain = random_network(rng, widths), rng.choice(DOMAINS[widths[0]])
        count = len(oracle.Complex(net, domain).full)
        claim = {"network": net, "domain": domain, "count": count}
        evidence = {"tree": producers.tree([net], domain)}
        text = producers.dumps(producers.document("full-cells", claim, evidence))
        if count:
            assert check(text) == "full-cells"
        else:
            with pytest.raises(Rejected):
                check(text)
        for wrong in (count - 1, count + 1):
            if wrong >= 0:
                other = producers.document("full-cells", {**claim, "count": wrong}, evidence)
                with pytest.raises(Rejected):
                    check(producers.dumps(other))


def random_tree(rng: random.Random, neurons: int, d: int, known: int) -> list[str]:
    """Tokens that split, force and point at random."""
    if not neurons:
        return [",".join(["1", *(str(rng.randint(-2, 2)) for _ in range(d))])]
    token = rng.choice(["s", "s", "+", "-"])
    if token == "s":
        halves = [random_tree(rng, neurons - 1, d, known + 1) for _ in range(2)]
        return ["s", *halves[0], *halves[1]]
    support = rng.sample(range(known), rng.randint(0, min(known, d)))
    rest = random_tree(rng, neurons - 1, d, known)
    return [token + ",".join(map(str, support)), *rest]


def test_random_trees_prove_no_other_count() -> None:
    accepted = 0
    for seed in range(1_500):
        rng = random.Random(seed)
        net = random_network(rng, [1, *rng.choice([[1], [2], [1, 1]]), 1], 1)
        domain = rng.choice(DOMAINS[1])
        hidden, walls = sum(oracle.widths(net)), len(oracle.walls(domain))
        tokens = random_tree(rng, hidden, 1, walls)
        count = sum(token[:1] not in ("s", "+", "-") for token in tokens)
        claim = {"network": net, "domain": domain, "count": count}
        document = producers.document("full-cells", claim, {"tree": " ".join(tokens)})
        try:
            check(producers.dumps(document))
        except Rejected:
            continue
        accepted += 1
        assert judges.true({"kind": "full-cells", **claim})
    assert accepted > 20


def test_equality_is_proved_exactly_when_it_holds() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        widths = random_widths(rng)
        a, domain = random_network(rng, widths), rng.choice(DOMAINS[widths[0]])
        b = random_network(rng, widths) if rng.random() < 0.5 else a
        document = producers.equal(a, b, domain)
        if oracle.equal(a, b, domain):
            assert check(producers.dumps(document)) == "equal"
        else:
            with pytest.raises(Rejected, match="two different affine maps"):
                check(producers.dumps(document))
