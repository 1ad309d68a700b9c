"""Figure 3: the total loss of each action, against what the learner came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.replay.result import Result
from discreet.report.svg import axes, drawing, figure, inline, label_width, marks
from discreet.report.theme import stand_in
from discreet.report.timeline import mark
from discreet.report.words import count, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Total loss of each action and mean total loss of the learner"
MOST_ROWS = 30
_ROW = 22


def shown(result: Result) -> NDArray[np.int64]:
    """The actions with a row, the best first."""
    return np.argsort(result.totals, kind="stable")[:MOST_ROWS]


def left_out(result: Result) -> str:
    """How many actions have no row; empty where all have one."""
    more = len(result.actions) - MOST_ROWS
    worst = number(result.totals.max())
    return f"The {MOST_ROWS} best are shown; {count(more, 'other')} reach up to {worst}" if more > 0 else ""


def draw(result: Result, form: str) -> str:
    """The figure for a wide page or a narrow one."""
    wide, kept = form == "wide", shown(result)
    with drawing():
        made = figure(860 if wide else 350, 34 + _ROW * len(kept) + 46)
        totals = result.totals[kept]
        widest = max(label_width(number(total)) for total in totals.tolist())
        ax = axes(made, left=190 if wide else 124, right=max(78 if wide else 66, 12 + widest), top=34, bottom=46)
        mine = float(result.curves[0].loss.mean())
        _learner(ax, mine)
        _dots(ax, totals, kept == result.best)
        _scales(ax, [mark(result, action, 26 if wide else 15) for action in kept.tolist()])
        return inline(made, f"totals-{form}", TITLE)


def _learner(ax: Axes, mine: float) -> None:
    """A line through all rows where the learner is."""
    color = stand_in("line-1")
    ax.axvline(mine, color=color, lw=1.8, linestyle=(0, (4, 2)))
    ax.annotate(
        f"the learner: {number(mine)}",
        (mine, 1),
        xytext=(-4, 6),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        color=color,
        fontweight="bold",
    )


def _dots(ax: Axes, totals: NDArray[np.float64], best: NDArray[np.bool_]) -> None:
    places = np.arange(len(totals))
    ax.hlines(places, 0, 1, transform=ax.get_yaxis_transform(), color=stand_in("rule"), lw=0.8)
    for which, marker, size in ((~best, "o", 6.5), (best, "D", 8.0)):
        ax.plot(totals[which], places[which], marker, color=stand_in("line-0"), ms=size, mew=0, clip_on=False)
    for place, total in zip(places.tolist(), totals.tolist(), strict=True):
        spot = (1, place)
        ax.annotate(
            number(total), spot, (8, 0), ax.get_yaxis_transform(), "offset points", va="center", annotation_clip=False
        )


def _scales(ax: Axes, names: list[str]) -> None:
    ax.margins(x=0.06)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0)
    marks(ax, most=4)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("total loss over all rounds (left is better)")
