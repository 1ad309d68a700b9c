"""The constants of `PotentialBall`: how often to draw, at which rate, and what a point may lose before it is dropped.

What is chosen here makes no difference to privacy, which is read off what comes out.

Let some point of the ball lose `best` in all. The ball shrunk by a share s toward that point has the part s^d of the
volume, and by convexity every point of it loses at most best + s · T. Scores are totals raised to floor = best + s T
for a small s, so the mean of e^(-rate · (score - floor)) over the ball never falls below

    max over s' >= s of s'^d · e^(-rate · (s' - s) · T).

This is the acceptance: how likely rejection keeps a point. (Where the best point loses more, scores are compared with
what it loses, and the same holds with s = 0.) Its logarithm is also how far the log of the sum of weights
can fall in all, which bounds the number of draws (`experts/switching.py`, with points of the grid as actions).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from discreet.convex.ball_draws import NEAR
from discreet.experts.alarms import noise_of_sum_tests
from discreet.selection.base import at_most

#: What is tried: shares of epsilon for the test, x = rate · (losses that drop a point), and s · T in losses.
SHARES = tuple(step / 20 for step in range(5, 15))
RISES = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
SPARE = (1.0, 4.0, 16.0, 64.0)
#: Proposals to a draw that are too many.
MOST_TRIES = 1e6
_TILTS = 2.0 ** np.arange(-4, 8, 0.25)


@dataclass(frozen=True)
class Given:
    """What constants are calculated from; losses are in [0, 1]."""

    dimension: int
    epsilon: float
    rounds: int
    best_loss: float
    failure: float
    switches: int | None = None


@dataclass(frozen=True)
class Constants:
    """Draws, their rate, the threshold of a test and its epsilon; the floor of scores, in losses.

    log_tries is the log of the proposals that a draw needs at most, in the mean, where the best point loses no more
    than was said; log_most_tries where it loses anything, and its loss is known to `NEAR` / rate.
    """

    switches: int
    rate: float
    threshold: float
    test_epsilon: float
    floor: float
    log_tries: float
    log_most_tries: float


def calculated(given: Given) -> Constants:
    """Of all that is tried, the constants with the least (1 + log tries) · (threshold + 1 / rate).

    >>> found = calculated(Given(dimension=2, epsilon=1.0, rounds=1000, best_loss=0.0, failure=0.05))
    >>> found.switches, round(found.threshold), found.test_epsilon + 2 * found.rate * found.switches <= 1
    (22, 104, True)
    """
    spares = sorted({min(spare, given.rounds / 2) for spare in SPARE})
    options = (_option(given, spare, x, share) for spare in spares for x in RISES for share in SHARES)
    return min(options, key=lambda found: (1 + found.log_tries) * (found.threshold + 1 / found.rate))


def _option(given: Given, spare: float, x: float, share: float) -> Constants:
    test_epsilon = given.epsilon * share
    left = Fraction(given.epsilon) - Fraction(test_epsilon)
    switches = given.switches or _fewest(given, spare, x, left)
    rate = at_most(left / (2 * switches))
    tries = log_tries(given, spare, rate)
    noise = noise_of_sum_tests(switches + 1, given.rounds, given.failure / 4)
    floor = given.best_loss + spare
    threshold = floor + x / rate + noise / test_epsilon
    most = max(tries, NEAR + log_tries(given, 0.0, rate))
    return Constants(switches, rate, threshold, test_epsilon, floor, tries, most)


def log_tries(given: Given, spare: float, rate: float) -> float:
    """-log of the acceptance above, s T = `spare`: the best s' is d / (rate · T), if that lies between s and 1.

    >>> round(log_tries(Given(2, 1.0, 1000, 0.0, 0.05), spare=1.0, rate=0.02), 3)
    6.585
    """
    part = min(1.0, max(spare, given.dimension / rate) / given.rounds)
    return rate * (part * given.rounds - spare) - given.dimension * math.log(part)


def _fewest(given: Given, spare: float, x: float, left: Fraction) -> int:
    """The fewest draws that suffice at the rate that `left` then pays for: fewer draws mean a larger rate and fall."""
    most = _most_draws(given.dimension * math.log(given.rounds / spare), x, given.failure / 2)

    def suffices(draws: int) -> bool:
        fall = log_tries(given, spare, float(left / (2 * draws)))
        return _most_draws(fall, x, given.failure / 2) <= draws

    return 1 + bisect_left(range(1, most), True, key=suffices)


def _most_draws(fall: float, x: float, failure: float) -> int:
    """So many draws, or fewer, happen with probability 1 - failure where the log of the weights falls by `fall` in all.

    n + 1 exponential numbers below x sum to `fall` or less with probability e^(tilt · fall) · M^(n + 1) at most, M the
    mean of e^(-tilt · number), for every tilt (Chernoff). A tenth more than `switching.most_switches`, which is exact
    and takes longer.
    """
    means = np.expm1(-(1 + _TILTS) * x) / math.expm1(-x) / (1 + _TILTS)
    return max(1, math.ceil(float(((_TILTS * fall - math.log(failure)) / -np.log(means)).min())) - 1)


def check_tries(found: Constants) -> None:
    """Refuse where rejection is hopeless."""
    if found.log_most_tries > math.log(MOST_TRIES):
        raise ValueError(
            f"a draw would make about 10^{found.log_most_tries / math.log(10):.1f} proposals; at most 10^6 are made: "
            "take fewer dimensions, rounds or a smaller epsilon, or walk=10_000, which promises nothing"
        )
