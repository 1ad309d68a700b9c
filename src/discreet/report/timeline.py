"""Figure 2: which action was played when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.replay.result import Shown, Timeline
from discreet.report.data import played
from discreet.report.svg import axes, drawing, figure, inline, log_rounds
from discreet.report.theme import stand_in
from discreet.report.words import count, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Which action was played when, one row for each action"
MOST_ROWS = 20
_MOST_STRETCHES = 1000
_ROW = 24
Floats = NDArray[np.float64]


def shown(result: Shown) -> NDArray[np.int64]:
    """The actions with a row: those played most, in order of their time, the best action first among equals."""
    counts = played(result)
    order = np.lexsort((result.totals, -counts))
    return order[counts[order] > 0][:MOST_ROWS]


def left_out(result: Shown) -> str:
    """How many actions have no row, and why; empty where all have one."""
    counts = played(result)
    never = int((counts == 0).sum())
    rarely = len(counts) - never - len(shown(result))
    parts = []
    if rarely:
        parts.append(f"{count(rarely, 'more action')} {_was(rarely)} played for less time")
    if never:
        parts.append(f"{count(never, 'other action' if not rarely else 'action')} {_was(never)} never played")
    return "; ".join(parts)


def in_shares(result: Shown) -> bool:
    """Whether there are too many stretches to draw each, so that a bar's height is a share of its rounds."""
    return len(result.timeline.starts) > _MOST_STRETCHES


def draw(result: Shown, form: str) -> str:
    """The figure for a wide page or a narrow one."""
    wide, kept = form == "wide", shown(result)
    with drawing():
        made = figure(860 if wide else 350, 12 + _ROW * len(kept) + 46)
        ax = axes(made, left=190 if wide else 124, right=16, top=12, bottom=46)
        edges = _edges(result.timeline, in_shares(result))
        for place, action in enumerate(kept.tolist()):
            color = stand_in("line-0" if action == result.best else "line-1")
            heights = 0.66 * _shares(result.timeline, action, edges)
            low = np.full(len(heights), place + 0.33)
            ax.stairs(low - heights, edges + 1, baseline=low, fill=True, color=color, lw=0)
        _scales(ax, result, kept, 26 if wide else 15)
        return inline(made, f"timeline-{form}", TITLE)


def _edges(timeline: Timeline, binned: bool, cells: int = 150) -> Floats:
    """Where bars may begin and end: at each change or, where those are many, in cells that grow by a factor."""
    if binned:
        return np.unique(np.round(np.geomspace(1, timeline.rounds + 1, cells + 1))) - 1
    return np.append(timeline.starts, timeline.rounds).astype(np.float64)


def _shares(timeline: Timeline, action: int, edges: Floats) -> Floats:
    """The share of the rounds between two edges in which the action was played."""
    ends = np.append(timeline.starts, timeline.rounds)
    times = np.append(0, np.cumsum(np.diff(ends) * (timeline.actions == action)))
    shares: Floats = np.diff(np.interp(edges, ends, times)) / np.diff(edges)
    return shares


def _scales(ax: Axes, result: Shown, kept: NDArray[np.int64], length: int) -> None:
    log_rounds(ax, result.timeline.rounds + 1)
    ax.set_ylim(len(kept) - 0.5, -0.5)
    ax.set_yticks(range(len(kept)), [mark(result, action, length) for action in kept.tolist()])
    ax.tick_params(axis="y", length=0)
    ax.grid(True, axis="x", lw=0.8)
    ax.set_xlabel("round (tenfold steps)")


def mark(result: Shown, action: int, length: int) -> str:
    """The name of an action; the best one carries a star."""
    return ("★ " if action == result.best else "") + short(result.actions[action], length)


def _was(n: int) -> str:
    return "was" if n == 1 else "were"
