"""The table of learners for the terminal."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from discreet.replay.result import Result
from discreet.report.data import Row, released_row, rows
from discreet.report.words import NOT_PRIVATE, between, bound, headline, number, plain, privacy, runs, warning

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_HEADINGS = ("private", "mean\ntotal loss", "mean\nregret", "95% interval\nof the mean", "95% of\nruns", "runs")


def print_table(result: Result, console: Console) -> None:
    """Print how the learners did: the owner's view, not private."""
    from rich.text import Text

    most, on_what = bound(result)
    guarantee = f"{plain(result.guarantee)}: {plain(result.guarantee_words)}"
    console.print(Text(f" {NOT_PRIVATE} ", style="bold reverse"))
    console.print(Text(warning(result)), "")
    console.print(Text(" ".join(headline(result))), "")
    console.print(_fitting(result, console), "")
    console.print(Text.assemble(("Guarantee: ", "bold"), guarantee))
    console.print(Text.assemble(("Bound: ", "bold"), f"{most}: {on_what}"))


def _fitting(result: Result, console: Console) -> RenderableType:
    """The table, with intervals on one line or on two, or a list where neither fits: no number is ever cut."""
    from rich.measure import Measurement

    for separator, gap in product((" to ", " to\n"), (1, 0)):
        table = _table(result, separator, gap)
        if Measurement.get(console, console.options.update(max_width=10_000), table).minimum <= console.width:
            return table
    return _list(result)


def _table(result: Result, separator: str, gap: int) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    lines = [_cells(line, separator) for line in rows(result)]
    released = released_row(result)
    last = [] if released is None else [_cells(released, separator)]
    table = Table(box=box.SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("learner", min_width=15, overflow="fold")
    for heading, *column in zip(_HEADINGS, *(cells[1:] for cells in lines + last), strict=True):
        table.add_column(heading, justify="right", no_wrap=True, min_width=_width([heading, *column]))
    for i, cells in enumerate(lines):
        table.add_row(*map(Text, cells), style="bold" if i == 0 else None)
    for name, *numbers in last:
        table.add_section()
        table.add_row(*map(Text, [f"released run of {name}", *numbers]), style="bold reverse")
    return table


def _width(cells: list[str]) -> int:
    return max(len(line) for cell in cells for line in cell.splitlines())


def _cells(line: Row, separator: str) -> list[str]:
    ends = [between(line.interval), between(line.spread)]
    found = "exact" if line.exact else f"{line.runs:,}"
    return [
        plain(line.title),
        "yes" if line.private else "no",
        number(line.loss),
        number(line.regret),
        *(end.replace(" to ", separator) for end in ends),
        found,
    ]


def _list(result: Result) -> RenderableType:
    """The same numbers, one below the other."""
    from rich.text import Text

    parts = [_block(line, plain(line.title)) for line in rows(result)]
    released = released_row(result)
    if released is not None:
        parts.append(_block(released, f"released run of {plain(released.title)}"))
    return Text("\n").join([Text.assemble((name, "bold"), f"\n{rest}") for name, rest in parts])


def _block(line: Row, name: str) -> tuple[str, str]:
    said = {
        "mean total loss": number(line.loss),
        "mean regret": number(line.regret),
        "95% interval of the mean": between(line.interval),
        "95% of runs": between(line.spread),
    }
    numbers = "\n".join(f"  {what}: {value}" for what, value in said.items())
    return name, f"  {privacy(line)}, {runs(line)}\n{numbers}"
