"""Wu & Wang's conjecture (remark 14): the constant c1 that it needs for each c2, over instances searched for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from matplotlib.figure import Figure

from discreet.environments import Deterministic
from discreet.experts import NoisyLeader
from discreet.experts.noisy_leader import Noise
from discreet.simulate import exact_regret
from studies.conjecture.instances import Instance, counterexample, pair_needs
from studies.conjecture.search import Sampled, hardest, hardest_sampled
from studies.figures import line_style, panels
from studies.page import Finding, Page
from tools.table import Table

GRID = (4.0, 6.0, 8.0, 8.5, 9.0, 10.0, 12.0, 16.0, 32.0, 64.0)
#: Two actions with losses of 0 and 1: gap and epsilon.
GAP, EPSILON = 0.2, 0.19
NONE = "–"
ABOUT = """\
**Asked.** Remark 14 conjectures that there are universal c1 and c2 such that, for every action j with gap_j > epsilon,
P[J_r = j] <= c1 · exp(-2^(r+1) gap_j epsilon / c2) / (1 + sum over i with gap_i > epsilon of
exp(-2^(r+1) gap_i epsilon / c2)). (The printed sum runs over j with i inside; i is meant.) Which c1 does each c2 need?

**How.** A block of n = 2^(r-1) rounds, so the exponent is 4 n · gap · epsilon / c2. Three searches, each for the
largest P[J_r = j] over the right side without c1:

- *losses that never change*: the chance is exact, from the learner's own `.law`; {draws} random instances (one to
  three groups of actions, gaps and group sizes on a logarithmic scale, the block long enough that all gaps exceed
  epsilon), then {steps} steps uphill from the worst; all three noises, K up to {gumbel:,} for Gumbel noise.
- *losses that vary*: independent losses of 0 and a random height; {tried} random instances, {runs} draws of the
  totals each, the noise summed over; then the worst again from {fresh} fresh draws, with a 95% interval. Fresh draws,
  since the largest of many estimates is too large. With a height of 1 this is also the learner that resamples.
- *two actions with losses of 0 and 1*, gap {gap} and epsilon {epsilon}, exactly, for growing n.

Seeds are fixed. A search that finds no large c1 proves nothing; one that finds growth shows an instance, which can be
checked by hand.

**What the search led to: the conjecture as printed is false**, for every c1 and c2, for all three noises, with
resampling and without. In short, with b = n · epsilon / 2, so that the softmax has exponents b · gap, and the
conjecture (8/c2) · b · gap:

- *c2 > 8.* Gaps 0, 1/b, and 1 for all M = e^b others, losses that never change. Then P[J_r = 2] is
  e^-1 / (1 + e^-1 + 1) = 0.16, while the right side is at most c1 · e^((8/c2) b) / M = c1 · M^(8/c2 - 1), which tends
  to 0 as K grows. All gaps exceed epsilon from n > 2 b^2 on. (With resampling and the best mean at 0, losses of 0 and
  1 stay as they are, and the exponent of the second action has mean 1 and a variance below epsilon/2, which tends to
  0.) A crowd far off, that no longer counts in the selection, still counts at the conjecture's weaker exponent.
- *c2 < 8.* Two actions with means 0 and 1: P[J_r = 2] = 1 / (1 + e^b) falls more slowly in n than the right side.
- *c2 = 8.* Two actions with losses of 0 and 1. With D the difference of the totals, P[J_r = 2] is at least
  1/2 · E[e^(-epsilon D / 2); D >= 0]. Without the condition the expectation is larger than e^(-b · gap) by a factor
  that is exponential in n, by Jensen's inequality in each round; and the condition costs next to nothing, since under
  the law with density e^(-epsilon D / 2) the mean of D is still positive when gap > epsilon.

With losses that never change, Gumbel noise, c2 = 8 and c1 = 1 the conjecture is true, with equality: that is the case
it was made from. Laplace and exponential noise of the same privacy have tails of the same exponent, so 8 is their
threshold too (4 for exponential noise of mean 1/epsilon, as printed, which is 2 epsilon-private).

