"""Two curves for one round: what is proved whatever the losses, and what runs on zeros amount to."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

from discreet.guarantees import GaussianDP
from discreet.local import BatchLaw, least_batch_law
from studies.batches.streams import zeros
from studies.batches.watch import containing, law_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: False-positive rates, and those that findings speak of.
ALPHAS = np.geomspace(1e-6, 0.9, 61)
SHOWN = (1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2)
EPSILONS = np.linspace(0.0, 6.0, 49)
DELTA = 1e-5


@dataclass(frozen=True)
class Model:
    """Reports of n losses, mu-Gaussian for the sensitivity, and batches with a tolerance."""

    n_actions: int
    mu: float
    sensitivity: float
    tolerance: float = 0.01

    @property
    def scale(self) -> float:
        """Of the noise."""
        return self.sensitivity / self.mu

    def least(self, t: int) -> BatchLaw:
        """The law behind `amplified_trade_off`."""
        return least_batch_law(t, self.n_actions, self.scale, self.tolerance)

    def sampled(self, rounds: tuple[int, ...], runs: int, seed: int) -> dict[int, Ints]:
        """Sizes of the batches around some rounds in runs of the learner on zeros."""
        return containing(zeros(max(rounds), self.n_actions), self.scale, self.tolerance, runs, seed, rounds)


#: The paper's figure 1.
PAPERS = Model(25, 1.0, 5.0)
#: Where the rule of thumb of appendix A.11 begins.
TWO = Model(2, 1.0, sqrt(2))


@dataclass(frozen=True)
class Seen:
    """What runs amount to, and the standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Round:
    """One round: the proved law of its batch, and the sizes that runs had."""

    model: Model
    t: int
    least: BatchLaw
    sizes: Ints

    @property
    def law(self) -> BatchLaw:
        """Each size with its share of the runs."""
        return law_of(self.sizes)

    def proved_beta(self, alphas: Floats) -> Floats:
        """The false negatives that every test with so many false positives has at least."""
        curve: Floats = np.asarray(self.least.trade_off(self.model.mu).trade_off(alphas))
        return curve

    def seen_beta(self, alpha: float) -> Seen:
        """The same for the sizes that runs had.

        Each size is tested at one threshold s of the log-likelihood ratio, so alpha and beta are means over runs. A
        change of the sizes moves the curve at alpha by that of the mean of beta + e^s alpha: its slope is -e^s.
        """
        levels = self.model.mu / np.sqrt(self.sizes)

        def errors(s: float) -> tuple[Floats, Floats]:
            return ndtr(-s / levels - levels / 2), ndtr(s / levels - levels / 2)

        s = brentq(lambda s: float(errors(s)[0].mean()) - alpha, -40.0, 40.0)
        false_positives, false_negatives = errors(s)
        moved = false_negatives + np.exp(s) * false_positives
        alone = float(ndtr(s / self.model.mu - self.model.mu / 2))
        alone += float(np.exp(s) * ndtr(-s / self.model.mu - self.model.mu / 2))
        return Seen(float(false_negatives.mean()), _error(moved, min(1.0, float(np.exp(s))) - alone))

    def proved_delta(self, epsilon: float) -> float:
        """The largest delta at epsilon."""
        return self.least.delta(self.model.mu, epsilon)

    def seen_delta(self, epsilon: float) -> Seen:
        """The same for the sizes that runs had."""
        levels = self.model.mu / np.sqrt(self.sizes)
        deltas = ndtr(levels / 2 - epsilon / levels) - np.exp(epsilon) * ndtr(-levels / 2 - epsilon / levels)
        return Seen(float(deltas.mean()), _error(deltas, GaussianDP(self.model.mu).delta(epsilon)))


def _error(values: Floats, span: float) -> float:
    """The standard error of a mean, as if one run more might have had the other extreme: rare sizes may be unseen."""
    runs = len(values)
    return sqrt((float(values.var(ddof=1)) + span**2 / runs) / runs)
