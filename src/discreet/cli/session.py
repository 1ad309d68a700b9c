"""What the subcommands share: one sentence and exit code 2 for bad input, and a progress bar for long work."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0  # seconds without a bar


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn the errors that bad input raises into one sentence on standard error and exit code 2."""
    try:
        yield
    except (ValueError, OSError, ModuleNotFoundError) as error:
        hint = "; install it with: pip install 'discreet[command]'" if isinstance(error, ModuleNotFoundError) else ""
        typer.echo(f"discreet: {' '.join(str(error).split())}{hint}", err=True)
        raise typer.Exit(2) from error


@contextmanager
def progress_bar(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A function to tell how many rounds are done; it shows a bar after a second, and only on a terminal."""
    started = time.monotonic()
    bars: list[Progress] = []

    def tell(done: int) -> None:
        if not sys.stderr.isatty() or time.monotonic() - started < _PATIENCE:
            return
        if not bars:
            bars.append(_bar(label, total))
        bars[0].update(bars[0].task_ids[0], completed=done)

    try:
        yield tell
    finally:
        for bar in bars:
            bar.stop()


def _bar(label: str, total: int | None) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(label, total=total)
    bar.start()
    return bar
