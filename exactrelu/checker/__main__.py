"""python -m exactrelu.checker FILE: 0 accepted, 1 rejected, 2 malformed ('-': standard input)."""

import gzip
import io
import json
import sys
import zlib

from exactrelu.checker import Malformed, Rejected, check
from exactrelu.checker.claims.restatement import restate
from exactrelu.checker.document import LIMITS


def read(path: str) -> bytes:
    """The bytes of a document, unpacked if they are gzip; never more than the limit and one."""
    end = LIMITS["bytes"] + 1
    with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
        text = file.read(end)
    if text[:2] == b"\x1f\x8b":
        with gzip.GzipFile(fileobj=io.BytesIO(text)) as packed:
            text = packed.read(end)
    return text


def main(arguments: list[str]) -> int:
    """Check one file and print the verdict; the exit code."""
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
