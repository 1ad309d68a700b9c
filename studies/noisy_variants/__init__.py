"""The noisy leader's six variants at equal true privacy, and Wu & Wang's tables 1 and 2 with measured columns."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.figures import line_style, panels
from studies.noisy_variants.calibration import Calibrated, calibrated, calibration_table
from studies.noisy_variants.findings import on_calibration, on_losses, on_orders, on_worst_case
from studies.noisy_variants.losses import Change, changes, losses_table, measure, round_by_round
from studies.noisy_variants.orders import (
    EPSILON,
    Growth,
    deterministic_growth,
    growth_table,
    long_runs,
    long_table,
    stochastic_growth,
)
from studies.noisy_variants.worst import shrinking_gaps, worst_gaps, worst_table
from studies.page import Page

ABOUT = """
Algorithm 1 of Wu & Wang has six variants: Laplace, exponential or Gumbel noise, with or without Bernoulli resampling.
Their tables 1 and 2 list what is proved about regret for which of them. Asked here: which does best when all of them
promise the same, what the calibration of exponential noise has to do with it, and whether the orders in the tables
show in what is measured.

**Equal true privacy.** Exponential noise of mean 1/epsilon, as printed, is 2 epsilon-private when a round's whole loss
vector is replaced: one total may rise by 1 while another falls by 1. Run at epsilon/2 it promises epsilon, and it is
then the very selection that `NoisyLeader` calls proved. Everywhere below, exponential noise is calibrated as proved and
`PrefixSoftmax` is without its cap, so that every learner in a row promises the epsilon of the row.

**Methods.** Regret where losses never change and nothing is resampled is exact (`simulate.exact_regret`). All else is
simulated (`simulate.regret`, pseudo-regret, fixed seeds), with ± half of a 95% interval for the mean. Where losses are
0 or 1 the totals with resampling are drawn from the same law as those without, so that the two columns differ by
sampling error alone, or not at all where they share seeds; that nothing changes is checked round by round, with the
random numbers of the resampling drawn. Orders have no constants, so they are compared by growth: regret over log K from
the smallest K to the largest, and regret over sqrt(T log K) from horizon to horizon.

