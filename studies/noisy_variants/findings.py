"""What came out on the six variants, claim by claim."""

from __future__ import annotations

import math

from studies.noisy_variants.calibration import Calibrated
from studies.noisy_variants.learners import Estimate
from studies.noisy_variants.losses import ZERO_ONE, Cells, Change
from studies.noisy_variants.orders import EPSILON, Growth, Long
from studies.noisy_variants.worst import Worst
from studies.page import Finding
from tools.table import Table

#: Fewer standard deviations are sampling error: of a hundred such, one exceeds this with probability below 1/100.
_SURE = 4.0


def on_calibration(pairs: list[Calibrated]) -> list[Finding]:
    """Exponential noise, printed and proved."""
    shares = [pair.believed / pair.proved for pair in pairs]
    apart = max(abs(pair.revealed - 2 * pair.epsilon) for pair in pairs)
    return [
        Finding(
            "Section 3.1: exponential noise of mean 1/epsilon is epsilon-private.",
            f"It reveals 2 epsilon: on two neighboring vectors of totals the privacy loss is {pairs[0].revealed:.4g} "
            f"at epsilon {pairs[0].epsilon:g} and {pairs[-1].revealed:.4g} at epsilon {pairs[-1].epsilon:g} (from "
            f"2 epsilon it is {apart:.1g} away at most).",
            all(pair.revealed <= pair.epsilon for pair in pairs),
        ),
        Finding(
            "At equal true privacy the two calibrations are one: as printed at epsilon/2 it is the selection as proved "
            "at epsilon.",
            f"For all {len(pairs)} values of epsilon: the same selection, with the same seed the same actions in 3,000 "
            "rounds, the same exact regret.",
            all(p.same_selection and p.same_actions and p.proved == p.halved for p in pairs),
        ),
        Finding(
            "Believed as it is printed, it seems to be about twice as good where privacy decides.",
            f"On theorem 7's instance its regret at face value is {min(shares):.3f} to {max(shares):.3f} of that at "
            "equal privacy; all of that is privacy given away.",
            0.4 < min(shares) <= max(shares) < 0.6,
        ),
    ]


def on_losses(cells: Cells, found: list[Change], by_round: list[float]) -> list[Finding]:
    """What resampling changes, and which noise does best."""
    same = [change for change in found if change.kind in ZERO_ONE]
    others = [change for change in found if change.kind not in ZERO_ONE]
    hurt = [change for change in others if change.sigmas > _SURE]
    most = max(others, key=lambda change: change.ratio)
    best = [min(row, key=lambda name: row[name].mean) for row in cells.values()]
    return [
        Finding(
            "For losses of 0 and 1, dependent or not, resampling changes nothing in law.",
            "Round by round, with its random numbers drawn, the differences are "
            + ", ".join(f"{sigmas:+.1f}" for sigmas in by_round)
            + f" standard deviations on {', '.join(ZERO_ONE)}; in the table above at most "
            f"{max(abs(change.sigmas) for change in same):.1f}.",
            all(abs(sigmas) < _SURE for sigmas in [*by_round, *(change.sigmas for change in same)]),
        ),
        Finding(
            "Section 3.1: on some instances resampling strictly reduces regret; so on some of the other losses here.",
            f"Of {len(others)} cells {sum(c.sigmas < -_SURE for c in others)} are smaller and {len(hurt)} are larger "
            f"beyond sampling error ({_SURE:g} standard deviations), up to {most.ratio:.3g} times: {most.kind}, "
            f"epsilon {most.epsilon:g}. (The study of resampling finds instances on which it gains, at large epsilon.)",
            any(change.sigmas < -_SURE for change in others),
        ),
        Finding(
            "At equal privacy no variant with resampling is the best, but on losses of 0 and 1.",
            f"The smallest mean is that of PrivateLeader in {best.count('PrivateLeader')} of {len(best)} rows, of "
            f"exponential noise in {sum('exponential' in name for name in best)}; of a variant with resampling, beyond "
            f"losses of 0 and 1, in {_resampled(cells)}.",
            _resampled(cells) == 0,
        ),
    ]


def _resampled(cells: Cells) -> int:
    rows = [row for (kind, _), row in cells.items() if kind not in ZERO_ONE]
    return sum("resampled" in min(row, key=lambda name: row[name].mean) for row in rows)


