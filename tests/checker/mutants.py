"""Small changes to a document: every leaf, list, token and field in turn."""

import copy
import random
from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

TOKENS = ["s", ".", "+", "-", "+0", "-1", "x", "1,0,0", "1,1", "-0", "+-1", "+0,0", "1.5", ""]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict):
        for key in sorted(value):
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for k, entry in enumerate(value):
            yield from places(entry, (*path, k))


def mutant(document: Any, path: tuple[Any, ...], rng: random.Random) -> Any:
    """A copy of the document with the entry at `path` changed."""
    result = copy.deepcopy(document)
    parent = result
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = changed(parent[path[-1]], path[-1], rng)
    return result


def changed(value: Any, name: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return rng.choice([not value, int(value), None, "true"])
    if isinstance(value, int):
        others = [value + 1, value - 1, -value, 0, str(value), value == 1, 10**17, 10**30, None]
        return rng.choice([*others, [value]])
    if isinstance(value, str):
        return changed_text(value, name, rng)
    if isinstance(value, list):
        return changed_list(value, rng)
    if isinstance(value, dict):
        return changed_object(value, rng)
    return rng.choice([{}, [], {"inequalities": []}, 0, False, "", {"inequalities": [["1", "1"]]}])


def changed_text(value: str, name: Any, rng: random.Random) -> Any:
    if name == "tree" or "." in value.split(" "):
        return changed_tree(value.split(" "), rng)
    if " " in value:
        parts: list[str] = value.split(" ")
        k = rng.randrange(len(parts))
        number = int(parts[k])
        parts[k : k + 1] = rng.choice(
            [[str(number + 1)], [str(number - 1)], [str(-number)], ["0"], [], [parts[k]] * 2]
        )
        return " ".join(parts)
    try:
        q = F(value)
    except ValueError:
        return rng.choice([value + "x", "", 3, None, [value], "equal", "adjacent", "strong"])
    near = [q + 1, -q, F(0), q * F(3, 2), q + F(1, 10**9)]
    odd: list[Any] = [str(float(q)), str(q) + "/1", "1" * 5_000, True, None, " " + value]
    return rng.choice([*map(str, near), *map(str, near), *odd])


def changed_tree(tokens: list[str], rng: random.Random) -> str:
    k, choice = rng.randrange(len(tokens)), rng.randrange(7)
    if choice == 0:
        del tokens[k]
    elif choice == 1:
        tokens.insert(k, rng.choice(tokens))
    elif choice == 2:
        tokens[k] = {"+": "-", "-": "+"}.get(tokens[k][:1], "s") + tokens[k][1:]
    elif choice == 3:
        other = rng.randrange(len(tokens))
        tokens[k], tokens[other] = tokens[other], tokens[k]
    elif choice == 4:
        tokens[k] = rng.choice(TOKENS)
    else:
        numbers = tokens[k].lstrip("+-").split(",")
        numbers[rng.randrange(len(numbers))] = str(rng.randrange(-3, 6))
        sign = tokens[k][:1] if tokens[k][:1] in ("+", "-") and choice == 5 else ""
        tokens[k] = sign + ",".join(numbers)
    return " ".join(tokens)


def changed_list(value: list[Any], rng: random.Random) -> Any:
    result = list(value)
    choice = rng.randrange(6) if result else 5
    k, other = (rng.randrange(max(len(result), 1)) for _ in range(2))
    if choice == 0:
        del result[k]
    elif choice == 1:
        result.append(copy.deepcopy(result[k]))
    elif choice == 2:
        result[k], result[other] = result[other], result[k]
    elif choice == 3:
        result[k] = copy.deepcopy(result[other])
    elif choice == 4:
        result.reverse()
    else:
        return rng.choice([None, {}, "x", [], 0, [value]])
    return result


def changed_object(value: dict[str, Any], rng: random.Random) -> Any:
    result, choice = dict(value), rng.randrange(4) if value else 1
    if choice == 0:
        del result[rng.choice(sorted(result))]
    elif choice == 1:
        result["extra"] = 1
    elif choice == 2:
        a, b = rng.choice(sorted(result)), rng.choice(sorted(result))
        result[a], result[b] = result[b], result[a]
    else:
        return rng.choice([None, [], {}, "x", 1])
    return result
