"""An oracle that is a program: one JSON list of rationals a line in, one JSON list of rationals a line out.

The program is started once, in a process group of its own, and killed with its group at the end.  Three threads carry its
streams, so that neither side ever waits for a full pipe: a silent program ends in a timeout, a chatty one in an error.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import IO, Any

from exactrelu.arithmetic.rational import parse_decimal, rational_text
from exactrelu.errors import ExactnessError, InputError
from exactrelu.extraction.oracle import Oracle, Point, clipped

MAX_LINE = 1 << 20
"""Longest line of an answer, in bytes."""
MAX_TIMEOUT = 86_400
"""Longest timeout, in seconds."""
WAITING_LINES = 8
"""Lines of output that are held; a program that writes more has to wait."""
_TAIL = 2_000


class _Ended:
    """The output has ended, or a line is too long: what to say."""

    def __init__(self, what: str) -> None:
        self.what = what


class ProcessOracle(Oracle):
    """An oracle that is a program with the line protocol.

    Args:
        command: the program and its arguments, a list or a text that is split as a shell would (no shell is run).
        timeout: seconds to wait for one answer.
        decimal: whether text such as "0.1" in an answer means exactly 1/10; otherwise it is an error.
    Raises:
        InputError: the program cannot be started, ends, writes something that is no JSON list, too late, or unasked.
    """

    def __init__(self, command: str | Sequence[str], timeout: Any = 10, *, decimal: bool = False) -> None:
        if isinstance(timeout, bool) or not 0 < timeout <= MAX_TIMEOUT:
            raise InputError(f"the timeout must be a positive number of seconds, at most {MAX_TIMEOUT}, got {timeout!r}")
        try:
            self.command = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise InputError(f"the oracle command {clipped(command)} cannot be split into words: {error}") from None
        if not self.command:
            raise InputError("the oracle command is empty")
        self.timeout, self.decimal = timeout, decimal
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | _Ended] = queue.Queue(WAITING_LINES)
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors = bytearray()
        self._closing = False
        self._threads: list[Thread] = []
        super().__init__()

    def raw(self, point: Point) -> Any:
        """Send one line, wait for one line, and read it as JSON."""
        if self._process is None:
            self._launch()
        if not self._lines.empty():
            early = self._lines.get_nowait()
            what = early.what if isinstance(early, _Ended) else f"it wrote a line that nobody asked for: {clipped(_decoded(early))}"
            raise self._failure(point, what)
        self._requests.put(json.dumps([rational_text(x) for x in point]).encode("ascii") + b"\n")
        try:
            answer = self._lines.get(timeout=self.timeout)
        except queue.Empty:
            raise self._failure(point, f"no answer within {self.timeout} seconds") from None
        if isinstance(answer, _Ended):
            raise self._failure(point, answer.what)
        return self._parsed(answer, point)

    def _launch(self) -> None:
        try:
            process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       bufsize=0, start_new_session=True)
        except (OSError, ValueError) as error:
            raise InputError(f"the oracle {clipped(' '.join(self.command))} cannot be started: {error}") from None
        self._process, self._closing = process, False
        self._lines, self._requests, self._errors = queue.Queue(WAITING_LINES), queue.SimpleQueue(), bytearray()
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None   # pipes were asked for
        self._threads = [Thread(target=self._write, args=(process.stdin,), daemon=True),
                         Thread(target=self._read, args=(process.stdout,), daemon=True),
                         Thread(target=self._collect, args=(process.stderr,), daemon=True)]
        for thread in self._threads:
            thread.start()

    def _write(self, stream: IO[bytes]) -> None:
        while (line := self._requests.get()) is not None:
            try:
                view = memoryview(line)
                while view:
                    view = view[stream.write(view) or 0:]
            except OSError:
                return                              # the reader sees the end of the output

    def _read(self, stream: IO[bytes]) -> None:
        held = bytearray()
        while True:
            try:
                chunk = stream.read(1 << 16)
            except OSError:
                chunk = b""
            if not chunk:
                self._offer(_Ended("the program ended its output" + (f" within the line {clipped(_decoded(bytes(held)))}" if held else "")))
                return
            held += chunk
            while (end := held.find(b"\n")) >= 0:
                line = bytes(held[:end])
                del held[:end + 1]
                if not self._offer(line):
                    return
            if len(held) > MAX_LINE:
                self._offer(_Ended(f"a line of more than {MAX_LINE} bytes: {clipped(_decoded(bytes(held[:400])))}"))
                return

    def _offer(self, item: bytes | _Ended) -> bool:
        while not self._closing:
            try:
                self._lines.put(item, timeout=1)
                return True
            except queue.Full:
                continue
        return False

    def _collect(self, stream: IO[bytes]) -> None:
        while True:
            try:
                chunk = stream.read(1 << 16)
            except OSError:
                return
            if not chunk:
                return
            self._errors += chunk
            del self._errors[:-_TAIL]

    def _parsed(self, line: bytes, point: Point) -> Any:
        def inexact(text: str) -> Any:
            raise ExactnessError(f"the JSON number {clipped(text)} is a float; write a string \"p/q\"")

        if len(line) > MAX_LINE:
            raise self._failure(point, f"a line of more than {MAX_LINE} bytes")
        try:
            answer = json.loads(line, parse_float=inexact, parse_constant=inexact)
            if self.decimal and isinstance(answer, list):
                answer = [parse_decimal(x) if isinstance(x, str) else x for x in answer]
            return answer
        except ExactnessError as error:
            raise ExactnessError(f"{self._where(point)}: {error}; the oracle wrote {clipped(_decoded(line))}") from None
        except (ValueError, RecursionError) as error:
            raise self._failure(point, f"the line {clipped(_decoded(line))} is not JSON ({clipped(str(error))})") from None

    def _failure(self, point: Point, what: str) -> InputError:
        """The error of this query; it carries the exit code and the end of standard error, if the program has ended."""
        text = f"{self._where(point)}: oracle {clipped(' '.join(self.command))}: {what}"
        process = self._process
        self.close()
        if process is not None and process.returncode is not None and process.returncode != -signal.SIGKILL:
            text += f"; exit code {process.returncode}"
        shown = _decoded(bytes(self._errors)).strip()
        if shown:
            text += f"; standard error ends with: {shown[-_TAIL:]}"
        return InputError(text)

    def close(self) -> None:
        """Kill the program and what it has started, wait for it, and end the threads."""
        process, self._process = self._process, None
        if process is None:
            return
        self._closing = True
        try:
            if not self._threads[1].is_alive():     # its output has ended: it may need a moment to leave its exit code
                looking = Thread(target=_look, args=(process.pid,), daemon=True)
                looking.start()
                looking.join(timeout=1)
        finally:                                    # an interrupt while waiting must not leave the program behind
            _kill_group(process.pid)
            process.wait()
            self._requests.put(None)
            for thread in self._threads:
                thread.join(timeout=2)
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()


def _look(pid: int) -> None:
    """Wait for the end of a child without reaping it, so that its number cannot be given away before the group is killed."""
    with suppress(ChildProcessError):
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "replace")
