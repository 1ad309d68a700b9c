"""Small environments of every kind, for tests that hold for all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.environments import (
    Bernoulli,
    Correlated,
    Deterministic,
    Environment,
    Made,
    Rotated,
    Sequence,
    Spans,
    TwoPoint,
    hard_for_privacy,
    one_gap,
    spread,
)

TABLE = np.random.default_rng(3).random((40, 3)).round(3)


def drifting(rounds: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Losses of 0 and 1 whose chances depend on the round before: not independent, so only rounds will do."""
    tosses = rng.random((rounds, 3)) < 0.5
    tosses[1:] |= tosses[:-1] & (rng.random((rounds - 1, 3)) < 0.3)
    return tosses.astype(np.float64)


INDEPENDENT: list[Environment] = [
    Bernoulli([0.2, 0.5, 0.9]),
    Bernoulli([0.0, 1.0, 0.5]),
    Deterministic([0.1, 0.2, 0.75]),
    TwoPoint([0.3, 0.0, 0.25], [0.3, 0.4, 0.75], [0.0, 0.8, 0.5]),
    Correlated([0.3, 0.5, 0.6], strength=0.9),
    Correlated([0.3, 0.5, 0.6], strength=[0.9, -0.9, 0.0]),
    one_gap(3, 0.4),
    spread(3),
    hard_for_privacy(3, 0.25),
    Rotated(Bernoulli([0.1, 0.5, 0.9])),
]
EVERY: list[Environment] = [*INDEPENDENT, Sequence(TABLE), Spans([0, 9, 30], [9, 40, 40]), Made(drifting)]
