"""The instances that the papers reason about, by name."""

from __future__ import annotations

import numpy as np

from discreet.environments.base import Environment
from discreet.environments.rotated import Rotated
from discreet.environments.two_point import Bernoulli, Deterministic
from discreet.losses import UNITS


def one_gap(k: int, gap: float) -> Environment:
    """Losses of 0 and 1: one best action, all others `gap` above it, means around 1/2.

    The hardest instance without privacy, up to constants.

    >>> one_gap(3, 0.5).means.tolist()
    [0.25, 0.75, 0.75]
    """
    _check(k, gap, least=2)
    means = np.full(k, 0.5 + gap / 2)
    means[0] = 0.5 - gap / 2
    return _named(Bernoulli(means), f"one_gap({k}, {gap:g})")


def spread(k: int, low: float = 0.3, high: float = 0.9) -> Environment:
    """Losses of 0 and 1 with means spread evenly from low to high.

    >>> spread(3).means.round(3).tolist()
    [0.3, 0.6, 0.9]
    """
    if k < 2 or not 0 <= low < high <= 1:
        raise ValueError(f"needs two actions and 0 <= low < high <= 1; got k={k}, low={low}, high={high}")
    return _named(Bernoulli(np.linspace(low, high, k)), f"spread({k}, {low:g}, {high:g})")


def hard_for_privacy(k: int, gap: float) -> Environment:
    """Losses that never change: one action at 0, its two neighbors on a circle at `gap`, all others at 1.

    Where the best action stands is drawn for each run. This is the instance of Wu & Wang's theorem 7, on which no
    epsilon-private learner can do better than `bounds.wu_wang_theorem_7`, on average over the positions.

    >>> hard_for_privacy(6, 0.1).still().means.round(3).tolist()
    [0.0, 0.1, 1.0, 1.0, 1.0, 0.1]
    """
    _check(k, gap, least=3)
    if round(gap * UNITS) == 0:
        raise ValueError(f"gap is {gap}; losses are whole units of 1/{UNITS}, so that it would be none at all")
    means = np.ones(k)
    means[[1, -1]] = gap
    means[0] = 0.0
    return _named(Rotated(Deterministic(means)), f"hard_for_privacy({k}, {gap:g})")


def _check(k: int, gap: float, least: int) -> None:
    if k < least or not 0 < gap <= 1:
        raise ValueError(f"needs at least {least} actions and a gap in (0, 1]; got k={k}, gap={gap}")


def _named(environment: Environment, label: str) -> Environment:
    environment.label = label
    return environment
