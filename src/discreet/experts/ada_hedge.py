"""AdaHedge: exponential weights that set their own rate; not private."""

from __future__ import annotations

import math

import numpy as np

from discreet.experts.base import Learner
from discreet.experts.hedge import normalized
from discreet.experts.totals import Floats
from discreet.guarantees import NoGuarantee
from discreet.losses import UNITS, Units


class AdaHedge(Learner):
    """Hedge with the rate log(K) / (sum of mixability gaps so far): nothing to tune, good on easy losses too.

    The mixability gap of a round is the expected loss less the mix loss -log(sum of w_j e^(-rate · loss_j)) / rate.
    While all gaps are 0 the rate is infinite, and the law is uniform among the leaders.

    **Guarantee.** None.

    **Regret.** Against any losses at most sqrt(T log(K)) + O(log K) in expectation, and constant for i.i.d. losses
    with a gap (de Rooij et al. 2014, theorem 8 and section 5).

    **Cost.** O(K) a round.

    >>> AdaHedge(n_actions=2, seed=1).play([[0.0, 1.0]] * 100)[-3:].tolist()
    [0, 0, 0]

    Reference: de Rooij, van Erven, Grünwald & Koolen, Follow the Leader If You Can, Hedge If You Must, 2014.
    """

    _state = ("_action", "_totals", "_mixability")

    def __init__(self, n_actions: int, seed: int | None = None, runs: int | None = None) -> None:
        self._begin(n_actions, seed, runs)

    @property
    def claim(self) -> NoGuarantee:
        """Nothing: here to compare with."""
        return NoGuarantee("AdaHedge is not private")

    def _reset(self) -> None:
        self._totals = np.zeros((self._width, self.n_actions), dtype=np.int64)
        self._mixability = np.zeros(self._width)
        self._draw()

    def _logs(self) -> Floats:
        """Log weights, 0 for the leaders."""
        above = (self._totals - self._totals.min(axis=1, keepdims=True)) / UNITS
        with np.errstate(divide="ignore"):
            rates = math.log(self.n_actions) / self._mixability
        return np.where(above > 0, -np.where(above > 0, rates[:, None], 0.0) * above, 0.0)

    def _draw(self) -> None:
        sums = np.cumsum(normalized(self._logs()), axis=1)
        uniform = self._entropy.numbers(self._width, 64)[:, None] * 2.0**-64
        self._action = np.minimum((sums <= uniform * sums[:, -1:]).sum(axis=1), self.n_actions - 1)

    def _learn(self, units: Units) -> None:
        for row in units:
            self._mixability = self._mixability + self._mixability_gap(np.broadcast_to(row, self._totals.shape) / UNITS)
            self._totals = self._totals + row
            self._rounds += 1
            self._draw()

    def _mixability_gap(self, losses: Floats) -> Floats:
        """Expected loss less mix loss, never below 0; for an infinite rate the mix loss is the leaders' least."""
        weights = normalized(self._logs())
        expected = (weights * losses).sum(axis=1)
        least = np.where(weights > 0, losses, np.inf).min(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = math.log(self.n_actions) / self._mixability
            mixed = least - np.log((weights * np.exp(-rates[:, None] * (losses - least[:, None]))).sum(axis=1)) / rates
        gaps: Floats = np.maximum(expected - np.where(np.isinf(rates), least, mixed), 0.0)
        return gaps
