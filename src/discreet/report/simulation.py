"""Curves of regret for the terminal and for a figure: tables that fit, numbers that are never cut."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.report.theme import LIGHT
from discreet.simulate import RegretCurve
from discreet.simulate.curve import spaced

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console, RenderableType
    from rich.table import Table

_COLORS = tuple(color for name, color in LIGHT.items() if name.startswith("line-"))
_DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)))
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "path",
    "svg.hashsalt": "discreet",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": LIGHT["edge"],
    "axes.labelcolor": LIGHT["ink"],
    "text.color": LIGHT["ink"],
    "xtick.color": LIGHT["soft"],
    "ytick.color": LIGHT["soft"],
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LIGHT["rule"],
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "font.size": 9,
    "axes.titlesize": 10,
}
_ROWS = 7  # of a table of horizons, at least, where so many were recorded


def shown(curve: RegretCurve) -> list[int]:
    """The places of about ten horizons, evenly spaced on a log scale.

    >>> from discreet import environments, experts, simulate
    >>> curve = simulate.regret(experts.PrefixSoftmax(2, epsilon=1.0), environments.one_gap(2, 0.5), 2000, runs=2)
    >>> curve.horizons[shown(curve)].tolist()
    [1, 3, 10, 32, 100, 316, 1000, 2000]
    """
    rounds = int(curve.horizons[-1])
    wanted = next((some for n in (1, 2, 4) if len(some := spaced(rounds, n)) >= _ROWS), curve.horizons)
    return [int(place) for place in np.flatnonzero(np.isin(curve.horizons, wanted))]


def decimals(values: Sequence[float]) -> int:
    """Decimals that show the largest of some numbers to four digits, one at least.

    >>> decimals([0.5, 123.4]), decimals([0.0123])
    (1, 5)
    """
    largest = max(map(abs, values), default=0.0)
    return 1 if largest == 0 else min(15, max(1, 3 - math.floor(math.log10(largest))))


def written(value: float, places: int) -> str:
    """A number with so many decimals.

    >>> written(12345.678, 1), written(-0.001, 2)
    ('12,345.7', '0.00')
    """
    return f"{value:z,.{places}f}"


def span(low: float, high: float, places: int) -> str:
    """An interval."""
    return f"{written(low, places)} to {written(high, places)}"


def fitting(headings: Sequence[str], rows: Sequence[Sequence[str]], console: Console, first: int = 0) -> RenderableType:
    """A table, with intervals on one line or on two, or a list where neither fits: no number is ever cut.

    first: the least width of the first column, where its texts may be folded.
    """
    from rich.measure import Measurement

    for separator, gap in product((" ", "\n"), (1, 0)):  # the box leaves one space between columns by itself
        split = [[name, *(_parted(cell, separator) for cell in cells)] for name, *cells in rows]
        table = _table(headings, split, gap, first)
        if Measurement.get(console, console.options.update(max_width=10_000), table).minimum <= console.width:
            return table
    return _list(headings, rows)


def _parted(cell: str, separator: str) -> str:
    return cell.replace(" to ", f" to{separator}").replace(" ± ", f"{separator}± ")


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], gap: int, first: int) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False)
    columns = [[heading, *cells] for heading, *cells in zip(headings, *rows, strict=True)]
    widths = [max(len(line) for cell in column for line in cell.splitlines()) for column in columns]
    if first:
        table.add_column(headings[0], min_width=min(first, widths[0]), overflow="fold")
    else:
        table.add_column(headings[0], justify="right", no_wrap=True, min_width=widths[0])
    for heading, width in zip(headings[1:], widths[1:], strict=True):
        table.add_column(heading, justify="right", no_wrap=True, min_width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _list(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> RenderableType:
    """The same numbers, one below the other."""
    from rich.text import Text

    names = [" ".join(heading.split()) for heading in headings]
    lines = Text("\n")
    blocks = []
    for row in rows:
        values = "".join(f"\n  {name}: {value}" for name, value in zip(names[1:], row[1:], strict=True))
        blocks.append(Text.assemble((f"{names[0]} {row[0]}", "bold"), values))
    return lines.join(blocks)


@contextmanager
def drawing() -> Iterator[None]:
    """Matplotlib with settings of ours alone, whatever the user's are; draw and save inside."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def draw(panels: Sequence[tuple[str, Sequence[RegretCurve]]], title: str) -> Figure:
    """A panel for each group of curves, with its own title, and one legend below all of them."""
    from matplotlib.figure import Figure

    columns = min(3, len(panels))
    lines = math.ceil(len(panels) / columns)
    names = list(dict.fromkeys(curve.title for _, curves in panels for curve in curves))
    handles: dict[str, Any] = {}
    with drawing():
        figure = Figure((max(7.0, 3.7 * columns), 0.6 + 3.9 * lines), layout="constrained", facecolor="white")
        for place, (heading, curves) in enumerate(panels):
            ax = figure.add_subplot(lines, columns, place + 1)
            for curve in curves:
                curve.plot(ax, **_style(names.index(curve.title)))
            ax.set_title(heading)
            if all(curve.interval()[0].min() >= 0 for curve in curves):
                ax.set_ylim(bottom=0)
            handles |= dict(zip(*ax.get_legend_handles_labels()[::-1], strict=True))
        legend = [handles[name] for name in names]
        figure.suptitle(title, fontsize=10).set_parse_math(False)  # a dollar in the name of a log is a dollar
        figure.legend(legend, names, loc="outside lower center", ncols=min(3, len(names)))
    return figure


def _style(place: int) -> dict[str, Any]:
    """Color, dashes and mark of the line at a place, so that nobody needs the colors."""
    return {
        "color": _COLORS[place % len(_COLORS)],
        "linestyle": _DASHES[place % len(_DASHES)],
        "marker": _MARKS[place % len(_MARKS)],
        "linewidth": 1.4,
    }