def on_orders(still: list[Growth], drawn: list[Growth], longest: list[Long], shrinking: Table) -> list[Finding]:
    """Growth with the numbers of actions and rounds."""
    laplace = next(row for row in longest if row.learner == "laplace")
    exponential, gumbel = ([g for g in still if g.learner == name] for name in ("exponential", "gumbel"))
    ends = shrinking.rows[0], shrinking.rows[-1]
    last = shrinking.columns.index("gumbel, resampled")
    return [
        _of_squares("Table 1 allows log² K / epsilon with resampling (theorem 3) where losses are drawn", drawn),
        _of_squares("It allows it too where losses never change, for Laplace noise (corollary 10)", still),
        Finding(
            "Theorem 2 allows growth with log T for Laplace noise without resampling; if it is loose there is none.",
            f"Laplace, exact, regret · epsilon / log K: {_spread(laplace.horizons)} as T grows a thousandfold at a "
            f"time, and {_spread(laplace.scales)} at the largest T as gaps fill {_keys(laplace.scales)} scales.",
            _flat(list(laplace.horizons.values())[-2:]) and _flat(list(laplace.scales.values())),
        ),
        Finding(
            "Exponential noise is never worse than Gumbel noise at the same privacy (McKenna & Sheldon; theorem 11).",
            "Exact, where losses never change: its regret is "
            f"{min(_shares(exponential, gumbel)):.3f} to {max(_shares(exponential, gumbel)):.3f} of Gumbel's.",
            max(_shares(exponential, gumbel)) <= 1,
        ),
        Finding(
            "Corollary 10, which names no B: where losses never change regret is O(log² K / epsilon) at any gap.",
            f"Not with resampling: as the gap falls from {ends[0][0]:g} to {ends[1][0]:g}, regret with Gumbel noise "
            f"grows from {ends[0][last]:.3g} to {ends[1][last]:.3g}. Without resampling it goes from "
            f"{ends[0][last - 3]:.3g} to {ends[1][last - 3]:.3g}.",
            ends[1][last] < 2 * ends[0][last],
        ),
    ]


def _of_squares(expected: str, growths: list[Growth]) -> Finding:
    """Does anything grow like log² K? Halfway between log K and log² K is the line."""
    most = max(growths, key=lambda growth: growth.over_log)
    return Finding(
        f"{expected}; if the bound is loose nothing grows faster than log K.",
        f"From K = {most.actions[0]} to {most.actions[-1]} log² K would grow {most.square:.3g} times as much as log K; "
        f"the fastest growth is {most.over_log:.3g} ± {most.error:.1g} times that of log K ({most.learner}; "
        f"{most.instance}).",
        most.over_log + most.error < (1 + most.square) / 2,
    )


def _shares(one: list[Growth], other: list[Growth]) -> list[float]:
    mine, theirs = ([regret.mean for growth in growths for regret in growth.regrets] for growths in (one, other))
    return [a / b for a, b in zip(mine, theirs, strict=True)]


def _flat(values: list[float]) -> bool:
    return max(values) < 1.1 * min(values)


def _spread(values: dict[int, float]) -> str:
    return ", ".join(f"{value * EPSILON / math.log(64):.3g}" for value in values.values())


def _keys(values: dict[int, float]) -> str:
    return ", ".join(map(str, values))


def on_worst_case(worst: list[Worst]) -> list[Finding]:
    """Instance-independent: the worst gap."""
    last = sorted({one.rounds for one in worst})[-2:]
    steps = [
        _regret(worst, "0/1", one.learner, last[1]).mean / _regret(worst, "0/1", one.learner, last[0]).mean
        for one in worst
        if one.rounds == last[0] and one.losses == "0/1"
    ]
    root = math.sqrt(last[1] / last[0])
    narrow = _regret(worst, "within 0.1 of the mean", "gumbel", last[1])
    resampled = _regret(worst, "within 0.1 of the mean", "gumbel, resampled", last[1])
    coin, coin_resampled = (_regret(worst, "0/1", name, last[1]) for name in ("gumbel", "gumbel, resampled"))
    return [
        Finding(
            "Corollary 5: at the worst gap for each T regret grows like sqrt(T).",
            f"From T = {last[0]:,} to {last[1]:,} it grows {min(steps):.3g} to {max(steps):.3g} times on losses of 0 "
            f"and 1, sqrt(T) {root:.3g} times.",
            0.75 * root < min(steps) <= max(steps) < 1.25 * root,
        ),
        Finding(
            "Section 3.1: the worst case with resampling is not worse than that without.",
            f"At the worst gap, T = {last[1]:,}, Gumbel noise: on losses of 0 and 1 {coin} without and "
            f"{coin_resampled} with; on losses within 0.1 of the mean {narrow} and {resampled}.",
            max(coin_resampled.mean, resampled.mean) - max(coin.mean, narrow.mean)
            < 2 * math.hypot(max(coin_resampled.half, resampled.half), max(coin.half, narrow.half)),
        ),
    ]


def _regret(worst: list[Worst], losses: str, learner: str, rounds: int) -> Estimate:
    key = (losses, learner, rounds)
    return next(one.regret for one in worst if (one.losses, one.learner, one.rounds) == key)
