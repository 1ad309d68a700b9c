"""The figure of this study."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.figures import COLORS, line_style, panels
from studies.smooth.cases import NOISY, SHARP, SMOOTH, Played
from studies.smooth.results import pick


def figure(swept: Sequence[Played], noises: Sequence[Played]) -> Figure:
    """Regret over rounds, and by noise."""
    drawn, (curves, bars) = panels(2, width=9.5, height=3.8)
    _curves(curves, swept)
    _bars(bars, noises)
    return drawn


def _curves(axes: Axes, swept: Sequence[Played]) -> None:
    lines = [(name, "variance") for name in SMOOTH] + [(NOISY, "general"), (SHARP, "general")]
    for place, (name, regularization) in enumerate(lines):
        row = pick(swept, name, regularization=regularization)
        rounds = np.array([one.setting.rounds for one in row])
        means, errors = [one.mean for one in row], [1.96 * one.error for one in row]
        axes.errorbar(rounds, means, yerr=errors, capsize=2, label=name, **line_style(place))
    for name, exponent in (("one direction", 1 / 3), (SHARP, 1 / 2)):
        row = pick(swept, name, regularization="variance" if name in SMOOTH else "general")
        ends = np.array([row[0].setting.rounds, row[-1].setting.rounds])
        axes.plot(ends, 1.25 * row[-1].mean * (ends / ends[-1]) ** exponent, color="black", linewidth=0.7)
    axes.set(xscale="log", yscale="log", xlabel="rounds T", ylabel="regret, in losses", title="d = 10, epsilon 10")
    axes.legend(fontsize=7)


def _bars(axes: Axes, noises: Sequence[Played]) -> None:
    keys = list(dict.fromkeys((one.setting.regularization, one.design) for one in noises))
    for place, noise in enumerate(("tree", "reduced", "toeplitz")):
        mine = [one for one in noises if one.setting.noise == noise]
        at = np.arange(len(keys)) + 0.27 * (place - 1)
        errors = [1.96 * one.error for one in mine]
        axes.bar(at, [one.mean for one in mine], width=0.25, yerr=errors, capsize=2, color=COLORS[place], label=noise)
    axes.set_xticks(range(len(keys)), [f"{regularization},\n{design}" for regularization, design in keys], fontsize=7)
    axes.set(ylabel="regret, in losses", title=f"T = {noises[0].setting.rounds:,}, epsilon 1")
    axes.legend(fontsize=7)