This says nothing against the rate log(K)/gap + log(K)/epsilon: on the instances that break the conjecture the regret
is within it. It says that the way to it does not lead through a bound on each chance with one exponent above and
below the line.
"""

Found = dict[tuple[Noise, int, float], tuple[float, Instance]]
Drawn = dict[tuple[int, float], Sampled]


def study(quick: bool, jobs: int) -> Page:
    """The three searches."""
    grid = (6.0, 8.0, 16.0) if quick else GRID
    sizes = (4, 16, 64) if quick else (4, 16, 64, 256, 1024, 4096)
    lengths = [2**power for power in ((6, 9) if quick else range(6, 14))]
    draws, steps = (20, 30) if quick else (200, 300)
    tried, runs = (20, 50) if quick else (400, 200)
    most: dict[Noise, int] = {"gumbel": sizes[-1], "exponential": 16 if quick else 256, "laplace": 16 if quick else 64}
    cases = [(noise, k, c2) for noise, limit in most.items() for k in sizes if k <= limit for c2 in grid]
    found = dict(zip(cases, Parallel(jobs)(delayed(_search)(*case, draws, steps) for case in cases), strict=True))
    sampled = [(k, c2) for k in sizes if k <= 64 for c2 in grid if c2 > 9]
    values = Parallel(jobs)(delayed(hardest_sampled)(k, "gumbel", c2, tried, runs, 7) for k, c2 in sampled)
    drawn = dict(zip(sampled, values, strict=True))
    pairs = {(c2, n): pair_needs(n, GAP, EPSILON, "gumbel", c2) for c2 in grid for n in lengths}
    numbers = {"draws": draws, "steps": steps, "tried": tried, "runs": runs, "fresh": 20 * runs}
    return Page(
        "The conjecture of remark 14",
        ABOUT.format(**numbers, gumbel=sizes[-1], gap=GAP, epsilon=EPSILON),
        [_still(found, sizes, grid), _pairs(pairs, grid, lengths), _varying(drawn), _instances(found, sizes[-1], grid)],
        _figure(found, pairs, sizes, lengths),
        "The smallest c1 that is needed. Left: losses that never change, Gumbel noise; thin lines are the "
        "counterexample of the text. Right: two actions with losses of 0 and 1. No c2 is flat in both.",
        _findings(found, drawn, pairs),
    )


def _search(noise: Noise, k: int, c2: float, draws: int, steps: int) -> tuple[float, Instance]:
    return hardest(k, noise, c2, draws, steps, seed=k)


def _still(found: Found, sizes: tuple[int, ...], grid: tuple[float, ...]) -> Table:
    columns = ["noise", "c2", *(f"K = {k}" for k in sizes), "slope", "1 - 8/c2"]
    table = Table("Losses that never change: the smallest c1 that the search needs", columns)
    for noise in dict.fromkeys(case[0] for case in found):
        for c2 in grid:
            logs = [found[noise, k, c2][0] for k in sizes if (noise, k, c2) in found]
            cells: list[Any] = [math.exp(value) for value in logs] + [NONE] * (len(sizes) - len(logs))
            slope = (logs[-1] - logs[-2]) / math.log(sizes[len(logs) - 1] / sizes[len(logs) - 2]) if logs[1:] else NONE
            table.rows.append([noise, c2, *cells, *((slope, 1 - 8 / c2) if c2 >= 8 else (NONE, NONE))])
    table.notes.append(
        "Slope: of log c1 against log K between the last two K searched. Below c2 = 8 (and for Laplace noise at 8) the "
        "constant grows with the load without end; the numbers are where the search stopped."
    )
    return table


def _pairs(pairs: dict[tuple[float, int], float], grid: tuple[float, ...], lengths: list[int]) -> Table:
    title = f"Two actions, losses of 0 and 1, gap {GAP}, epsilon {EPSILON}: the c1 needed, exactly"
    table = Table(title, ["c2", *(f"n = {n}" for n in lengths)])
    table.rows += [[c2, *(math.exp(pairs[c2, n]) for n in lengths)] for c2 in grid]
    return table


def _varying(drawn: Drawn) -> Table:
    columns = ["K", "c2", "c1", "low", "high", "gaps", "actions", "epsilon", "n", "height"]
    table = Table("Losses that vary, Gumbel noise: c1 of the worst instance found, from fresh draws", columns)
    for (k, c2), one in drawn.items():
        row = [k, c2, one.c1, one.low, one.high, *_described(one.instance), one.instance.high or 1.0]
        table.rows.append(row)
    table.notes.append("low, high: a 95% interval for that instance. Height: the losses are 0 or this.")
    return table


def _described(one: Instance) -> list[Any]:
    gaps = ", ".join(f"{gap:.3g}" for gap in one.group_gaps)
    return [gaps, ", ".join(map(str, one.counts)), one.epsilon, one.n]


def _instances(found: Found, k: int, grid: tuple[float, ...]) -> Table:
    columns = ["c2", "c1 found", "c1 of the counterexample", "gaps", "actions", "epsilon", "n", "regret / rate"]
    table = Table(f"The hardest instance with losses that never change, Gumbel noise, K = {k}", columns)
    for c2 in grid:
        log_c1, one = found["gumbel", k, c2]
        known = counterexample(k, c2) if c2 >= 8 else NONE
        table.rows.append([c2, math.exp(log_c1), known, *_described(one), _regret_over_rate(one)])
    table.notes.append(
        "Regret / rate: exact regret at 10^12 rounds over log(K)/gap + log(K)/epsilon. Where one action stands near "
        "the best and all others far off, the instance is the counterexample."
    )
    return table


def _regret_over_rate(one: Instance) -> float:
    """Exact regret of the noisy leader on an instance whose losses never change, over the rate of the open problem."""
    k = one.n_actions
    regret = exact_regret(NoisyLeader(k, one.epsilon, "gumbel"), Deterministic(one.means()), 10**12)
    return regret / (math.log(k) * (1 / float(one.group_gaps.min()) + 1 / one.epsilon))


def _findings(found: Found, drawn: Drawn, pairs: dict[tuple[float, int], float]) -> list[Finding]:
    grid = sorted({c2 for c2, _ in pairs})
    by_k = {c2: _growth([found[case][0] for case in found if case[0] == "gumbel" and case[2] == c2]) for c2 in grid}
    by_n = {c2: _growth([value for case, value in pairs.items() if case[0] == c2]) for c2 in grid}
    bounded = [c2 for c2 in grid if max(by_k[c2], by_n[c2]) < 1.05]
    last = max(case[1] for case in found)
    known = {c2: found["gumbel", last, c2][0] - math.log(counterexample(last, c2)) for c2 in grid if c2 > 8}
    exact = max(value for (noise, _, c2), (value, _) in found.items() if noise == "gumbel" and c2 == 8)
    lemma = max(one.lemma for one in drawn.values())
    rates = [_regret_over_rate(found["gumbel", last, c2][1]) for c2 in grid if c2 > 8]
    others = [
        _growth([found[case][0] for case in found if case[0] == noise and case[2] == grid[-1]])
        for noise in ("exponential", "laplace")
    ]
    return [
        Finding(
            "Remark 14: some c1 and c2 do for all instances.",
            f"{_listed(bounded)} c2 on the grid has a c1 that stops growing, both in K (to {last}) with losses that "
            "never change and in n with two actions. The instances found show that the conjecture as printed is false.",
            bool(bounded),
        ),
        Finding(
            "By the counterexample, c1 must grow like K^(1 - 8/c2) for c2 > 8.",
            f"At K = {last} the search finds between {math.exp(min(known.values())):.2f} and "
            f"{math.exp(max(known.values())):.2f} times the c1 of the counterexample.",
            all(abs(value) < 0.2 for value in known.values()),
        ),
        Finding(
            "With losses that never change and Gumbel noise, c2 = 8 and c1 = 1 are right, with equality.",
            f"At c2 = 8 the largest c1 found is 1 + {abs(math.expm1(exact)):.0e}, and losses are rounded to 2^-20.",
            abs(exact) < 1e-3,
        ),
        Finding(
            "The other noises are no way out.",
            f"At c2 = {grid[-1]:g}, from K = 4 to the largest K searched, c1 grows by a factor of {others[0]:.1f} for "
            f"exponential and {others[1]:.1f} for Laplace noise.",
            min(others) > 1.05,
        ),
        Finding(
            "The weaker bound of lemma 16, with the rate epsilon/2 of Gumbel noise of scale 2/epsilon, holds.",
            f"On the worst instances of the second search a chance is at most {lemma:.2f} of it.",
            lemma <= 1,
        ),
        Finding(
            "The rate log(K)/gap + log(K)/epsilon does not rest on the conjecture.",
            f"On the instances that break it (K = {last}), the regret is at most {max(rates):.2f} times the rate.",
            max(rates) < 8,
        ),
    ]


def _growth(logs: list[float]) -> float:
    """By what factor c1 grew from the first to the last."""
    return math.exp(min(logs[-1] - logs[0], 700))


def _listed(values: list[float]) -> str:
    return ", ".join(f"{value:g}" for value in values) if values else "No"


def _figure(found: Found, pairs: dict[tuple[float, int], float], sizes: tuple[int, ...], lengths: list[int]) -> Figure:
    figure, (left, right) = panels(2)
    shown = sorted({c2 for c2, _ in pairs} & {6.0, 8.0, 8.5, 9.0, 10.0, 16.0, 64.0})
    for place, c2 in enumerate(shown):
        style = line_style(place)
        if c2 >= 8:
            left.plot(sizes, [math.exp(found["gumbel", k, c2][0]) for k in sizes], label=f"c2 = {c2:g}", **style)
            left.plot(sizes, [counterexample(k, c2) for k in sizes], color="k", lw=0.5)
        needs = [(n, math.exp(pairs[c2, n])) for n in lengths if -7 < pairs[c2, n] < 12]
        right.plot(*np.array(needs).T, label=f"c2 = {c2:g}", **style)
    left.set(xscale="log", yscale="log", xlabel="actions K", ylabel="c1 needed", title="losses that never change")
    right.set(xscale="log", yscale="log", xlabel="rounds n in the block", ylabel="c1 needed", title="two actions")
    left.legend(fontsize=7)
    right.legend(fontsize=7)
    return figure
