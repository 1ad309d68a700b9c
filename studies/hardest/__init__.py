"""The hardest instance: how much each learner loses on the worst means that a search finds, and how that grows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
from joblib import Parallel, delayed
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.deterministic.bound import upper
from studies.figures import line_style, panels
from studies.hardest.search import LEARNERS, ROUNDS, Effort, Hardest, Task, search
from studies.page import Finding, Page
from tools.table import Table

Found = dict[Task, Hardest]
#: A growth like log(K) would have exponent 1, none would have 0.
HALF = 0.5
ABOUT = """\
**Asked.** Wu & Wang prove log(K)/gap + log(K)^2/epsilon for the noisy leader (theorem 3). Does any of them need
log(K)^2/epsilon? And on which means does each learner lose most, as a multiple of log(K)/gap + log(K)/epsilon, where
gap is the smallest? If log(K)^2 were needed, the multiple would grow like log(K): {factor:.1f}-fold from K = {first} to
K = {last}.

**How.** A search for each learner, K and epsilon. It starts from one gap, staircases, geometric gaps, crowds that
double from level to level, two groups, theorem 7's means (0, gap, gap, 1, ..., 1), each with several gaps from {least}
to 1, and {random} draws of random gaps; then {steps} steps uphill that move all gaps, some or each of them, and the
means as a whole. Losses *never change* (regret exact, by `simulate.exact_regret`), or they *vary*: independent losses
of 0 or 1, or the same with a best action whose loss never changes. For losses of 0 or 1 the noisy leaders with and
without resampling are one and the same, and with resampling every loss counts as 0 or 1: so "vary" is what theorem 3 is
about, and "never change" what theorem 11 is about. Correlated actions are not searched.

