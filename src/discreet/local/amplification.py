"""What batches add to the privacy of reports: the smallest law of the batch around a report (section 3.1.2)."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from discreet.experts.parameters import whole
from discreet.guarantees import TradeOff
from discreet.guarantees.reach import within_reach
from discreet.local.batch_law import BatchLaw
from discreet.local.change import change_chance
from discreet.local.delays import MOST, Delays
from discreet.local.gaps import survival
from discreet.local.grid import unit_for
from discreet.selection.base import positive

Floats = NDArray[np.float64]
_DENSE = 1000  # sizes up to this are told apart, larger ones by steps of 1 in 250
_CELLS = np.linspace(0.0, 8.0, 101)


def amplified_trade_off(t: int, n_actions: int, mu: float, sensitivity: float, tolerance: float) -> TradeOff:
    """What the actions of `AdaptiveBatchLeader` reveal about the losses of round t, whatever all losses are.

    Rounds count from 1. `mu` is the level of a report, whose noise has the scale sensitivity/mu; losses lie in [0, 1].
    The curve bounds every test between two tables of losses that differ in round t.

    **Conditions.** The curve names the first three as `about`; where one fails only `GaussianDP(mu)` is promised.
    Losses do not react to what was released: theorem 2 wants them fixed before the noise is drawn. Only actions are
    released, of one such learner: whoever sees reports, totals, a state, or the actions of another learner on the same
    reports, sees more than sums of batches. Where `sensitivity` is below sqrt(n_actions), losses of the round move by
    that at most. And all noise, the initial one too, is unpredictable, independent, and of the scale sensitivity/mu.

    **Proof.** `least_batch_law` is stochastically smaller than the law of the batch around round t, which does not
    depend on the losses of round t: a batch's size is drawn from the reports before it. `BatchLaw.trade_off` then
    bounds the release. Every number is rounded towards less privacy.

    **Cost.** Below 1 s at t = 10^4, whatever n.

    >>> curve = amplified_trade_off(1000, n_actions=25, mu=1.0, sensitivity=5.0, tolerance=0.01)
    >>> round(curve.trade_off(0.05), 3)              # 0.740 without batches
    0.798

    Reference: Jacobsen & Fawaz, Prediction with Expert Advice under Local Differential Privacy, 2025, section 3.1.2.
    """
    mu, sensitivity = positive("mu", mu), positive("sensitivity", sensitivity)
    if not is_fine(sensitivity / mu):
        raise ValueError(
            f"a scale of {sensitivity / mu:.3g} is too small beside the grid of reports; nothing is gained"
        )
    curve = least_batch_law(t, n_actions, sensitivity / mu, tolerance).trade_off(mu)
    return curve.narrowed(_about(t, within_reach(mu, Fraction(sensitivity), n_actions).within))


def is_fine(scale: float) -> bool:
    """Whether the grid of reports is so fine beside the noise that sums of rounded reports hide their order.

    >>> is_fine(5.0), is_fine(2.0**-26)
    (True, False)
    """
    return scale >= 32 * unit_for(scale)


def _about(t: int, within: float | None) -> str:
    """Which rounds the curve is about, and when it holds."""
    others = "" if within is None else f" by others that differ by at most {within!r} in Euclidean norm"
    return (
        f"the losses of round {t} alone may be replaced{others}, where losses do not react to what is released and "
        "nothing but the actions is"
    )


def least_batch_law(t: int, n_actions: int, scale: float, tolerance: float) -> BatchLaw:
    """A law that is stochastically smaller than that of the size of the batch around round t, whatever the losses.

    For each B: were the batch around t of at most B + 1 rounds, it would begin after one of the reports t-1-B, ...,
    t-1, where the gap would be below kappa, the gap for a delay of B + 1 after t-1 reports (it rises with the round).
    So the batch has B + 2 rounds or more where the gap stays at kappa or above during that walk of B steps. The gap
    at its start, after t-1-B reports and the initial noise, is stochastically smallest for equal losses, when it is
    that of n values N(0, scale^2 (t-B)). From kappa + B + k, the walk takes it below kappa with chance at most
    change_chance(beta), beta = k/(scale sqrt(2B)) - sqrt(log(2n - 2)) (theorem 1; losses take at most B). Hence

        P(size >= B + 2) >= E G((kappa + B + scale sqrt(2B) (beta + sqrt(log(2n - 2)))) / (scale sqrt(t - B)))

    over beta of law P(beta > b) = change_chance(b), b >= 0. G is convex, so replacing beta by its mean in each of 100
    cells gives less (Jensen), and dropping what lies beyond 8 gives less again. Totals are kept on a grid: rounding
    moves a gap by at most one unit a report, two where reports come rounded to a unit themselves, so kappa is raised by
    2 units for each; and n 10^-15 is taken off for the floats of the initial noise.

    >>> law = least_batch_law(1000, n_actions=25, scale=5.0, tolerance=0.01)
    >>> law.sizes[:3], round(law.survival(2), 3)
    ((1, 2, 3), 0.571)
    """
    t, n_actions = whole("t", t, least=1), whole("n_actions", n_actions, least=2)
    delays = Delays(n_actions, positive("scale", scale), allowed_tolerance(tolerance))
    steps = _steps(min(t - 2, MOST - 1))
    chances = _survivals(steps, t, n_actions, delays) if len(steps) else np.empty(0)
    chances = np.maximum.accumulate(chances[::-1])[::-1]  # a larger size is also at least a smaller one
    sizes, weights = np.append(1, steps + 2), np.append(1.0, chances) - np.append(chances, 0.0)
    kept = weights > 0
    return BatchLaw(tuple(sizes[kept].tolist()), tuple(weights[kept].tolist()))


def allowed_tolerance(tolerance: object) -> float:
    """A tolerance: a number above 0 and below 1."""
    number = positive("tolerance", tolerance)
    if number >= 1:
        raise ValueError(f"tolerance is {number}; it must be below 1")
    return number


def _steps(last: int) -> NDArray[np.int64]:
    """The numbers B of steps that are looked at: all small ones, then ever fewer, up to the last."""
    dense = np.arange(min(last, _DENSE) + 1)
    if last <= _DENSE:
        return dense
    ratios = np.arange(1, math.ceil(math.log(last / _DENSE) * 250) + 1)
    return np.append(dense, np.unique(np.minimum(_DENSE * np.exp(ratios / 250), last).astype(np.int64)))


def _survivals(steps: NDArray[np.int64], t: int, n_actions: int, delays: Delays) -> Floats:
    """For each B, a lower bound on the chance of a batch of at least B + 2 rounds."""
    means, masses = _cells()
    rounding = 2 * (t + 1) * unit_for(delays.scale)
    chances = np.zeros(len(steps))
    for i, b in enumerate(steps.tolist()):
        spread = delays.scale * math.sqrt(t - b)
        needed = (delays.gap_for(b + 1, t - 1) + b) * (1 + 1e-9) + rounding
        if needed > 16 * spread:
            break
        walk = delays.scale * math.sqrt(2 * b) * (means + delays.lift)
        chances[i] = survival((needed + walk) / spread, n_actions) @ masses
    return np.maximum(chances * (1 - 1e-12) - 1e-15 * n_actions, 0.0)


@cache
def _cells() -> tuple[Floats, Floats]:
    """Means of beta within cells, rounded up, and the chance of each cell, rounded down."""
    ends = np.array([change_chance(beta) for beta in _CELLS.tolist()])
    masses = ends[:-1] - ends[1:]
    # The mean of beta above a cell's start is the integral of the chance, less its end's, over the cell.
    nodes, weights = np.polynomial.legendre.leggauss(12)
    width = _CELLS[1] - _CELLS[0]
    inside = _CELLS[:-1, None] + width * (nodes + 1) / 2
    above = np.array([[change_chance(beta) for beta in row] for row in inside.tolist()]) - ends[1:, None]
    means = _CELLS[:-1] + above @ weights * (width / 2) / masses
    return means * (1 + 1e-6), masses * (1 - 1e-9)
