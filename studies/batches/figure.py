"""The figure of this study."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.batches.hidden import EPSILON
from studies.batches.results import Results
from studies.figures import COLORS, MARKS, line_style, panels


def figure(results: Results) -> Figure:
    """Choices, deltas, changes."""
    drawn, (choices, hidden, changes) = panels(3, width=11.5, height=3.8)
    _choices(choices, results)
    _hidden(hidden, results)
    _changes(changes, results)
    return drawn


def _choices(axes: Axes, results: Results) -> None:
    floor = 1e-3
    for place, tolerance in enumerate(sorted({one.setting.tolerance for one in results.played})):
        mine = results.at_tolerance(tolerance)
        allowed = [one.tolerated.value for one in mine]
        different = [max(one.different.value, floor) for one in mine]
        axes.scatter(allowed, different, s=16, color=COLORS[place], marker=MARKS[place], label=f"tolerance {tolerance}")
    ends = (
        0.9 * min(one.tolerated.value for one in results.played),
        max(one.setting.allowed for one in results.played),
    )
    axes.plot(ends, ends, color="black", linewidth=0.8, label="as many as tolerated")
    axes.set(xscale="log", yscale="log", xlabel="rounds of a run tolerated", ylabel="rounds of a run that differ")
    axes.set(title="different choices", ylim=(0.8 * floor, None))
    axes.legend(fontsize=7)


def _hidden(axes: Axes, results: Results) -> None:
    gaps = [float(one.losses.split()[1]) for one in results.gaps]
    deltas, errors = [one.delta.value for one in results.gaps], [1.96 * one.delta.error for one in results.gaps]
    axes.errorbar(gaps, deltas, yerr=errors, capsize=2, **line_style(0))
    axes.set_xscale("symlog", linthresh=0.01)
    axes.set(xlabel="gap of the losses", ylabel=f"delta at epsilon {EPSILON:g}, estimated", ylim=(0, None))
    axes.set_title(f"one round of {results.gaps[0].t:,}")


def _changes(axes: Axes, results: Results) -> None:
    for place, size in enumerate(sorted({one.n_actions for one in results.changes})):
        mine = [one for one in results.changes if one.n_actions == size]
        bounds = [one.bound for one in mine]
        label, seen = f"union, K = {size}", [one for one in mine if one.seen]
        axes.plot(bounds, [one.union for one in mine], **(line_style(place) | {"marker": "", "label": label}))
        at, chances = [one.bound for one in seen], [one.seen for one in seen]
        axes.scatter(at, chances, s=16, color=COLORS[place], marker=MARKS[place], label=f"seen, K = {size}")
    ends = (min(one.bound for one in results.changes), 1.0)
    axes.plot(ends, ends, color="black", linewidth=0.8, label="theorem 1")
    axes.set(xscale="log", yscale="log", xlabel="bound of theorem 1", ylabel="chance", title="changes of the leader")
    axes.legend(fontsize=6)
