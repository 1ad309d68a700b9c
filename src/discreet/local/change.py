"""How likely the leader of the noisy totals is to change: theorem 1, and its inverse.

In losses the leader is the action with the smallest noisy total, and the gap how far the second lies behind it. A
walk of B reports moves the noisy totals by N(0, scale^2 B) each and the gap's data by at most B, so theorem 1 bounds
the chance that the leader changes by `change_chance(beta)`, beta = (gap - B)/(scale sqrt(2B)) - sqrt(log(2n - 2)).

Why: with Z = (half-normal fall of the leader) and M = (largest rise of the others), a change needs M + Z > gap - B.
E M is at most E = scale sqrt(2B log(2n - 2)), and M > E + u has chance at most exp(-u^2/(2 scale^2 B)) (Borell-TIS).
Integrating over Z gives erfc(beta) + sqrt(2) exp(-beta^2/2) erf(beta/sqrt(2)), which is the paper's formula. Its
derivative is -sqrt(2) beta exp(-beta^2/2) erf(beta/sqrt(2)), never positive; so it falls from 2 through 1 at beta = 0.

Reference: Jacobsen & Fawaz, Prediction with Expert Advice under Local Differential Privacy, 2025, theorem 1 and
algorithm 4.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROOT2 = math.sqrt(2.0)
_STEP = 1 / 128  # of the table of margins
_LAST = 38.0  # beyond this the chance is below every float


def change_chance(margin: float) -> float:
    """At most this is the chance that the leader changes, where its margin is beta; above 1 below a margin of 0.

    >>> round(change_chance(3.0), 6), change_chance(0.0)
    (0.01569, 1.0)
    """
    return math.erfc(margin) + _ROOT2 * math.exp(-margin * margin / 2) * math.erf(margin / _ROOT2)


@cache
def _table() -> tuple[list[float], list[float]]:
    """Margins, and -log of the chance at each, both rising."""
    margins = [-4 + _STEP * i for i in range(round((4 + _LAST) / _STEP) + 1)]
    return [-math.log(change_chance(margin)) for margin in margins], margins


@cache
def _arrays() -> tuple[Floats, Floats]:
    """The table, for many at once."""
    logs, margins = _table()
    return np.array(logs), np.array(margins)


def margins_near(log_chances: Floats) -> Floats:
    """`margin_near` for logs of many chances."""
    logs, margins = _arrays()
    near: Floats = np.interp(-log_chances, logs, margins)
    return near


def margin_near(chance: float) -> float:
    """The margin at which the bound is the chance, to about 1e-5; the table's ends where it lies outside.

    Within 10^-6 of a chance of 1, where the bound is flat, it is off by up to 0.003.
    """
    logs, margins = _table()
    wanted = -math.log(chance)
    i = min(max(bisect_left(logs, wanted), 1), len(logs) - 1)
    share = (wanted - logs[i - 1]) / (logs[i] - logs[i - 1])
    return margins[i - 1] + _STEP * min(max(share, 0.0), 1.0)


def least_margin(chance: float) -> float:
    """A margin at which the bound is at most the chance, and within 1e-9 of the least such, by halving.

    >>> change_chance(least_margin(0.01)) <= 0.01 < change_chance(least_margin(0.01) - 2e-9)
    True
    """
    middle = margin_near(chance)
    low, high = middle - 2 * _STEP, middle + 2 * _STEP
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if change_chance(middle) <= chance else (middle, high)
    return high


def change_chances(margins: Floats) -> Floats:
    """`change_chance` of many margins."""
    from scipy.special import erf, erfc

    chances: Floats = erfc(margins) + _ROOT2 * np.exp(-margins * margins / 2) * erf(margins / _ROOT2)
    return chances
