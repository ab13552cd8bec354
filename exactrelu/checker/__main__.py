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


def verdict(path: str) -> tuple[int, str, str]:
    """Exit code, verdict word and explanation for one file."""
    try:
        text = read(path)
        check(text)
        return 0, "accepted", restate(json.loads(text)["claim"])
    except (Rejected, MemoryError) as reason:
        return 1, "rejected", str(reason) or "too much memory"
    except (Malformed, OSError, EOFError, zlib.error) as reason:
        return 2, "malformed", str(reason)


def main(arguments: list[str]) -> int:
    """Check one file and print the verdict; the exit code."""
    if len(arguments) != 1:
        print("usage: python -m exactrelu.checker FILE", file=sys.stderr)
        return 2
    try:
        code, word, explanation = verdict(arguments[0])
        print(word, explanation, sep="\n", flush=True)
        return code
    except KeyboardInterrupt:
        print("interrupted: neither accepted nor rejected", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stdout = None  # nothing is left to be flushed at exit
        return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
