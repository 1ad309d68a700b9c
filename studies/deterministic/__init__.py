"""Wu & Wang's deterministic setting: exact regret between theorems 7 and 11, and the two lemmas that they rest on."""

from __future__ import annotations

import math
from typing import Any

from joblib import Parallel, delayed
from matplotlib.figure import Figure

from discreet.bounds import wu_wang_lemma_13, wu_wang_theorem_7_sharp, wu_wang_theorem_11_explicit
from studies.deterministic.cases import LEARNERS, TITLES, Found, regrets, unit, upper_of
from studies.deterministic.lemmas import largest_sum, one_level_sum, steepest
from studies.figures import line_style, panels
from studies.page import Finding, Page
from tools.table import Table

NONE = "–"
ABOUT = """\
**Asked.** Where losses never change, is the regret of the noisy leader of order log(K)/epsilon (Wu & Wang, theorem
11), and can no private learner do better (theorem 7)? How far apart are upper and lower bound once constants are
written out? Do lemmas 12 and 13 hold?

**How.** `simulate.exact_regret` at 10^12 rounds, where the regret has stopped growing: sums over the law of every
selection, no sampling. Two kinds of instances: theorem 7's (means 0, 1/2, 1/2, 1, ..., 1), and one best action with
all others at one gap, the worst of {gaps} gaps over one octave (half as many from K = 10^4 on). What happens repeats
when the gap is halved, since blocks double. All learners are given the same true privacy; `PrefixSoftmax` is taken
without its cap. The most actions: {sizes}; beyond that a law takes too long, and the cell is "–".

**Upper bound.** With V(n) the expectation of the largest score after n rounds, noise included, V is convex in n with
slope minus the expected gap; so a block after n rounds costs at most 4 · (V(n/2) - V(n)) where blocks double, and the
sum telescopes: regret <= 1 + 4 · (expected largest of K noises less the expectation of one). That is
1 + 8 log(K)/epsilon for Gumbel noise. It needs nothing of the noise but independence, so it holds for **Laplace noise
too, which Wu & Wang leave open** (section 4.2), and it sharpens lemma 13 from (1 + 1/log 2) log K to 2 log K.

**Lower bound.** `bounds.wu_wang_theorem_7_sharp`: theorem 7's sum over rounds before it is bounded by an integral,
(K - 3) / (3 e^((t-1) epsilon) + K - 3), which is at least log(K/3)/epsilon.

**Slips in the paper.** Theorem 7 is stated for every K, its instance needs K >= 6; "any t >= T" in its proof should
be t <= T, and the action of round t has seen t - 1 rounds, not t. Appendix G ends with "= 2/log 2 · log K" where the
integral of f from 0 is *at most* log(K)/log 2. Appendix H (and the sketch) takes exp(-epsilon · G) for the law of
Gumbel(2/epsilon) noise; that is the law of Gumbel(1/epsilon), which is 2 epsilon-private, and the right one,
exp(-epsilon · G / 2), doubles the constant. The sketch writes G_r = 2^(r-2) · mean, algorithm 1 makes it 2^(r-1).
The exponential noise of mean 1/epsilon is 2 epsilon-private as well; here its mean is 2/epsilon.
"""


