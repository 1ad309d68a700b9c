"""What knowing the best action afterwards is worth: from regret against the best mean to regret against the best total.

Theorems on i.i.d. losses bound *pseudo-regret*: the expected loss beyond that of the action with the best mean. The
regret of one log is *realized*: the loss beyond that of the action whose total turned out to be best, which is never
more than the total of the action with the best mean. The difference does not depend on the learner.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.bounds.conditions import needs_rounds

_STEPS = 64  # rates that are tried; each gives a true bound


def hindsight(gaps: ArrayLike, rounds: int) -> float:
    """The total of the action with the best mean, less the best total of all actions: in expectation at most this.

    For i.i.d. loss vectors in [0, 1]^K; actions may depend on each other within a round. gaps: how far each action's
    mean loss lies above the best. A bound on pseudo-regret plus this is a bound on expected realized regret.

    Proof. Let S_j be the total of the best-mean action less that of action j: a sum of T independent differences in
    [-1, 1], each of mean -gap_j. By Hoeffding's lemma E e^(rate · S_j) <= e^(rate^2 · T/2 - rate · gap_j · T) for every
    rate > 0, and for the best-mean action itself it is 1. By Jensen's inequality the expected maximum of all S_j is at
    most log(1 + the sum over the others of those) / rate. The smallest of these over some rates is taken. If no action
    has a gap the rate sqrt(2 log(K)/T) gives sqrt(2 T log K) at most, and gaps make it smaller.

    >>> round(hindsight([0.0, 0.0], rounds=1000), 1), round(hindsight([0.0, 0.2], rounds=1000), 6)
    (29.3, 0.0)
    """
    needs_rounds(rounds)
    ordered = np.sort(np.asarray(gaps, dtype=np.float64))
    if ordered.ndim != 1 or ordered.size < 2 or ordered[0] != 0 or not ordered[-1] <= 1:
        raise ValueError("needs the gaps of at least two actions, the best at 0 and none above 1")
    flat = np.sqrt(np.log(ordered.size) / rounds)
    rates = np.geomspace(flat / 2, max(4 * flat, 2.0), _STEPS)
    return min(float(rounds), *(_at(float(rate), ordered[1:], rounds) for rate in rates))


def _at(rate: float, others: NDArray[np.float64], rounds: int) -> float:
    """The bound at one rate: log(1 + sum of e^x) / rate, without overflow."""
    exponents = np.append(0.0, rate * rounds * (rate / 2 - others))
    largest = float(exponents.max())
    return (largest + float(np.log(np.exp(exponents - largest).sum()))) / rate
