"""How much noise the nodes of `TreeLeader` get: what its mu demands, or what its bound wants."""

from __future__ import annotations

import math
from fractions import Fraction

from discreet.guarantees.rounding import root_up
from discreet.losses import UNITS
from discreet.mechanisms import GaussianNoise


def squared_move(n_actions: int, sensitivity: float | None) -> Fraction:
    """The square of how far two rounds of units may lie apart in Euclidean norm, in losses.

    No further than sqrt(n_actions). Where they are claimed to lie closer, rounding to units may add a unit an action.

    >>> squared_move(4, None), 0.3 < float(squared_move(4, 0.3)) ** 0.5 < 0.300002
    (Fraction(4, 1), True)
    """
    furthest = Fraction(n_actions)
    if sensitivity is None:
        return furthest
    return min(furthest, (Fraction(sensitivity) + Fraction(root_up(furthest)) / UNITS) ** 2)


def demanded(levels: int, squared: Fraction, mu: float) -> float:
    """The scale of a node at which mu is kept by a round in so many nodes, rounded up; 0 for an infinite mu.

    >>> demanded(levels=9, squared=Fraction(4), mu=0.5)
    12.0
    """
    return 0.0 if mu == math.inf else root_up(levels * squared / Fraction(mu) ** 2)


def wanted(levels: int, rounds: int) -> float:
    """The scale of a node at which the bound on regret is least: so many of them have a deviation of sqrt(rounds)/2.

    >>> wanted(levels=9, rounds=900)
    5.0
    """
    return root_up(Fraction(rounds, 4 * levels))


def of_scale(scale: float, mu: float) -> GaussianNoise | None:
    """The noise of a node; None for none at all."""
    if not scale:
        return None
    if not 2.0**-60 <= scale <= 2.0**30:
        raise ValueError(f"mu is {mu}; noise of scale {scale:.3g} is no use, or does not fit")
    return GaussianNoise(scale)