def study(quick: bool, jobs: int) -> Page:
    """Exact regret over K and epsilon, and the lemmas on random numbers."""
    sizes = (6, 100) if quick else (6, 10, 100, 10**3, 10**4, 10**5)
    epsilons = (0.1, 4.0) if quick else (0.1, 1.0, 4.0)
    gaps, draws = (4, 20) if quick else (8, 300)
    cases = [(name, k, epsilon) for epsilon in epsilons for k in sizes for name in LEARNERS if k <= LEARNERS[name][1]]
    # The largest first, so that no process is left with them at the end.
    cases.sort(key=lambda case: -case[1])
    tasks = (delayed(regrets)(*case, gaps // (1 + (case[1] >= 10**4))) for case in cases)
    found = dict(zip(cases, Parallel(jobs)(tasks), strict=True))
    sums = [(k, one_level_sum(math.log(k - 1)), largest_sum(k, draws, seed=1) if k <= 10**3 else 0.0) for k in sizes]
    steep = steepest(5 * draws, seed=2)
    tables = [_hard(found, sizes, epsilons), _one_gap(found, sizes, epsilons), _sums(sums, steep)]
    findings = [*_findings(found, sizes), _laplace(found), *_lemmas(sums, steep)]
    most = ", ".join(f"{TITLES[name]} {most:,}" for name, (_, most) in LEARNERS.items())
    caption = (
        "Left: exact regret on theorem 7's instance at epsilon = 1/10, times epsilon, between the lower bound of "
        "theorem 7 and the upper bound for Gumbel noise. Right: the largest regret over gaps, as a multiple of "
        "log(K)/epsilon, at the same epsilon; dashed, the limit 8 of the upper bound."
    )
    about = ABOUT.format(gaps=gaps, sizes=most)
    title = "The deterministic setting"
    return Page(title, about, tables, _figure(found, sizes, epsilons[0]), caption, findings)


def _hard(found: Found, sizes: tuple[int, ...], epsilons: tuple[float, ...]) -> Table:
    table = Table("Regret on theorem 7's instance", ["epsilon", "K", "lower bound", *TITLES.values(), "least / lower"])
    for epsilon in epsilons:
        for k in sizes:
            cells: list[Any] = [found[name, k, epsilon][0] if (name, k, epsilon) in found else NONE for name in TITLES]
            bound = wu_wang_theorem_7_sharp(k, epsilon)
            least = min(cell for cell in cells if cell != NONE)
            table.rows.append([epsilon, k, bound, *cells, least / bound])
    table.notes.append("Exact. The lower bound holds for every private learner; means are 0, 1/2, 1/2, 1, ..., 1.")
    return table


def _one_gap(found: Found, sizes: tuple[int, ...], epsilons: tuple[float, ...]) -> Table:
    columns = ["epsilon", "K", "lower bound"]
    columns += [part for title in TITLES.values() for part in (title, f"{title}: upper bound")]
    table = Table("The largest regret over gaps, as a multiple of log(K)/epsilon, beside its upper bound", columns)
    for epsilon in epsilons:
        for k in sizes:
            row: list[Any] = [epsilon, k, wu_wang_theorem_7_sharp(k, epsilon) / unit(k, epsilon)]
            for name in TITLES:
                case, scale = (name, k, epsilon), unit(k, epsilon)
                row += [found[case][1] / scale, upper_of(case) / scale] if case in found else [NONE, NONE]
            table.rows.append(row)
    table.notes.append("Exact. One best action, all others at one gap; each upper bound holds for all instances.")
    return table


def _sums(sums: list[tuple[int, float, float]], steep: tuple[float, float]) -> Table:
    columns = ["K", "largest sum, one level", "largest sum, random levels", "by convexity", "lemma 13, mended"]
    table = Table("Lemma 13: the sum of f(r) over r >= 1, as a multiple of log K", columns)
    constants = (2.0, wu_wang_lemma_13(100) / math.log(100))
    table.rows += [[f"{k:,}", one, many or NONE, *constants] for k, one, many in sums]
    table.rows += [[f"10^{power}", _far(power), NONE, *constants] for power in (12, 30, 100, 1000)]
    table.notes.append(
        f"Lemma 12: over random a >= 0 and x, f'(x) by central differences is at most {steep[0]:.9f} of log 2 · f(x); "
        f"over a of both signs, f' - log 2 · f is at most {steep[1]:.1e} of the size of its terms. One level: all a "
        "but the first are equal, which allows K of any size."
    )
    return table


def _findings(found: Found, sizes: tuple[int, ...]) -> list[Finding]:
    printed = {case: values for case, values in found.items() if case[0] in ("gumbel", "exponential")}
    ratios = {case: max(values) / unit(*case[1:]) for case, values in printed.items()}
    below = all(max(values) <= upper_of(case) for case, values in found.items())
    proved = all(max(values) <= wu_wang_theorem_11_explicit(k, e / 2) for (_, k, e), values in printed.items())
    above = min(values[0] / wu_wang_theorem_7_sharp(*case[1:]) for case, values in found.items())
    ends = [max(ratio for case, ratio in ratios.items() if case[1] == k) for k in (sizes[0], sizes[-1])]
    apart = [upper_of(("gumbel", k, 0.1)) / wu_wang_theorem_7_sharp(k, 0.1) for k in (sizes[0], sizes[-1])]
    best = [
        min(v[0] / wu_wang_theorem_7_sharp(*c[1:]) for c, v in found.items() if c[1] == k)
        for k in (sizes[0], sizes[-1])
    ]
    prefix = max(values[1] / unit(*case[1:]) for case, values in found.items() if case[0] == "prefix")
    return [
        Finding(
            "Theorem 11: with exponential or Gumbel noise the regret is O(log(K)/epsilon).",
            f"On all instances tried it is at most {max(ratios.values()):.2f} log(K)/epsilon, {ends[0]:.2f} at "
            f"K = {sizes[0]} and {ends[1]:.2f} at K = {sizes[-1]:,}; these two stay below 1 + 8 log(K)/epsilon, and "
            "every learner below its own upper bound.",
            below and proved and ends[1] < 1.5 * ends[0],
        ),
        Finding(
            "Theorem 7: on its instance no private learner does better than its lower bound.",
            f"The least ratio of exact regret to lower bound is {above:.2f}.",
            above >= 1,
        ),
        Finding(
            "Upper and lower bound have the same order, so their ratio does not grow with K.",
            f"The ratio of the bounds for Gumbel noise at epsilon = 1/10 falls from {apart[0]:.1f} at K = {sizes[0]} "
            f"to {apart[1]:.1f} at K = {sizes[-1]:,} (its limit is 8); the least exact regret is {best[0]:.1f} "
            f"times the lower bound at the smallest K and {best[1]:.1f} times at the largest.",
            apart[1] < apart[0],
        ),
        Finding(
            "A random prefix costs more than the whole block, and the constant 8 of the convexity bound, which covers "
            "both, is nearly reached by it.",
            f"Without its cap `PrefixSoftmax` reaches {prefix:.2f} log(K)/epsilon.",
            max(ratios.values()) < prefix <= 8 + 1e-9,
        ),
    ]


def _laplace(found: Found) -> Finding:
    mine = {case: max(values) for case, values in found.items() if case[0] == "laplace"}
    worst = max(regret / unit(*case[1:]) for case, regret in mine.items())
    against = max(regret / max(found["gumbel", *case[1:]]) for case, regret in mine.items())
    return Finding(
        "Wu & Wang could not prove theorem 11 for Laplace noise, and leave open whether it holds. By the convexity "
        "bound it does.",
        f"The largest regret is {worst:.2f} log(K)/epsilon, never more than {against:.2f} times that of Gumbel noise "
        "and always below the bound.",
        all(regret <= upper_of(case) for case, regret in mine.items()),
    )


def _far(power: int) -> float:
    """The largest sum with one level at K = 10^power."""
    return one_level_sum(power * math.log(10))


def _lemmas(sums: list[tuple[int, float, float]], steep: tuple[float, float]) -> list[Finding]:
    largest, far = max(max(one, many) for _, one, many in sums), _far(1000)
    return [
        Finding(
            "Lemma 12: f'(x) <= log 2 · f(x).",
            f"The largest ratio over random numbers is {steep[0]:.6f}, so the constant cannot be smaller.",
            steep[0] <= 1 + 1e-8 and steep[1] <= 1e-8,
        ),
        Finding(
            "Lemma 13: the sum is O(log K); (1 + 1/log 2) log K = 2.44 log K by the paper's proof, mended.",
            f"The largest sum found for K up to {sums[-1][0]:,} is {largest:.3f} log K. By convexity 2 log K is "
            f"enough, and no less would do for all K: at K = 10^1000 it is {far:.3f} log K.",
            max(largest, far) <= 2,
        ),
    ]


def _figure(found: Found, sizes: tuple[int, ...], epsilon: float) -> Figure:
    figure, (left, right) = panels(2)
    for place, (name, title) in enumerate(TITLES.items()):
        cases = [case for case in ((name, k, epsilon) for k in sizes) if case in found]
        ks = [case[1] for case in cases]
        left.plot(ks, [epsilon * found[case][0] for case in cases], label=title, **line_style(place))
        right.plot(ks, [found[case][1] / unit(*case[1:]) for case in cases], label=title, **line_style(place))
    left.plot(
        sizes,
        [epsilon * wu_wang_theorem_7_sharp(k, epsilon) for k in sizes],
        "k-",
        label="lower bound, theorem 7",
        lw=1,
    )
    left.plot(sizes, [epsilon * upper_of(("gumbel", k, epsilon)) for k in sizes], "k--", label="upper bound", lw=1)
    right.axhline(8, color="k", linestyle="--", lw=1)
    right.set_ylim(0, 8.5)
    left.set(xscale="log", xlabel="actions K", ylabel="regret · epsilon, in losses", title="theorem 7's instance")
    right.set(xscale="log", xlabel="actions K", ylabel="regret · epsilon / log K", title="worst gap of one level")
    left.legend(fontsize=7)
    return figure
