"""python -m exactrelu.checker.derivation FILE: 0 accepted, 1 rejected, 2 malformed."""

import gzip
import sys
import zlib
from collections.abc import Iterator

from exactrelu.checker.derivation import LIMITS, check_derivation
from exactrelu.checker.document import Malformed, Rejected


def lines(path: str) -> Iterator[str]:
    """The lines of a file, unpacked if it is gzip; a line is never read beyond its limit and one."""
    with open(path, "rb") as start:
        packed = start.read(2) == b"\x1f\x8b"
    with gzip.open(path) if packed else open(path, "rb") as file:
        while line := file.readline(LIMITS["line_bytes"] + 1):
            yield line.decode("ascii")


def main(arguments: list[str]) -> int:
    """Check one file and print the verdict; the exit code."""
    if len(arguments) != 1:
        print("usage: python -m exactrelu.checker.derivation FILE", file=sys.stderr)
        return 2
    try:
        goal = check_derivation(lines(arguments[0]))
        print("accepted", goal.text(), f"{goal.lines} lines, {goal.splits} case splits", sep="\n")
        return 0
    except (Rejected, MemoryError) as reason:
        print("rejected", str(reason) or "too much memory", sep="\n")
        return 1
    except (Malformed, OSError, EOFError, zlib.error, UnicodeDecodeError) as reason:
        print("malformed", str(reason), sep="\n")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
