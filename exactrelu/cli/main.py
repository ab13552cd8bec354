"""The entry point: dispatch, printing, exit codes.

0 certified, yes, accepted; 1 refuted, no, rejected; 2 usage or input error; 3 undecided; 4 internal inconsistency.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TextIO

from exactrelu.checker import Malformed, Rejected
from exactrelu.cli.answer import INCONSISTENT, INPUT_ERROR, UNDECIDED, Answer, undecided
from exactrelu.errors import BudgetExceeded, ExactReluError, InputError

VERBS = {
    "demo": "demo:demo",
    "info": "network_verbs:info",
    "convert": "network_verbs:convert",
    "canonical": "network_verbs:canonical",
    "equivalent": "network_verbs:equivalent",
    "equal": "network_verbs:equal",
    "complex": "geometry_verbs:complex_",
    "genericity": "geometry_verbs:genericity",
    "dimension": "identifiability_verbs:dimension",
    "certify": "identifiability_verbs:certify",
    "dependency": "function_verbs:dependency",
    "reconstruct": "function_verbs:reconstruct",
    "construct": "construct_verb:construct",
    "extract": "extract_verb:extract",
    "fiber": "fiber_verbs:fiber",
    "minimal-width": "fiber_verbs:minimal_width",
    "conservation": "conservation_verb:conservation",
    "logic": "logic_verb:logic",
    "check": "check_verb:check",
}


EXPECTED_BUGS = (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""What a mistake in this package can look like; its exit code is 4, never 1, which would mean "refuted"."""


def _verb(name: str) -> Callable[[Namespace], Answer]:
    module, function = VERBS[name].split(":")
    found: Callable[[Namespace], Answer] = getattr(import_module(f"exactrelu.cli.{module}"), function)
    return found


def _show(answer: Answer, options: Namespace) -> None:
    if options.json:
        print(json.dumps({"verdict": answer.verdict, **answer.fields}, ensure_ascii=True, allow_nan=False))
    else:
        print(answer.verdict)
        if not options.quiet:
            for line in answer.lines:
                print(line)


def _complain(message: str) -> None:
    try:
        print(f"exactrelu: {message}", file=sys.stderr, flush=True)
    except (OSError, AttributeError):                        # nobody can read it; the exit code stays
        _discard(sys.stderr, 2)


def _discard(stream: TextIO | None, number: int) -> None:
    """Let a stream that cannot be written lead nowhere, so that the interpreter does not complain at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno() if stream is not None else number)
    except (OSError, ValueError):
        pass


INPUTS = ("network", "a", "b", "source", "certificate", "graph", "first", "second")
"""Options that name files to read."""


def _keep_inputs(options: Namespace) -> None:
    """Refuse to write the answer over a file that is read."""
    target = options.output
    for name in INPUTS:
        source = getattr(options, name, None)
        if target and isinstance(source, str) and os.path.exists(source) and os.path.exists(target) and os.path.samefile(source, target):
            raise InputError(f"-o {target} would overwrite the input {source}; choose another name")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    from exactrelu.cli.grammar import joined, parser

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")       # before numpy loads: many small products, threads only cost
    try:
        options = parser().parse_args(joined(sys.argv[1:] if argv is None else list(argv)))
    except InputError as error:
        _complain(str(error))
        return INPUT_ERROR
    try:
        _keep_inputs(options)
        answer = _verb(options.verb)(options)
    except InputError as error:
        _complain(str(error))
        if options.json:
            print(json.dumps({"verdict": "error", "reason": str(error)}))
        return INPUT_ERROR
    except BudgetExceeded as error:
        answer = undecided(str(error), error.done)
    except MemoryError:
        answer = undecided("not enough memory")
    except KeyboardInterrupt:
        answer = undecided("interrupted")
    except (*EXPECTED_BUGS, ExactReluError, Rejected, Malformed) as error:
        if os.environ.get("EXACTRELU_TRACEBACK"):
            raise
        reason = f"internal inconsistency, please report: {type(error).__name__}: {error}"
        _complain(reason)
        answer = Answer("error", {"reason": reason}, (), INCONSISTENT)
        if not options.json:
            return INCONSISTENT
    try:
        _show(answer, options)
        if sys.stdout is not None:                           # it is None when the descriptor was closed
            sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout, 1)
    except OSError as error:
        _discard(sys.stdout, 1)
        _complain(f"the answer cannot be written: {error.strerror}")
        return INPUT_ERROR
    except KeyboardInterrupt:
        return UNDECIDED
    return answer.exit_code


if __name__ == "__main__":
    sys.exit(main())
