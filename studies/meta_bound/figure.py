"""The figure of this study."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.figures import COLORS, MARKS, line_style, panels
from studies.meta_bound.learners import FIXED, REACTING
from studies.meta_bound.results import Results


def figure(results: Results) -> Figure:
    """Regret beside the bound, growth, eigenvalues."""
    drawn, (parts, growth, values) = panels(3, width=11.5, height=3.9)
    _parts(parts, results)
    _growth(growth, results)
    _values(values, results)
    return drawn


def _parts(axes: Axes, results: Results) -> None:
    kinds = [*FIXED, *REACTING]
    for place, losses in enumerate(dict.fromkeys(one.case.losses for one in results.fixed())):
        mine = [one for one in (*results.fixed(), *results.reacting()) if one.case.losses == losses]
        at = [kinds.index(one.case.kind) + 0.2 * (place - 1) for one in mine]
        axes.scatter(at, [one.part for one in mine], s=12, color=COLORS[place], marker=MARKS[place], label=losses)
    axes.axhline(1.0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(kinds)), kinds, rotation=45, ha="right", fontsize=7)
    axes.set(ylabel="regret / bound of theorem 3", title="fixed and reacting learners")
    axes.legend(fontsize=7)


def _growth(axes: Axes, results: Results) -> None:
    rows = {f"{kind}, hard gap": results.growth(kind, "hard gap") for kind in ("all differ", "two cliques")}
    for place, (name, row) in enumerate((rows | {"two rivals": results.rivals(5.0)}).items()):
        rounds, errors = [one.case.rounds for one in row], [1.96 * one.regret.error for one in row]
        regrets = [max(one.regret.value, 0.1) for one in row]
        axes.errorbar(rounds, regrets, yerr=errors, capsize=2, **line_style(place), label=name)
        bounds = [one.bound.value for one in row]
        axes.plot(rounds, bounds, color=COLORS[place], linewidth=0.8, label=None if place else "thin: bounds")
    axes.set(xscale="log", yscale="log", xlabel="rounds T", ylabel="regret, in losses", title="scale 5")
    axes.set_ylim(bottom=1)
    ticks = [one.case.rounds for one in results.rivals(5.0)]
    axes.set_xticks(ticks, [f"{rounds:,}" for rounds in ticks])
    axes.set_xticks([], minor=True)
    axes.legend(fontsize=7)


def _values(axes: Axes, results: Results) -> None:
    sizes = np.array(list(results.worst))
    axes.plot(
        sizes, [value for value, _ in results.worst.values()], **line_style(0), label="worst of all ways to agree"
    )
    axes.plot(sizes, sizes / 2, color="black", linewidth=0.8, label="m / 2")
    axes.axhline(1.0, color="black", linewidth=0.8, linestyle=":", label="all differ: 1")
    m = min(one.case.m for one in results.fixed())
    mine = [one for one in (*results.fixed(), *results.reacting()) if one.case.m == m]
    axes.scatter([m] * len(mine), [one.eigenvalue.value for one in mine], s=12, color=COLORS[1], label="cases played")
    axes.set(xlabel="learners m", ylabel="largest eigenvalue / (scale² T)", title="Sigma*", ylim=(0, None))
    axes.legend(fontsize=7)
