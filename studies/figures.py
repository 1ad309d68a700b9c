"""Figures of one style: plain axes, colors and dashes that can be told apart, the same bytes each time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from discreet.report.theme import LIGHT

#: The colors of lines, in order.
COLORS = tuple(color for name, color in LIGHT.items() if name.startswith("line-"))
#: Dashes that go with them, so that nobody needs the colors.
DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)))
#: Marks that go with them.
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")

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


@contextmanager
def style() -> Iterator[None]:
    """Matplotlib with these settings alone, whatever the user's are; draw and save inside."""
    with rc_context():
        rcdefaults()
        rcParams.update(_SETTINGS)
        yield


def panels(count: int, height: float = 3.2, width: float = 8.4) -> tuple[Figure, list[Axes]]:
    """A figure with so many panels side by side."""
    figure = Figure((width, height), layout="constrained", facecolor="white")
    return figure, [figure.add_subplot(1, count, place + 1) for place in range(count)]


def line_style(place: int) -> dict[str, Any]:
    """Color, dashes and mark of the line at a place; keywords for `Axes.plot`."""
    return {
        "color": COLORS[place % len(COLORS)],
        "linestyle": DASHES[place % len(DASHES)],
        "marker": MARKS[place % len(MARKS)],
        "markersize": 3.5,
        "linewidth": 1.4,
    }


def save(figure: Figure, path: Path) -> None:
    """Write an SVG without dates."""
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
