"""Which mu is as much as an epsilon? No curve is both, so there are two readings.

PureDP(epsilon) allows a test with false alarms a and misses b only where b >= 1 - e^epsilon a and a >= 1 - e^epsilon b;
GaussianDP(mu) where Phi^-1(1 - a) - Phi^-1(b) <= mu. The first curve has a corner, at a = b; the second is smooth.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

from discreet.guarantees import GaussianDP

DELTA = 1e-6


def mu_by_guess(epsilon: float) -> float:
    """The same chance of guessing right which of two neighbors it was, each as likely: e^epsilon / (1 + e^epsilon).

    The smooth curve then touches the corner of the other and lies below it everywhere else, since convex curves lie
    below their chords. So this is the smallest mu for which every epsilon-private learner is mu-Gaussian private; and
    the Gaussian one promises less: for rare events its factor is not bounded.

    >>> round(mu_by_guess(1.0), 3)
    1.232
    """
    from scipy.special import ndtri

    return float(-2 * ndtri(1 / (1 + exp(epsilon))))


def epsilon_by_guess(mu: float) -> float:
    """The other way round.

    >>> round(epsilon_by_guess(mu_by_guess(1.0)), 12)
    1.0
    """
    from scipy.special import log_ndtr

    return float(log_ndtr(mu / 2) - log_ndtr(-mu / 2))


def mu_by_delta(epsilon: float) -> float:
    """The largest mu for which every mu-Gaussian private learner is (epsilon, 10^-6)-private.

    So the Gaussian one promises about as much as the pure one, up to events that hardly ever happen; and much more
    than the pure one where both are guessed at.

    >>> round(mu_by_delta(1.0), 3)
    0.237
    """
    from scipy.optimize import brentq

    return float(exp(brentq(lambda power: log(GaussianDP(exp(power)).delta(epsilon) / DELTA), -9.0, 5.0)))


def epsilon_by_delta(mu: float) -> float:
    """The other way round.

    >>> round(epsilon_by_delta(mu_by_delta(1.0)), 6)
    1.0
    """
    return GaussianDP(mu).epsilon(DELTA)


#: The readings by name.
READINGS: dict[str, Callable[[float], float]] = {"best guess": mu_by_guess, "delta 10^-6": mu_by_delta}
