"""Bernoulli resampling: every loss becomes 1 with probability equal to it, else 0."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.losses import UNITS, Units

# Random bits for one resampled loss: as many as a loss has units, so that P(1) is the loss exactly.
_BITS = UNITS.bit_length() - 1
_CHUNK = 1 << 22  # random numbers held at a time


def sample(units: Units, runs: int, entropy: Entropy) -> Units:
    """The totals of rounds (rounds, K) or (rounds, runs, K) after resampling, drawn for each run: (runs, K).

    >>> from discreet.entropy import SeededEntropy
    >>> sample(np.array([[0, UNITS], [0, UNITS]]), runs=1, entropy=SeededEntropy(1)).tolist()
    [[0, 2097152]]
    """
    n_actions = units.shape[-1]
    totals = np.zeros((runs, n_actions), dtype=np.int64)
    step = max(1, _CHUNK // totals.size)
    for start in range(0, len(units), step):
        rounds = units[start : start + step]
        drawn = entropy.numbers(len(rounds) * totals.size, 32) >> np.uint32(32 - _BITS)
        losses = rounds.reshape(len(rounds), -1, n_actions)
        totals += np.count_nonzero(drawn.reshape(len(rounds), runs, n_actions) < losses, axis=0)
    return totals * UNITS


def law(units: Units, exact: bool = False) -> tuple[Units, NDArray[Any]]:
    """The totals that rounds (rounds, K) may have after resampling, and the probability of each, a fraction if exact.

    >>> totals, chances = law(np.array([[0, UNITS // 4]]))
    >>> totals.tolist(), chances.tolist()
    ([[0, 0], [0, 1048576], [1048576, 0], [1048576, 1048576]], [0.75, 0.25, 0.0, 0.0])
    """
    ones = [[Fraction(loss, UNITS) if exact else loss / UNITS for loss in losses] for losses in units.T.tolist()]
    counts = [_count_law(losses) for losses in ones]
    totals = np.array(list(product(*(range(len(chances)) for chances in counts))), dtype=np.int64)
    chances = np.ones(1, dtype=object if exact else float)
    for of_action in counts:
        chances = np.outer(chances, np.array(of_action)).ravel()
    return totals * UNITS, chances


def _count_law(losses: Sequence[float | Fraction]) -> list[float | Fraction]:
    """How likely 0, 1, 2, ... of the losses become 1."""
    chances: list[float | Fraction] = [1]
    for loss in losses:
        stay, more = [chance * (1 - loss) for chance in chances], [chance * loss for chance in chances]
        chances = [a + b for a, b in zip([*stay, 0], [0, *more], strict=True)]
    return chances
