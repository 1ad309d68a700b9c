"""Hedge, exponential weights with a falling rate; not private."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.experts.totals import Floats, TotalsLearner
from discreet.losses import UNITS, Units

# e^-50 is below what a sum of probabilities near 1 can hold in floats, even from a million actions.
_NEGLIGIBLE = 50.0


class Hedge(TotalsLearner):
    """P(j) proportional to exp(-rate_t · total_j) with rate_t = sqrt(8 log(K) / t) in round t = 1, 2, ...

    Weights are made from totals less the smallest one, so that none overflows and the best is always 1.

    **Guarantee.** None: the rate is set for regret, and every round enters every later draw.

    **Regret.** Against any losses at most 2 sqrt(T log(K) / 2) + sqrt(log(K) / 8) in expectation (Cesa-Bianchi &
    Lugosi 2006, theorem 2.3).

    **Cost.** O(K) a round.

    >>> Hedge(n_actions=2, seed=1).play([[0.0, 1.0]] * 100)[-3:].tolist()
    [0, 0, 0]

    References: Freund & Schapire 1997; Cesa-Bianchi & Lugosi, Prediction, Learning, and Games, 2006.
    """

    def __init__(self, n_actions: int, seed: int | None = None, runs: int | None = None) -> None:
        self._begin(n_actions, seed, runs)

    def _laws(self, totals: Units, rounds: NDArray[np.int64]) -> Floats:
        rates = self._rates(rounds) / UNITS
        return normalized(-rates[..., None] * (totals - totals.min(axis=-1, keepdims=True)))

    def _rates(self, rounds: NDArray[np.int64]) -> Floats:
        rates: Floats = np.sqrt(8 * math.log(self.n_actions) / (rounds + 1.0))
        return rates

    def _reach(self, rounds: int) -> float:
        return _NEGLIGIBLE / float(self._rates(np.array(rounds)))


def normalized(logs: Floats) -> Floats:
    """Probabilities from log weights of which the largest is 0."""
    weights = np.exp(logs)
    laws: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return laws
