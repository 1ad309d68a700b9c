"""Losses that share a shock: dependent between the actions of a round, independent between rounds."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from discreet.environments.base import Counts, Environment, Floats, Stream, numbers
from discreet.environments.laws import Law, mixture, two_valued
from discreet.losses import UNITS, Units


class Correlated(Environment):
    """Losses of 0 and 1 with one coin a round for all actions: heads raises every action's mean, tails lowers it.

    Given the coin, action j loses 1 with probability means[j] ± strength[j] · min(means[j], 1 - means[j]), and the
    actions are independent. Actions whose strengths have the same sign rise and fall together, which cancels in their
    difference and helps a learner to tell them apart; opposite signs hurt. The covariance of two actions is the
    product of their shifts. The totals of n rounds are drawn as: heads ~ Binomial(n, 1/2), then one binomial for the
    heads and one for the tails.

    strength: one number for all actions or one for each, in [-1, 1]; at 0 this is `Bernoulli(means)`.

    >>> Correlated([0.4, 0.5], strength=0.5).covariance().round(3).tolist()
    [[0.24, 0.05], [0.05, 0.25]]
    """

    def __init__(self, means: ArrayLike, strength: ArrayLike = 0.5) -> None:
        self._means = numbers("means", means)
        if np.ndim(strength) == 0:
            strength = np.repeat(np.asarray(strength), len(self._means))
        self.strength = numbers("strength", strength, low=-1.0)
        if self.strength.shape != self._means.shape:
            raise ValueError(f"strength has {len(self.strength)} numbers; there are {len(self._means)} actions")

    @property
    def n_actions(self) -> int:
        """How many actions there are."""
        return len(self._means)

    @property
    def means(self) -> Floats:
        """Expected losses, as given."""
        return self._means

    def chances(self) -> tuple[Floats, Floats]:
        """The chance of a loss of 1 in rounds of heads, and in rounds of tails."""
        shift = self.strength * np.minimum(self._means, 1 - self._means)
        return np.clip(self._means + shift, 0, 1), np.clip(self._means - shift, 0, 1)

    def covariance(self) -> Floats:
        """The covariances of the losses of one round."""
        shift = self.strength * np.minimum(self._means, 1 - self._means)
        together = np.outer(shift, shift)
        np.fill_diagonal(together, self._means * (1 - self._means))
        return together

    def stream(self, n_actions: int, rounds: int, runs: int, rng: np.random.Generator) -> Stream:
        """Independent rounds, each with a coin for all actions."""
        return _Shocked(self, runs, rng)

    def resampled(self) -> Environment:
        """Itself: a loss of 0 or 1 stays what it is."""
        return self

    def round_law(self) -> Law:
        """Heads or tails, then every action up or down."""
        none, one = np.zeros(self.n_actions, np.int64), np.full(self.n_actions, UNITS)
        return mixture([two_valued(none, one, chance) for chance in self.chances()], [0.5, 0.5])

    def _parameters(self) -> dict[str, Floats]:
        return {"means": self._means, "strength": self.strength}


class _Shocked(Stream):
    def __init__(self, environment: Correlated, runs: int, rng: np.random.Generator) -> None:
        self._up, self._down = environment.chances()
        self._runs, self._rng = runs, rng
        self.means = environment.means[None]

    def rounds(self, start: int, n: int) -> Units:
        heads = self._rng.integers(2, size=(n, self._runs, 1)) == 1
        lost = self._rng.random((n, self._runs, len(self._up))) < np.where(heads, self._up, self._down)
        return np.asarray(lost * np.int64(UNITS))

    def totals(self, start: int | Counts, counts: Counts) -> Units:
        n = np.broadcast_to(counts, (self._runs,))[:, None]
        heads = self._rng.binomial(n, 0.5)
        return np.asarray((self._rng.binomial(heads, self._up) + self._rng.binomial(n - heads, self._down)) * UNITS)
