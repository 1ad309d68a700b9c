"""The figure of study 1."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.figures import DASHES, line_style, panels
from studies.prefix_regret.cases import Case
from studies.prefix_regret.fit import Fit


def figure(line: Fit, done: list[Case]) -> Figure:
    """Curves over rounds, the fit, and the constant."""
    drawn, (curves, fitted, constants) = panels(3, width=11.5, height=3.8)
    _draw_curves(curves, done)
    _draw_fit(fitted, line, done)
    _draw_constants(constants, done)
    return drawn


def _draw_curves(axes: Axes, done: list[Case]) -> None:
    most = max(case.n_actions for case in done)
    for case in done:
        if case.n_actions == most and case.epsilon <= 1:
            case.curve.plot(axes, **(_style(case, done) | {"marker": ""}))
    axes.set(ylabel="regret, in losses", yscale="log", ylim=(1, None), title=f"K = {most}")
    axes.legend(fontsize=6, loc="lower right", title="gap, epsilon", title_fontsize=6)


def _draw_fit(axes: Axes, line: Fit, done: list[Case]) -> None:
    for place, size in enumerate(sorted({case.n_actions for case in done})):
        mine = [case for case in done if case.n_actions == size]
        style = line_style(place) | {"linestyle": "", "label": f"K = {size}"}
        axes.plot([line.of(case) for case in mine], [case.mean for case in mine], **style)
    ends = [min(map(line.of, done)), max(map(line.of, done))]
    axes.plot(ends, ends, color="black", linewidth=0.8)
    fitted = f"{line.slopes[0]:.2f} log K / gap + {line.slopes[1]:.2f} log K / rate, in losses"
    axes.set(xscale="log", yscale="log", xlabel=fitted, ylabel="regret, in losses", title="Fit")
    axes.legend(fontsize=7)


def _draw_constants(axes: Axes, done: list[Case]) -> None:
    for first in [case for case in done if case.n_actions == done[0].n_actions]:
        mine = [case for case in done if (case.gap, case.epsilon) == (first.gap, first.epsilon)]
        axes.plot([case.n_actions for case in mine], [case.constant for case in mine], **_style(first, done))
    axes.set(xscale="log", ylim=(0, 22), xlabel="actions K", ylabel="regret / (log K / gap + log K / epsilon)")
    axes.set_title("Constant, where the paper says 1000")
    gaps = len({case.gap for case in done})
    axes.legend(fontsize=6, loc="upper center", ncols=gaps, title="gap, epsilon", title_fontsize=6)


def _style(case: Case, done: list[Case]) -> dict[str, Any]:
    """Color and mark tell epsilon, dashes tell the gap."""
    epsilons, gaps = sorted({one.epsilon for one in done}), sorted({one.gap for one in done}, reverse=True)
    dashes = {"linestyle": DASHES[gaps.index(case.gap)], "label": f"{case.gap:g}, {case.epsilon:g}"}
    return line_style(epsilons.index(case.epsilon)) | dashes
