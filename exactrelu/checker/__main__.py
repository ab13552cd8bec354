"""python -m exactrelu.checker FILE: 0 accepted, 1 rejected, 2 malformed ('-': standard input)."""

import gzip
import io
import json
import sys
import zlib
from hashlib import sha256

from exactrelu.checker import KINDS, Malformed, Rejected, check
from exactrelu.checker.document import LIMITS, Json, canonical


def read(path: str) -> bytes:
    """The bytes of a document, unpacked if they are gzip; never more than the limit and one."""
    end = LIMITS["bytes"] + 1
    with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
        text = file.read(end)
    if text[:2] == b"\x1f\x8b":
        with gzip.GzipFile(fileobj=io.BytesIO(text)) as packed:
            text = packed.read(end)
    return text


def restate(claim: Json) -> str:
    """The claim for a person: what the kind means, then its fields, long ones by digest."""
    kind = claim["kind"]
    meaning = (KINDS[kind].check.__doc__ or "").split("\n\n")[0].strip()
    lines = [kind, " ".join(meaning.split())]
    for name, value in sorted(claim.items()):
        text = "all points" if value is None else json.dumps(value)
        if type(value) is dict:
            widths = value.get("architecture")
            text = (
                f"architecture {widths}" if widths else f"{len(value['inequalities'])} inequalities"
            )
        if type(value) is dict or len(text) > 200:
            text = f"{text[:100]}, sha256 {sha256(canonical(value).encode()).hexdigest()}"
        lines += [f"  {name}: {text}"] if name != "kind" else []
    lines.append("trusted: " + ("; ".join(KINDS[kind].theorems) or "no theorem"))
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m exactrelu.checker FILE", file=sys.stderr)
        return 2
    try:
        text = read(arguments[0])
        check(text)
        print("accepted", restate(json.loads(text)["claim"]), sep="\n")
        return 0
    except (Rejected, MemoryError, KeyboardInterrupt) as reason:
        print("rejected", str(reason) or "interrupted, or out of memory", sep="\n")
        return 1
    except (Malformed, OSError, EOFError, zlib.error) as reason:
        print("malformed", reason, sep="\n")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
