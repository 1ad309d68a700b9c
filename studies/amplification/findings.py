"""What came out, beside what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt

import numpy as np

from discreet.guarantees import GaussianDP
from studies.amplification.curves import ALPHAS, DELTA, EPSILONS, PAPERS, TWO, Ints, Round
from studies.amplification.heuristic import Guess, Rule, as_printed, guessed_law, mended
from studies.page import Finding

#: A claim fails only where it does so by so many standard errors, or with a smaller chance of a false alarm than this.
SIGMAS, RARE = 4.5, 1e-5
LOW, NEAR = 1e-3, 1.25
#: What a user would call neither low nor high.
MODERATE = (0.01, 0.5)


def findings(rounds: Sequence[Round], pairs: Sequence[Round], guesses: Sequence[Guess], again: Ints) -> list[Finding]:
    """All of them: `rounds` are the paper's, `pairs` those of two actions, `again` sizes by `simulated_batch_law`."""
    made = [_below(rounds), _above(rounds), _law(rounds), _near(rounds[-1]), _epsilon(rounds[-1])]
    made += [_moderate(rounds), _large(rounds[-1]), _same(rounds[-1].sizes, again)]
    return [*made, _thumb(guesses), _printed(guesses), _inflated(pairs[-1])]


def _below(rounds: Sequence[Round]) -> Finding:
    worst, where = -np.inf, ""
    for one in rounds:
        for alpha, proved in zip(ALPHAS.tolist(), one.proved_beta(ALPHAS).tolist(), strict=True):
            seen = one.seen_beta(alpha)
            off = (proved - seen.value) / seen.error
            if off > worst:
                worst, where = off, f"{proved:.5f} to {seen.value:.5f} at alpha {alpha:.2g}, round {one.t:,}"
    return Finding(
        f"The analytic trade-off curve lies below the empirical, for false-positive rates from {ALPHAS[0]:g} to "
        f"{ALPHAS[-1]:g} and all rounds looked at.",
        f"nearest to it, or furthest above: {where} ({worst:+.1f} standard errors).",
        worst <= SIGMAS,
    )


def _above(rounds: Sequence[Round]) -> Finding:
    worst, where = -np.inf, ""
    for one in rounds:
        for epsilon in EPSILONS.tolist():
            proved, seen = one.proved_delta(epsilon), one.seen_delta(epsilon)
            off = (seen.value - proved) / seen.error
            if off > worst:
                worst, where = off, f"{proved:.3g} to {seen.value:.3g} at epsilon {epsilon:.3g}, round {one.t:,}"
    return Finding(
        f"The analytic curve of (epsilon, delta) lies above the empirical, for epsilon up to {EPSILONS[-1]:g}.",
        f"nearest to it, or furthest below: {where} ({worst:+.1f} standard errors).",
        worst <= SIGMAS,
    )


def _law(rounds: Sequence[Round]) -> Finding:
    allowed = sqrt(log(1 / RARE) / (2 * len(rounds[0].sizes)))
    worst, where = -np.inf, ""
    for one in rounds:
        for size in np.unique(np.geomspace(2, max(one.least.sizes) + 1, 200).astype(int)).tolist():
            proved, seen = one.least.survival(size), float((one.sizes >= size).mean())
            if proved - seen > worst:
                worst, where = proved - seen, f"{proved:.3f} to {seen:.3f} (size {size}, round {one.t:,})"
    return Finding(
        "The law behind the analytic curve is stochastically smaller than that of the batches of runs.",
        f"nearest to it, or furthest above, the chance of at least some size: {where}; by chance up to {allowed:.3f} "
        f"would be seen above but once in {1 / RARE:,.0f} times.",
        worst <= allowed,
    )


def _near(one: Round) -> Finding:
    low = ALPHAS[ALPHAS <= LOW]
    ratios = {alpha: power_ratio(one, alpha) for alpha in low.tolist()}
    first, last = min(ratios), max(ratios)
    middle = power_ratio(one, 0.05)
    return Finding(
        f"Close at low false-positive rates, {LOW:g} and below: there the power of a test, 1 - beta, is by the "
        f"analytic curve at most {NEAR} times that by the empirical (round {one.t:,}).",
        f"{ratios[first]:.2f} times at alpha {first:.2g}, {ratios[last]:.2f} at {last:.2g}, at most "
        f"{max(ratios.values()):.2f}; {middle:.2f} at 0.05.",
        max(ratios.values()) <= NEAR,
    )


def power_ratio(one: Round, alpha: float) -> float:
    """The power of a test by the analytic curve, over that by the empirical."""
    proved = float(one.proved_beta(np.array([alpha]))[0])
    return (1 - proved) / (1 - one.seen_beta(alpha).value)


def _epsilon(one: Round) -> Finding:
    without = GaussianDP(one.model.mu).epsilon(DELTA)
    proved, seen = (law.trade_off(one.model.mu).epsilon(DELTA) for law in (one.least, one.law))
    middle = [one.proved_delta(1.0), one.seen_delta(1.0).value, GaussianDP(one.model.mu).delta(1.0)]
    return Finding(
        f"Figure 1: tight for small delta: epsilon at delta {DELTA:g} is by the analytic curve at most 1.05 times that "
        f"by the empirical (round {one.t:,}).",
        f"{proved:.3f} to {seen:.3f}, {without:.3f} without batches. Delta at epsilon 1: {middle[0]:.4f} to "
        f"{middle[1]:.4f}, {middle[2]:.4f} without batches.",
        proved <= 1.05 * seen,
    )


