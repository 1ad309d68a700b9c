"""Figure 1: regret over the rounds, one line a learner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.replay.result import Curve, Result
from discreet.report.data import HIGH, LOW
from discreet.report.svg import axes, drawing, figure, inline, inner_size, log_rounds, thousands
from discreet.report.theme import line_color, line_dashes, stand_in
from discreet.report.words import number, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Regret over the rounds, one line for each learner"
_LABEL = 15.0  # height of a label at the end of a line
_FAR, _NEAR = 10, 4  # a line this much higher than the chosen learner's band is cut off at that much


def draw(result: Result, form: str) -> str:
    """The figure for a wide page, with names, or a narrow one, with the numbers of the legend alone."""
    wide = form == "wide"
    with drawing():
        made = figure(*(860, 420) if wide else (350, 330))
        ax = axes(made, left=48, right=250 if wide else 38, top=26, bottom=44)
        for place, curve in reversed(list(enumerate(result.curves))):
            _line(ax, place, curve)
        _scales(ax, result)
        for place, (name, end, y) in enumerate(_names(ax, result, wide)):
            _label(ax, place, name, end, y)
        return inline(made, f"regret-{form}", TITLE)


def top(result: Result) -> float | None:
    """Where the figure is cut off, for the sake of the chosen learner, when others lose many times as much."""
    focus = float(result.curves[0].quantile(HIGH).max())
    reach = max(float(curve.mean.max()) for curve in result.curves)
    return _NEAR * focus if reach > _FAR * focus > 0 else None


def _reach(result: Result) -> tuple[float, float]:
    """The lowest and the highest regret of the figure, with a little room below and above."""
    chosen = result.curves[0]
    lows = [chosen.quantile(LOW), *(curve.mean for curve in result.curves)]
    highs = [chosen.quantile(HIGH), *(curve.mean for curve in result.curves)]
    low = min(0.0, *(float(values.min()) for values in lows))
    high = top(result) or 1.05 * max(float(values.max()) for values in highs)
    high = max(high, 1.0)
    return low - 0.04 * (high - low), high


def _line(ax: Axes, place: int, curve: Curve) -> None:
    """The mean, and for the chosen learner the band in which 95% of its runs lie."""
    color = stand_in(line_color(place))
    if place == 0 and curve.runs > 1:
        ax.fill_between(curve.rounds, curve.quantile(LOW), curve.quantile(HIGH), color=color, alpha=0.16, lw=0)
    width = 1.8 if place else 3.0
    dashes = [float(length) / width for length in line_dashes(place).split()]
    style = (0.0, dashes) if dashes else "-"
    (line,) = ax.plot(curve.rounds, curve.mean, color=color, lw=width, linestyle=style, dash_capstyle="butt")
    if len(curve.rounds) == 1:
        line.set(marker="o", clip_on=False)


def _scales(ax: Axes, result: Result) -> None:
    """Rounds by factors of ten: what is learned is learned early, and a plain scale would hide it."""
    from matplotlib.ticker import MaxNLocator

    log_rounds(ax, max(result.rounds, 2))
    ax.set_ylim(*_reach(result))
    ax.yaxis.set_major_locator(MaxNLocator(6))
    ax.yaxis.set_major_formatter(thousands())
    ax.grid(True, which="major", lw=0.8)
    ax.set_xlabel("rounds played (tenfold steps)")
    place = (0.0, 1.0)
    ax.annotate("mean regret, in losses", place, (-44, 12), "axes fraction", "offset points", fontsize=12)


def _names(ax: Axes, result: Result, wide: bool) -> list[tuple[str, float, float]]:
    """The label of each line, the height at which the line ends, and the height for the label."""
    height = inner_size(ax)[1]
    low, high = ax.get_ylim()
    last = [float(curve.mean[-1]) for curve in result.curves]
    ends = np.clip((np.array(last) - low) / (high - low), 0, 1) * height
    names = []
    for place, (curve, value) in enumerate(zip(result.curves, last, strict=True)):
        beyond = "↑" if value > high else ""
        name = f"  {short(curve.title, 26 if beyond else 33)}" if wide else ""
        names.append(f"{place + 1}{beyond}{name}{f': {number(value)}' if wide and beyond else ''}")
    return list(zip(names, ends.tolist(), apart(ends, _LABEL, height).tolist(), strict=True))


def _label(ax: Axes, place: int, name: str, end: float, y: float) -> None:
    color = stand_in(line_color(place))
    ax.annotate(
        name,
        (1, end / inner_size(ax)[1]),
        xytext=(16, y - end),
        xycoords="axes fraction",
        textcoords="offset points",
        va="center",
        annotation_clip=False,
        color=color,
        fontweight="normal" if place else "bold",
        arrowprops={"arrowstyle": "-", "color": color, "lw": 0.8, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)},
    )


def apart(wanted: NDArray[np.float64], gap: float, height: float) -> NDArray[np.float64]:
    """Positions near the wanted ones, at least a gap apart, below the height where there is room.

    >>> apart(np.array([0.0, 1.0, 50.0]), 10.0, 100.0).tolist()
    [0.0, 10.0, 50.0]
    """
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(len(order))
    spots = np.maximum.accumulate(wanted[order] - steps)
    spots = np.minimum(spots, max(height - steps[-1], 0.0)) + steps
    placed = np.empty(len(spots))
    placed[order] = spots
    return placed