Pseudo-regret at {rounds:,} rounds, where it has stopped growing. Where losses vary, trials have {runs} runs with common
random numbers; the best five of a search are compared again with {compared} fresh runs each; the one that is left has
{confirmed} runs of its own, from which the number and the 95% interval in the table come. The number seen in the search
is shown beside it: the largest of many noisy numbers is too large. Exponents are the slopes of log(multiple) against
log log K by least squares over all K, with 95% intervals from the residuals. A search is no proof: harder instances may
exist. For losses that never change there is one (convexity, see the study of the deterministic setting): with blocks
that double, 1 + 8 log(K)/epsilon is never exceeded.
"""


def study(quick: bool, jobs: int) -> Page:
    """One search for each learner, K, epsilon, and kind of losses."""
    sizes = (2, 8) if quick else (2, 4, 8, 16, 32, 64)
    epsilons = (0.1,) if quick else (0.01, 0.1, 1.0)
    effort = Effort(2, 4, 20, 50, 200) if quick else Effort(20, 80, 150, 1500, 6000)
    tasks = [
        Task(learner, k, epsilon, still)
        for k in sorted(sizes, reverse=True)
        for learner in LEARNERS
        for epsilon in epsilons
        for still in (True, False)
    ]
    found = dict(zip(tasks, Parallel(jobs)(delayed(search)(task, effort, 1) for task in tasks), strict=True))
    about = ABOUT.format(
        factor=math.log(sizes[-1]) / math.log(sizes[0]), first=sizes[0], last=sizes[-1], least=0.03, rounds=ROUNDS,
        **{name: getattr(effort, name) for name in ("random", "steps", "runs", "compared", "confirmed")},
    )  # fmt: skip
    return Page(
        "The hardest instance",
        about,
        [*(_ratios(found, sizes, still) for still in (True, False)), _instances(found, sizes[-1])],
        _figure(found, sizes, epsilons[0]),
        f"The largest multiple of log(K)/gap + log(K)/epsilon found, at epsilon = {epsilons[0]}; bars are 95% "
        "intervals. The thin line is how the one of Gumbel noise would grow if log(K)^2/epsilon were needed.",
        _findings(found, sizes),
    )


def _cases(found: Found) -> Iterator[tuple[str, float]]:
    """Learners and epsilons, in order."""
    epsilons = sorted({task.epsilon for task in found})
    return ((learner, epsilon) for epsilon in epsilons for learner in LEARNERS)


def exponent(sizes: tuple[int, ...], ratios: list[float]) -> tuple[float, float]:
    """The slope of log(ratio) against log log K, and half the width of its 95% interval (infinite for two sizes)."""
    from scipy.special import stdtrit

    x, y = np.log(np.log(sizes)), np.log(ratios)
    x, y = x - x.mean(), y - y.mean()
    slope = float(x @ y / (x @ x))
    freedom = len(sizes) - 2
    if not freedom:
        return slope, math.inf
    error = math.sqrt(float(((y - slope * x) ** 2).sum()) / freedom / float(x @ x))
    return slope, float(stdtrit(freedom, 0.975)) * error


def _ratios(found: Found, sizes: tuple[int, ...], still: bool) -> Table:
    kind = "never change: exact" if still else "vary: confirmed, with 95% intervals"
    columns = ["epsilon", "learner", *(f"K = {k}" for k in sizes), "exponent", "its interval"]
    table = Table(f"The largest multiple of log(K)/gap + log(K)/epsilon found, losses that {kind}", columns)
    for learner, epsilon in _cases(found):
        ones = [found[Task(learner, k, epsilon, still)] for k in sizes]
        slope, half = exponent(sizes, [one.ratio for one in ones])
        cells = [f"{one.ratio:.2f}" if still else f"{one.ratio:.2f} ({one.low:.2f} to {one.high:.2f})" for one in ones]
        interval = f"{slope - half:.2f} to {slope + half:.2f}" if math.isfinite(half) else "–"
        table.rows.append([epsilon, learner, *cells, slope, interval])
    table.notes.append(
        "Exponent: of log(K) in the multiple; 1 would mean that log(K)^2 is needed, 0 that log(K) is enough. "
        "Exponential noise and permute-and-flip (`PrivateLeader`) gain at small K: their bound has 1/2 + ... + 1/K "
        "where that of Gumbel noise has log K."
    )
    return table


def _instances(found: Found, k: int) -> Table:
    columns = ["epsilon", "learner", "losses", "started from", "gaps: least, median, largest", "best mean"]
    table = Table(f"The hardest instances found, K = {k}", [*columns, "in the search", "confirmed"])
    for learner, epsilon in _cases(found):
        for still in (True, False):
            one = found[Task(learner, k, epsilon, still)]
            gaps = one.candidate.gaps
            shown = ", ".join(f"{gap:.3g}" for gap in (gaps[0], gaps[len(gaps) // 2], gaps[-1]))
            who = [epsilon, learner, one.candidate.kind, one.candidate.family]
            table.rows.append([*who, shown, one.candidate.base, one.searched, one.ratio])
    return table


def _findings(found: Found, sizes: tuple[int, ...]) -> list[Finding]:
    epsilons = sorted({task.epsilon for task in found})
    noisy = [name for name in LEARNERS if name.startswith("NoisyLeader")]
    slopes = {
        (learner, epsilon, still): exponent(sizes, [found[Task(learner, k, epsilon, still)].ratio for k in sizes])
        for learner, epsilon in _cases(found)
        for still in (True, False)
    }
    steepest = max((case for case in slopes if case[0] in noisy), key=lambda case: slopes[case][0])
    worst = {name: max((one.high, task) for task, one in _of(found, name)) for name in LEARNERS}
    growth = max(
        found[Task(name, sizes[-1], epsilon, still)].ratio / found[Task(name, sizes[0], epsilon, still)].ratio
        for name, epsilon, still in slopes
        if name in noisy
    )
    return [
        Finding(
            "Theorem 3 allows log(K)^2/epsilon; whether a noisy leader needs it is the question of this study. Needed, "
            "it would show as an exponent near 1.",
            f"No: the steepest exponent is {slopes[steepest][0]:.2f} ({steepest[0]}, epsilon = {steepest[1]}, losses "
            f"that {'never change' if steepest[2] else 'vary'}); from K = {sizes[0]} to {sizes[-1]} the multiple grows "
            f"at most {growth:.2f}-fold, where log(K)^2 would give "
            f"{math.log(sizes[-1]) / math.log(sizes[0]):.1f}. log(K)/gap + log(K)/epsilon is enough on all that was "
            "searched.",
            slopes[steepest][0] + (slopes[steepest][1] if len(sizes) > 2 else 0) < HALF,
        ),
        Finding(
            "Cesari & Colomboni's theorem 1: `PrefixSoftmax` loses at most 1000 times the rate.",
            f"It loses at most {worst['PrefixSoftmax'][0]:.1f} times the rate (upper end of the interval) at epsilon = "
            f"{worst['PrefixSoftmax'][1].epsilon}, and {_most_at(found, 'PrefixSoftmax', epsilons[0]):.1f} times at "
            f"{epsilons[0]}. Above 1/4 its cap makes it pay for more privacy than was asked for.",
            worst["PrefixSoftmax"][0] <= 1000,
        ),
        Finding(
            "The largest multiples of the others.",
            "; ".join(f"{name} {worst[name][0]:.2f}" for name in LEARNERS if name != "PrefixSoftmax")
            + " (upper ends of intervals). All lie below 8 + 1 / log 2, the bound for losses that never change.",
            all(worst[name][0] < 8 + 1 / math.log(2) for name in noisy),
        ),
        *_kinds(found),
    ]


def _kinds(found: Found) -> list[Finding]:
    still = {task: one for task, one in found.items() if task.still}
    bound = all(
        one.ratio * one.candidate.rate(task.epsilon) <= upper(LEARNERS[task.learner](task.k, task.epsilon))
        for task, one in still.items()
    )
    pairs = [(one, found[Task(t.learner, t.k, t.epsilon, False)]) for t, one in still.items()]
    varies = max(other.low / one.ratio for one, other in pairs)
    usual = float(np.median([other.candidate.gaps[0] for _, other in pairs]))
    bias = float(np.mean([one.searched / one.ratio for task, one in found.items() if not task.still]))
    started = Counter(one.candidate.family for task, one in found.items() if task.k > 3).most_common()
    return [
        Finding(
            "Where losses never change, no instance exceeds the convexity bound of the learner.",
            f"None of {len(still)} searches found one that does.",
            bound,
        ),
        Finding(
            "Sampling error adds to what privacy costs: with losses that vary there should be harder instances "
            "than with losses that never change.",
            f"The lower end of the interval is at most {varies:.2f} times what the search found with losses that never "
            "change, for the same learner, K and epsilon. The hardest instances found have large gaps (the least one "
            f"is {usual:.2f} in the median), where sampling error fades before the noise for privacy does.",
            varies > 1.05,
        ),
        Finding(
            "The number seen in a search is too large, and must be confirmed with fresh runs.",
            f"On average it is {bias:.3f} times the confirmed one.",
            bias > 1,
        ),
        Finding(
            "Remark 9: with privacy, one gap for all others is not the hardest case to analyze. Others might be harder "
            "in numbers, too.",
            "For K above 3 the searches ended at instances that they had reached from: "
            + ", ".join(f"{family} ({count})" for family, count in started)
            + f". The most frequent is {started[0][0]}.",
            started[0][0] != "one gap",
        ),
    ]


def _of(found: Found, learner: str) -> list[tuple[Task, Hardest]]:
    return [(task, one) for task, one in found.items() if task.learner == learner]


def _most_at(found: Found, learner: str, epsilon: float) -> float:
    return max(one.high for task, one in _of(found, learner) if task.epsilon == epsilon)


def _figure(found: Found, sizes: tuple[int, ...], epsilon: float) -> Figure:
    figure, axes = panels(2)
    for still, ax, title in zip((True, False), axes, ("losses that never change", "losses that vary"), strict=True):
        _panel(ax, found, sizes, epsilon, still)
        ax.set(xscale="log", xlabel="actions K", title=title, ylim=(0, 14))
        ax.set_xticks(sizes, [str(k) for k in sizes])
        ax.minorticks_off()
    axes[0].set_ylabel("regret / (log(K)/gap + log(K)/epsilon)")
    axes[0].legend(fontsize=6.5, loc="upper right", ncols=2, frameon=True, framealpha=1.0)
    return figure


def _panel(ax: Axes, found: Found, sizes: tuple[int, ...], epsilon: float, still: bool) -> None:
    for place, learner in enumerate(LEARNERS):
        ones = [found[Task(learner, k, epsilon, still)] for k in sizes]
        ratios = [one.ratio for one in ones]
        bars = [[one.ratio - one.low for one in ones], [one.high - one.ratio for one in ones]]
        ax.errorbar(sizes, ratios, bars, label=learner, capsize=2, **line_style(place))
        if not place:
            ax.plot(sizes, ratios[0] * np.log(sizes) / math.log(sizes[0]), "k-", lw=0.6, label="if log(K)^2")
