"""A progress bar on a terminal, if rich is installed; otherwise nothing.  It writes to standard error only."""

from __future__ import annotations

import sys
from argparse import Namespace
from types import TracebackType
from typing import Any


class Bar:
    """Use as a context; its methods are progress callbacks."""

    def __init__(self, options: Namespace, what: str) -> None:
        self._progress: Any = None
        self._task: Any = None
        if options.quiet or not sys.stderr.isatty():
            return
        try:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
        except ImportError:
            return
        self._progress = Progress(TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"),
                                  TextColumn("{task.fields[note]}"), TimeElapsedColumn(), console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task(what, total=1, note="")

    def __enter__(self) -> Bar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._progress is not None:
            self._progress.stop()

    def neurons(self, done: int, total: int, cells: int) -> None:
        """Progress of a subdivision."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total, note=f"{cells} cells")

    def rank(self, stage: str, rank: int, expected: int) -> None:
        """Progress of a rank search."""
        if self._progress is not None:
            self._progress.update(self._task, completed=rank, total=expected, note=stage)