**Slips in the text.** Corollary 10 does not say which B it means. With resampling it cannot hold: resampling makes 0/1
losses of losses that never change, and then the gap matters. Jain & Thakurta's and Asi et al.'s algorithms, also listed
in table 1, are no variants of algorithm 1 and have no measured column.
"""


@dataclass(frozen=True)
class Sizes:
    """How much is computed."""

    epsilons: list[float]
    levels: list[float]
    width: int
    rounds: int
    runs: int
    exact: list[int]
    drawn: list[int]
    horizons: list[int]
    scales: list[int]
    worst: list[int]
    gaps: list[float]


FULL = Sizes(
    [0.1, 0.25, 0.5, 1.0, 2.0, 4.0], [0.2, 1.0, 4.0], 32, 10**6, 1000, [16, 64, 256, 1024], [16, 64, 256, 1024],
    [10**3, 10**6, 10**9, 10**12], [4, 8, 14, 20], [10**3, 10**4, 10**5, 10**6], [2.0**-k for k in range(1, 9)],
)  # fmt: skip
QUICK = Sizes(
    [0.5, 1.0], [1.0], 8, 10**4, 200, [8, 32], [8, 32],
    [10**3, 10**9], [2, 4], [10**3, 10**4], [0.5, 0.125, 0.03125],
)  # fmt: skip


def study(quick: bool, jobs: int) -> Page:
    """Calibration, six variants, two tables."""
    sizes = QUICK if quick else FULL
    pairs = [calibrated(epsilon) for epsilon in sizes.epsilons]
    cells = measure(sizes.width, sizes.levels, sizes.rounds, sizes.runs, jobs)
    still = deterministic_growth(sizes.exact, 10**12)
    drawn = stochastic_growth(sizes.drawn, 10**9, sizes.runs, jobs)
    longest = long_runs(64, sizes.horizons, sizes.scales)
    worst = worst_gaps(64, sizes.worst, sizes.runs, jobs)
    shrinking = shrinking_gaps(64, sizes.gaps, 10**7, sizes.runs, jobs)
    found = changes(cells)
    by_round = round_by_round(8, 255, 4 * sizes.runs)
    tables = [
        calibration_table(pairs),
        losses_table(cells, sizes.width, sizes.rounds, sizes.runs),
        growth_table("Instance-dependent, losses drawn", drawn, f"Simulated, {sizes.runs:,} runs, 10^9 rounds."),
        worst_table(worst, 64),
        growth_table("The deterministic setting", still, "Exact, 10^12 rounds, no resampling."),
        long_table(longest, 64),
        shrinking,
    ]
    findings = [
        *on_calibration(pairs),
        *on_losses(cells, found, by_round),
        *on_orders(still, drawn, longest, shrinking),
        *on_worst_case(worst),
    ]
    return Page("The noisy leader's six variants", ABOUT, tables, _figure(pairs, found, still), _CAPTION, findings)


_CAPTION = (
    "Left: exponential noise, as proved and as printed, at equal true privacy, and as printed at face value (exact, "
    "`hard_for_privacy(64, 0.1)`). Middle: regret with resampling over regret without, exponential noise (simulated). "
    "Right: exact regret · epsilon / log K where losses never change, all gaps 1/2; what grew like log² K would follow "
    "the gray line."
)


def _figure(pairs: list[Calibrated], found: list[Change], still: list[Growth]) -> Figure:
    figure, (calibration, resampling, growth) = panels(3, height=4.2, width=12)
    _draw_calibration(calibration, pairs)
    _draw_resampling(resampling, [change for change in found if change.noise == "exponential"])
    _draw_growth(growth, [one for one in still if one.instance == still[0].instance])
    return figure


def _draw_calibration(axes: Axes, pairs: list[Calibrated]) -> None:
    epsilons = [pair.epsilon for pair in pairs]
    axes.plot(epsilons, [pair.proved for pair in pairs], label="as proved, at epsilon", **line_style(0))
    halved = line_style(1) | {"markersize": 8, "fillstyle": "none"}
    axes.plot(epsilons, [pair.halved for pair in pairs], label="as printed, at epsilon/2", **halved)
    axes.plot(epsilons, [pair.believed for pair in pairs], label="as printed, believed", **line_style(2))
    axes.set(xscale="log", yscale="log", xlabel="epsilon", ylabel="regret, in losses", title="Two calibrations")
    axes.legend()


def _draw_resampling(axes: Axes, found: list[Change]) -> None:
    kinds = list(dict.fromkeys(change.kind for change in found))
    for place, epsilon in enumerate(dict.fromkeys(change.epsilon for change in found)):
        ratios = [change.ratio for change in found if change.epsilon == epsilon]
        style = line_style(place) | {"linestyle": "none", "markersize": 6}
        axes.plot(ratios, range(len(kinds)), label=f"epsilon {epsilon:g}", **style)
    axes.axvline(1.0, color="0.5", linewidth=1)
    axes.set_yticks(range(len(kinds)), kinds)
    axes.set(xscale="log", xlabel="regret with / without resampling", title="Resampling")
    axes.set_xticks([1, 2, 4, 8], ["1", "2", "4", "8"])
    axes.minorticks_off()
    axes.invert_yaxis()
    axes.legend(loc="upper right", frameon=True, framealpha=1.0)  # framed, or its marks look like results


def _draw_growth(axes: Axes, still: list[Growth]) -> None:
    for place, one in enumerate(still):
        shares = [r.mean * EPSILON / math.log(k) for k, r in zip(one.actions, one.regrets, strict=True)]
        axes.plot(one.actions, shares, label=one.learner, **line_style(place))
    first = still[0].regrets[0].mean * EPSILON / math.log(still[0].actions[0])
    squares = [first * math.log(k) / math.log(still[0].actions[0]) for k in still[0].actions]
    axes.plot(still[0].actions, squares, color="0.6", linewidth=1, label="like log² K")
    axes.set(xscale="log", ylim=(0, None), xlabel="actions K", ylabel="regret · epsilon / log K", title="Growth with K")
    axes.legend(fontsize=8)
