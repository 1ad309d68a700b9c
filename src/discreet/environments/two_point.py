"""Independent losses with two values an action: Bernoulli and deterministic losses are cases of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from discreet.environments.base import Counts, Environment, Floats, Stream, numbers
from discreet.environments.laws import Law, two_valued
from discreet.losses import UNITS, Units, to_units


class TwoPoint(Environment):
    """Action j loses high[j] with probability chance[j], else low[j]; actions and rounds are independent.

    The total of n rounds is n · low + Binomial(n, chance) · (high - low), and is drawn as that.

    >>> TwoPoint(low=[0.3, 0.0], high=[0.3, 0.4], chance=[0.0, 0.8]).means.round(3).tolist()
    [0.3, 0.32]
    """

    def __init__(self, low: ArrayLike, high: ArrayLike, chance: ArrayLike) -> None:
        self.low, self.high = numbers("low", low), numbers("high", high)
        self.chance = numbers("chance", chance)
        if not self.low.shape == self.high.shape == self.chance.shape:
            raise ValueError("low, high and chance have one number an action each; their lengths differ")

    @property
    def n_actions(self) -> int:
        """How many actions there are."""
        return len(self.chance)

    @property
    def means(self) -> Floats:
        """Expected losses, those of the whole units."""
        low, high = self._ends()
        return np.asarray((low + self.chance * (high - low)) / UNITS)

    def stream(self, n_actions: int, rounds: int, runs: int, rng: np.random.Generator) -> Stream:
        """Independent rounds."""
        return _Independent(self, runs, rng)

    def resampled(self) -> Environment:
        """Losses of 0 and 1 with the same means: independent, as the losses were."""
        return Bernoulli(self.means)

    def round_law(self) -> Law:
        """Every action up or down."""
        return two_valued(*self._ends(), self.chance)

    def _ends(self) -> tuple[Units, Units]:
        return to_units(self.low, self.n_actions), to_units(self.high, self.n_actions)

    def _parameters(self) -> dict[str, Floats]:
        return {"low": self.low, "high": self.high, "chance": self.chance}


class Bernoulli(TwoPoint):
    """Losses of 0 and 1: action j loses 1 with probability means[j]; actions and rounds are independent.

    >>> Bernoulli([0.25, 0.75])
    Bernoulli(means=[0.25, 0.75])
    """

    def __init__(self, means: ArrayLike) -> None:
        chance = numbers("means", means)
        super().__init__(np.zeros(len(chance)), np.ones(len(chance)), chance)

    @property
    def means(self) -> Floats:
        """Expected losses, as given."""
        return self.chance

    def resampled(self) -> Environment:
        """Itself: a loss of 0 or 1 stays what it is."""
        return self

    def _parameters(self) -> dict[str, Floats]:
        return {"means": self.chance}


class Deterministic(TwoPoint):
    """Action j loses means[j] in every round, rounded to whole units: Wu & Wang's deterministic setting.

    >>> Deterministic([0.0, 0.5, 1.0]).losses(rounds=2, seed=1).tolist()
    [[0.0, 0.5, 1.0], [0.0, 0.5, 1.0]]
    """

    def __init__(self, means: ArrayLike) -> None:
        always = numbers("means", means)
        super().__init__(always, always, np.zeros(len(always)))

    @property
    def fixed(self) -> bool:
        """They never change."""
        return True

    def stream(self, n_actions: int, rounds: int, runs: int, rng: np.random.Generator) -> Stream:
        """The same losses for every run and round."""
        return _Constant(self._ends()[0])

    def _parameters(self) -> dict[str, Floats]:
        return {"means": self.low}


class _Independent(Stream):
    def __init__(self, environment: TwoPoint, runs: int, rng: np.random.Generator) -> None:
        self._low, high = environment._ends()
        self._step = high - self._low
        self._chance, self._runs, self._rng = environment.chance, runs, rng
        self.means = environment.means[None]

    def rounds(self, start: int, n: int) -> Units:
        ups = self._rng.random((n, self._runs, len(self._chance))) < self._chance
        return np.asarray(self._low + ups * self._step)

    def totals(self, start: int | Counts, counts: Counts) -> Units:
        n = np.broadcast_to(counts, (self._runs,))[:, None]
        return np.asarray(n * self._low + self._rng.binomial(n, self._chance) * self._step)


class _Constant(Stream):
    def __init__(self, units: Units) -> None:
        self._units = units[None]
        self.means = self._units / UNITS

    def rounds(self, start: int, n: int) -> Units:
        return np.broadcast_to(self._units[None], (n, *self._units.shape))

    def totals(self, start: int | Counts, counts: Counts) -> Units:
        return counts[:, None] * self._units