def _moderate(rounds: Sequence[Round]) -> Finding:
    places = []
    for one in rounds:
        off = [one.seen_beta(alpha).value for alpha in ALPHAS.tolist()] - one.proved_beta(ALPHAS)
        places.append((one.t, float(ALPHAS[off.argmax()]), float(off.max())))
    shown = "; ".join(f"{off:.3f} at alpha {alpha:.2g} (round {t:,})" for t, alpha, off in places)
    return Finding(
        f"Section 4: what is lost is lost at moderate rates: the curves are furthest apart between {MODERATE[0]} and "
        f"{MODERATE[1]}.",
        f"by {shown}.",
        all(MODERATE[0] <= alpha <= MODERATE[1] for _, alpha, _ in places),
    )


def _large(one: Round) -> Finding:
    quantiles = {share: (_quantile(one, share), float(np.quantile(one.sizes, share))) for share in (0.25, 0.5, 0.9)}
    shown = "; ".join(f"{proved:,.0f} to {seen:,.0f} ({share:.0%})" for share, (proved, seen) in quantiles.items())
    ratios = [seen / proved for proved, seen in quantiles.values()]
    return Finding(
        "Section 4: that is because large batches are underestimated, more than small ones.",
        f"sizes that so many of the batches around round {one.t:,} do not exceed, by the law behind the analytic curve "
        f"and in runs: {shown}.",
        ratios[0] < ratios[-1] and ratios[-1] > 1,
    )


def _quantile(one: Round, share: float) -> float:
    sums = np.cumsum(one.least.weights)
    return float(one.least.sizes[int(np.searchsorted(sums, share))])


def _same(sizes: Ints, again: Ints) -> Finding:
    places = np.unique(np.append(sizes, again))
    left, right = ((np.sort(of)[:, None] <= places).mean(axis=0) for of in (sizes, again))
    distance, runs = float(np.abs(left - right).max()), len(sizes) * len(again) / (len(sizes) + len(again))
    chance = min(1.0, 2 * exp(-2 * runs * distance**2))
    return Finding(
        "`simulated_batch_law`, which goes from batch to batch, has the law of the learner itself.",
        f"their distribution functions are at most {distance:.3f} apart, which has a chance of {chance:.2g} at least "
        f"if the laws are one (Kolmogorov and Smirnov; mean sizes {sizes.mean():.1f} and {again.mean():.1f}).",
        chance > RARE,
    )


def _thumb(guesses: Sequence[Guess]) -> Finding:
    mine = [one for one in guesses if one.model == TWO and one.mended > 1]
    shown = "; ".join(f"{one.below:.3f} for {one.chance} (round {one.t:,})" for one in mine)
    many = [one for one in guesses if one.model == PAPERS]
    return Finding(
        "Appendix A.11, mended: for two actions a factor below the rule of thumb is seen about as often as it says, to "
        "within a factor of 2, where the rule says anything at all (a factor above 1).",
        f"shares of runs below it: {shown}. For {PAPERS.n_actions} actions it says next to nothing: a factor of at "
        f"most {max(one.mended for one in many):.2f}, where runs had {max(one.seen for one in many):.2f}.",
        all(one.chance / 2 <= one.below <= 2 * one.chance for one in mine),
    )


def _printed(guesses: Sequence[Guess]) -> Finding:
    mine = [one for one in guesses if one.model == TWO and one.printed > 1]
    shown = "; ".join(f"{one.below_printed:.3f} for {one.chance} (round {one.t:,})" for one in mine)
    return Finding(
        "Appendix A.11 as printed (equation 15): the same, to within a factor of 2.",
        f"shares of runs below it: {shown}. It is the size of the batch, not its root, that the derivation gives.",
        all(one.chance / 2 <= one.below_printed <= 2 * one.chance for one in mine),
    )


def _inflated(one: Round) -> Finding:
    off = {rule: [_by_rule(one, rule, alpha) for alpha in (0.1, 1e-4)] for rule in (mended, as_printed)}
    middle, low = off[mended]
    return Finding(
        "A.11.1: the rule of thumb has a fairly good idea of moderate false-positive rates and an inflated one of "
        f"privacy at low ones (two actions, round {one.t:,}, mended; here: powers to within {NEAR} times at alpha 0.1, "
        "and at most half of what is seen at 0.0001).",
        f"power by the rule, over that in runs: {middle:.2f} at alpha 0.1, {low:.2f} at 0.0001. As printed: "
        f"{off[as_printed][0]:.2f} and {off[as_printed][1]:.2f}.",
        1 / NEAR <= middle <= NEAR and low <= 0.5,
    )


def _by_rule(one: Round, rule: Rule, alpha: float) -> float:
    curve = guessed_law(one.model, one.t, rule).trade_off(one.model.mu)
    return (1 - float(curve.trade_off(alpha))) / (1 - one.seen_beta(alpha).value)
