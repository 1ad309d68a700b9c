"""Gaussian differential privacy for a wanted epsilon and delta."""

from __future__ import annotations

from functools import lru_cache

from discreet.guarantees import GaussianDP
from discreet.guarantees.rounding import UNIT

_MOST_MU = 1e6


@lru_cache(maxsize=64)
def gaussian_budget(epsilon: float, delta: float) -> GaussianDP:
    """The largest mu, to a few parts in 10^15, at which `GaussianDP(mu)` proves (epsilon, delta).

    delta(epsilon) of Gaussian DP is exact and rises with mu, so halving a bracket finds it; the lower end always
    satisfies what is asked for.

    >>> promise = gaussian_budget(1.0, 1e-6)
    >>> round(promise.mu, 4), promise.delta(1.0) <= 1e-6
    (0.2367, True)
    """
    low, high = 0.0, 1.0
    while GaussianDP(high).delta(epsilon) <= delta:
        low, high = high, 2 * high
        if high > _MOST_MU:
            raise ValueError(f"epsilon is {epsilon} and delta {delta}: that asks for next to no privacy")
    while high - low > 4 * UNIT * high and high > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if GaussianDP(middle).delta(epsilon) <= delta else (low, middle)
    if not low:
        raise ValueError(
            f"epsilon is {epsilon} and delta {delta}: too little for Gaussian noise; mu would be below 1e-12"
        )
    return GaussianDP(low)


def open_share(name: str, value: object) -> float:
    """A number strictly between 0 and 1, or one sentence."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise ValueError(f"{name} is {value!r}; it must be a number between 0 and 1, neither included")
    return float(value)
