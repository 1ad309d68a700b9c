"""The constants of `SparseVectorExperts`: as printed in the paper, or calculated for what is given.

Both give how epsilon is split, and with it everything that privacy depends on; the guarantee is read off what comes
out, not off the way here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from discreet.experts.alarms import noise_of_sum_tests
from discreet.experts.switching import most_switches
from discreet.selection.base import at_most

#: What is tried for the tight constants: the share of epsilon for tests, and x = rate · (losses that drop an action).
SHARES = tuple(step / 40 for step in range(2, 39))
RISES = tuple(step / 4 for step in range(2, 33))


@dataclass(frozen=True)
class Constants:
    """How many switches, the rate of the selections, the threshold in losses, and epsilon of a test."""

    switches: int
    rate: float
    threshold: float
    test_epsilon: float


@dataclass(frozen=True)
class Given:
    """What constants are calculated from."""

    n_actions: int
    epsilon: float
    rounds: int
    best_loss: float
    failure: float
    delta: float = 0.0
    switches: int | None = None
    threshold: float | None = None


def paper(given: Given) -> Constants:
    """Theorem 1 and algorithm 1, logarithms natural: the draw's weight e^(-eta s / 2) is a rate of eta / 2.

    The number of switches is rounded down: one more would cost more than epsilon.

    >>> round(paper(Given(100, 1.0, 10_000, 0.0, 0.05)).threshold)
    992
    """
    bound = 6 * math.ceil(math.log(given.n_actions)) + 24 * math.log(1 / given.failure)
    bound = bound if given.switches is None else float(given.switches)
    eta = given.epsilon / (2 * bound)
    if given.delta:
        eta = given.epsilon / math.sqrt(32 * bound * math.log(1 / given.delta))
    noise = 8 * math.log(2 * given.rounds**2 / given.failure) / given.epsilon
    threshold = given.best_loss + 4 / eta + noise if given.threshold is None else given.threshold
    return Constants(math.floor(bound), eta / 2, threshold, given.epsilon / 2)


@lru_cache(maxsize=1024)
def tight(given: Given) -> Constants:
    """The rise x and the split of epsilon with the least (1 + log K) · (threshold + 1 / rate).

    For each rise x: as many switches as `most_switches` wants at half of the failure, and the noise that tests add, at
    a quarter of it. For each share of epsilon for the tests: the rate that the rest pays for, and the threshold
    best_loss + x / rate + noise. The cost is what is lost where actions turn bad one by one, about 1 + log K of which
    were being played, and where all but one turn bad at once. What is chosen makes no difference to privacy.
    """
    options = [option for x in RISES for option in _options(given, x)]
    return min(options, key=lambda option: option[0])[1]


def _options(given: Given, x: float) -> list[tuple[float, Constants]]:
    """Constants for each split of epsilon, with what they cost."""
    switches = given.switches or most_switches(given.n_actions, x, given.failure / 2)
    noise = noise_of_sum_tests(switches + 1, given.rounds, given.failure / 4)
    log, options = 1 + math.log(given.n_actions), []
    for share in SHARES:
        test_epsilon = given.epsilon * share
        rate = selection_rate(Fraction(given.epsilon) - Fraction(test_epsilon), switches, given.delta)
        least = given.best_loss + x / rate + noise / test_epsilon
        threshold = least if given.threshold is None else given.threshold
        cost = log * (least + 1 / rate)
        options.append((cost, Constants(switches, rate, threshold, test_epsilon)))
    return options


def selection_rate(epsilon: Fraction, switches: int, delta: float) -> float:
    """The rate at which so many selections reveal epsilon, or (epsilon, delta), together: never more."""
    pure = at_most(epsilon / (2 * switches))
    return max(pure, concentrated_rate(float(epsilon), switches, delta)) if delta else pure


def concentrated_rate(epsilon: float, switches: int, delta: float) -> float:
    """The rate at which so many softmax selections are (epsilon, delta)-private, a little rounded down.

    The log-ratio of softmax at rate r lies in an interval of length eta = 2 r. Its moments under the one law,
    log E e^(s L), are 0 at s = 0 and s = 1 and curve by eta^2/4 at most (Hoeffding), so n selections, one after the
    other, are n · eta^2/8-concentrated (Cesar & Rogers 2021). Concentration rho gives
    (rho + 2 sqrt(rho log(1/delta)), delta) (Bun & Steinke 2016), which is solved for rho here.
    """
    log = math.log(1 / delta)
    root = epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))
    return root * math.sqrt(2 / switches) * (1 - 2.0**-40)


def concentrated_epsilon(rate: float, switches: int, delta: float) -> float:
    """The epsilon of so many softmax selections at this rate, a little rounded up."""
    rho = switches * rate**2 / 2
    return (rho + 2 * math.sqrt(rho * math.log(1 / delta))) * (1 + 2.0**-42)
