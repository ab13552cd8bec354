"""Random tiny networks with small integer weights, so that degenerate ones are frequent."""

import random
from itertools import pairwise

from tests.checker.producers import Net, network


def random_network(rng: random.Random, widths: list[int], size: int = 2, zeros: float = 0.2) -> Net:
    def entry() -> int:
        return 0 if rng.random() < zeros else rng.randint(-size, size)

    return network(
        *(
            ([[entry() for _ in range(n)] for _ in range(m)], [entry() for _ in range(m)])
            for n, m in pairwise(widths)
        )
    )


def random_widths(rng: random.Random, dimensions: tuple[int, ...] = (1, 2)) -> list[int]:
    shapes = [[1], [2], [3], [1, 1], [2, 1], [2, 2], [1, 2], [3, 1], [1, 1, 1]]
    return [rng.choice(dimensions), *rng.choice(shapes), rng.choice([1, 1, 2])]
