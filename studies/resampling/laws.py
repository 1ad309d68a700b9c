"""What is played after a block, exactly: the law of its totals, and the chance of each action given them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.environments import Environment
from discreet.environments.laws import Law, merged, mixture, two_valued
from discreet.experts import NoisyLeader
from discreet.experts.noisy_leader import Noise
from discreet.losses import UNITS, Units
from discreet.selection import Selection

Floats = NDArray[np.float64]
NOISES: tuple[Noise, ...] = ("laplace", "exponential", "gumbel")

#: Chances are right to about 12 digits; a comparison that fails by less than this is a tie.
ROUNDING = 1e-11


def selection(noise: Noise, epsilon: float) -> Selection:
    """How the noisy leader with this noise draws."""
    return NoisyLeader(2, epsilon, noise=noise).selection


def block_law(environment: Environment, rounds: int, resample: bool) -> Law:
    """The law of the totals of a block, of the losses or of the zeros and ones that are made of them."""
    seen = environment.resampled() if resample else environment
    assert seen is not None
    return seen.total_law(0, range(rounds, rounds + 1))


def after_block(how: Selection | None, law: Law, rounds: int) -> Floats:
    """The chance of each action when it is drawn from totals of so many rounds; None draws without noise."""
    # Losses are rounded by half a unit at most: totals that far apart would be equal without rounding.
    chances = leaders(law.totals, within=rounds) if how is None else how.law(law.totals)
    return np.asarray(law.chances @ chances)


def leaders(totals: Units, within: int) -> Floats:
    """The limit of every selection as epsilon grows: the smallest totals, within so many units, are equally likely."""
    smallest = totals <= totals.min(axis=1, keepdims=True) + within
    return np.asarray(smallest / smallest.sum(axis=1, keepdims=True))


def resampled_apart(losses: ArrayLike, chances: Sequence[float]) -> Law:
    """One round of zeros and ones made of losses of any joint law, every action by a number of its own.

    losses: one row an outcome, (outcomes, K); chances: of the outcomes.
    """
    table = np.asarray(losses, dtype=np.float64)
    none, one = np.zeros(table.shape[1], np.int64), np.full(table.shape[1], UNITS)
    return mixture([two_valued(none, one, row) for row in table], chances)


def resampled_together(losses: ArrayLike, chances: Sequence[float]) -> Law:
    """The same with one uniform number for all actions: an action loses 1 where the number lies below its loss."""
    return mixture([_together(row) for row in np.asarray(losses, dtype=np.float64)], chances)


def _together(losses: Floats) -> Law:
    ends = np.unique(np.concatenate([[0.0, 1.0], losses]))
    lost = (ends[:-1, None] < losses) * np.int64(UNITS)
    return merged(lost, np.diff(ends))
