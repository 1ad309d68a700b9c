"""Figure 2: gains over the weeks, a row for each state and a column for each level."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.figures import COLORS
from studies.hospitals.cases import LEVELS, LINEAR, META, TREES, Played
from studies.hospitals.records import Floats
from studies.hospitals.results import Results, level

ENVELOPE = "#f2b277"


def figure(results: Results) -> Figure:
    """One panel for each setting; all share their axes."""
    drawn = Figure((10.5, 8.0), layout="constrained", facecolor="white")
    grid = drawn.subplots(len(results.states), len(LEVELS), sharex=True, sharey=True, squeeze=False)
    for axes, one in zip(grid.ravel(), results.played, strict=True):
        _panel(axes, one)
    for axes in grid[-1]:
        axes.set_xlabel("weeks")
    for axes, state in zip(grid[:, 0], results.states, strict=True):
        axes.set_ylabel(f"{state.state}: gain so far")
    drawn.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=6, fontsize=8)
    return drawn


def _panel(axes: Axes, one: Played) -> None:
    weeks = np.arange(1, len(one.data.weeks) + 1)
    lines = np.array([_so_far(one, name) for name in LINEAR])
    axes.fill_between(weeks, lines.min(axis=0), lines.max(axis=0), color=ENVELOPE, alpha=0.7, lw=0, label="linear")
    for place, name in enumerate((META, *TREES)):
        axes.plot(
            weeks, _so_far(one, name), color=COLORS[(0, 2, 3)[place]], linestyle=("-", "--", "-.")[place], label=name
        )
    single = one.data.gains.cumsum(axis=0).max(axis=1)
    axes.plot(weeks, single, color="black", linestyle=":", linewidth=1.3, label="best single hospital")
    axes.set_title(f"{one.data.state}, mu = {level(one.mu)}")


def _so_far(one: Played, name: str) -> Floats:
    """The mean gain up to each week."""
    return np.asarray(one.gains[name].mean(axis=0).cumsum())
