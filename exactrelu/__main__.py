"""python -m exactrelu VERB ...: the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Run one command; return its exit code.  Ctrl-C is answered cleanly from the first moment on."""
    try:
        from exactrelu.cli.main import main as command

        return command()
    except KeyboardInterrupt:
        print('{"verdict": "undecided", "reason": "interrupted"}' if "--json" in sys.argv else "undecided\nreason: interrupted")
        return 3


if __name__ == "__main__":
    sys.exit(main())
