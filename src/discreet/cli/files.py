"""The files of a simulation: the curve as a table, and the plot. Checked before any work, written whole."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANEL = "Results"

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=PANEL)]
CsvOption = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE", help="Write the regret at every horizon to a .csv.", rich_help_panel=PANEL),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw regret over the rounds (.svg, .png or .pdf).", rich_help_panel=PANEL),
]


@dataclass(frozen=True)
class Files:
    """Where the results go. What is made from a log is its owner's and can be read by no one else."""

    table: Path | None
    plot: Path | None
    shared: bool = True

    @property
    def wanted(self) -> list[Path]:
        """The files that were asked for."""
        return [path for path in (self.table, self.plot) if path is not None]

    def check(self, log: Path | None) -> None:
        """Refuse files that could not be written, or would replace the log, each other, or what was not made here."""
        from discreet.cli.plots import check_plot
        from discreet.replay.release import check_writable

        paths = self.wanted + ([] if log is None else [log])
        if any(same_file(one, two) for one, two in combinations(paths, 2)):
            raise ValueError("the table, the plot and the log must be different files")
        if self.table is not None and self.table.suffix.lower() != ".csv":
            raise ValueError(f"{self.table} has an unknown ending; a table is a .csv file")
        if self.table is not None:
            check_writable(self.table)
            if os.path.lexists(self.table) and not _is_table(self.table):
                raise ValueError(f"{self.table} exists and is no table of a simulation; it is left alone")
        if self.plot is not None:
            check_plot(self.plot)

    def write(self, headings: Sequence[str], rows: Iterable[Sequence[object]], figure: Figure | None) -> None:
        """Write both, each beside its place first."""
        from discreet.cli.plots import drawn
        from discreet.replay.release import whole_file

        contents = []
        if self.table is not None:
            contents.append((self.table, _table(headings, rows)))
        if self.plot is not None and figure is not None:
            contents.append((self.plot, drawn(figure, self.plot.suffix.lower())))
        with ExitStack() as stack:
            for path, content in contents:
                stack.enter_context(whole_file(path, shared=self.shared)).write(content)


@contextmanager
def printing(written: Sequence[Path]) -> Iterator[None]:
    """Where the results are printed; should that fail, what was written is still there and is named."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        kept = f"; written: {' and '.join(map(str, written))}" if written else ""
        typer.echo(f"discreet: the results cannot be printed: {error.strerror}{kept}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is in the buffer has nowhere to go
        raise typer.Exit(1) from error


def same_file(one: Path, two: Path) -> bool:
    """Whether two paths lead to one file, or would."""
    if one.exists() and two.exists():
        return one.samefile(two)
    return one.resolve() == two.resolve()


def _is_table(path: Path) -> bool:
    """Whether a file looks like a table that was written here, by the names of its columns."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            names = next(csv.reader(file), [])
    except (OSError, ValueError, csv.Error):
        return False
    return "horizon" in names[:3] and {"mean", "low", "high"} <= set(names)


def _table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return text.getvalue().encode()
