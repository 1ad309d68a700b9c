"""The figure of this study."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.central_local.cases import BATCH, PURE, TREE, WALK, Cost
from studies.central_local.equivalent import READINGS
from studies.central_local.results import Results
from studies.figures import line_style, panels


def figure(results: Results) -> Figure:
    """Regret over epsilon, by each reading."""
    drawn, both = panels(2, width=9.5, height=4.0)
    for axes, reading in zip(both, READINGS, strict=True):
        _panel(axes, results, reading)
    low = min(axes.get_ylim()[0] for axes in both)
    for axes in both:
        axes.set_ylim(low, 1.6 * results.data.by_lot)
    both[0].set_ylabel("regret, in losses")
    both[0].legend(fontsize=7, loc="lower left")
    return drawn


def _panel(axes: Axes, results: Results, reading: str) -> None:
    rows = results.rows(reading)
    lines: dict[str, list[Cost]] = {
        f"{PURE[0]}, central": [row.pure[0] for row in rows],
        f"{PURE[1]}, central": [row.pure[1] for row in rows],
        f"{TREE}, central": [row.tree for row in rows],
        f"{WALK}, local": [row.local.walk for row in rows],
        f"{BATCH}, local": [row.local.batch for row in rows],
    }
    epsilons = [row.epsilon for row in rows]
    for place, (name, costs) in enumerate(lines.items()):
        means, errors = [one.mean for one in costs], [1.96 * one.error for one in costs]
        axes.errorbar(epsilons, means, yerr=errors, capsize=2, label=name, **line_style(place))
    axes.axhline(results.data.by_lot, color="black", linewidth=0.8, label="a team by lot")
    axes.set(xscale="log", yscale="log", xlabel="epsilon", title=f"mu by equal {reading}")
    axes.set_xticks(epsilons, [f"{epsilon:g}" for epsilon in epsilons])
    ticks = [tick for tick in (1, 3, 10, 30, 100, 300) if axes.get_ylim()[0] <= tick <= axes.get_ylim()[1]]
    axes.set_yticks(ticks, [f"{tick}" for tick in ticks])
    axes.minorticks_off()
