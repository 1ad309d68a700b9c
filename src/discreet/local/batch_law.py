"""Hidden in a batch: what the law of a batch's size promises about one report in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.guarantees import GaussianDP, TradeOff

Floats = NDArray[np.float64]
_ERROR = 1e-12  # relative, of a sum of normal tails
_SPREAD = np.sinh(np.linspace(0.0, 10.0, 1500))


@dataclass(frozen=True)
class BatchLaw:
    """The sizes that the batch around a report may have, rising, and the weight of each.

    The release depends on a batch of size b only through the sum of its reports, so b and the sum say at least as much
    as the release. Given b the sum is a Gaussian of sqrt(b) times the scale: mu/sqrt(b). The size is *revealed*: it
    is part of what is compared, so a test may choose a threshold of the likelihood ratio, the same for all sizes
    (lemma 2). A law that is stochastically smaller than the true one promises less (lemma 1), so it is safe.

    >>> law = BatchLaw((1, 4), (0.5, 0.5))
    >>> round(law.delta(1.0, 0.5), 4), round(law.trade_off(1.0).delta(0.5), 4)
    (0.1454, 0.1454)
    """

    sizes: tuple[int, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.sizes) != len(self.weights) or not self.sizes or min(self.sizes) < 1:
            raise ValueError(f"a law has one weight for each size of at least 1; got {self.sizes!r}, {self.weights!r}")
        if list(self.sizes) != sorted(set(self.sizes)) or min(self.weights) < 0 or abs(sum(self.weights) - 1) > 1e-9:
            raise ValueError("a law has rising sizes, and weights that are not negative and sum to 1")

    def survival(self, size: int) -> float:
        """The chance that the batch has at least this size."""
        return math.fsum(weight for b, weight in zip(self.sizes, self.weights, strict=True) if b >= size)

    def trade_off(self, mu: float) -> TradeOff:
        """The curve of all tests of one neighbor against the other, where one report alone is mu-Gaussian.

        At threshold s of the log-likelihood ratio, alpha(s) = sum of w_b Phi(-(s + mu_b^2/2)/mu_b) and beta(s) = sum
        of w_b Phi((s - mu_b^2/2)/mu_b) = alpha(-s), mu_b = mu/sqrt(b). Points of it, made safe by `TradeOff`.
        """
        thresholds = mu * (40 + mu) * _SPREAD / _SPREAD[-1]
        behind, ahead = self._errors(mu, thresholds), self._errors(mu, -thresholds)
        return TradeOff.from_points(np.append(behind, ahead), np.append(ahead, behind), _ERROR)

    def _errors(self, mu: float, thresholds: Floats) -> Floats:
        """alpha at each threshold."""
        from scipy.special import ndtr

        total = np.zeros_like(thresholds)
        for b, weight in zip(self.sizes, self.weights, strict=True):
            level = mu / math.sqrt(b)
            total += weight * ndtr(-thresholds / level - level / 2)
        return np.minimum(total, 1.0)

    def delta(self, mu: float, epsilon: float) -> float:
        """delta(epsilon) = 1 - e^epsilon alpha(epsilon) - beta(epsilon), as the mean of the sizes' own deltas.

        The same number, but every term is positive: right to 12 digits where the curve can only say "below 1e-15".
        """
        terms = [
            weight * GaussianDP(mu / math.sqrt(b)).delta(epsilon)
            for b, weight in zip(self.sizes, self.weights, strict=True)
            if weight
        ]
        return min(1.0, math.nextafter(math.fsum(terms) * (1 + _ERROR), math.inf))
