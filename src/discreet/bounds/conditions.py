"""The conditions that theorems share: each fails in one sentence that says what is needed and what was given."""

from __future__ import annotations

import math
from numbers import Integral


def needs_actions(n_actions: int, least: int = 2) -> None:
    """At least so many actions.

    >>> needs_actions(5, least=6)
    Traceback (most recent call last):
    ValueError: needs 6 actions or more; got 5
    """
    _needs(_whole(n_actions) and n_actions >= least, f"{least} actions or more", n_actions)


def needs_gap(gap: float) -> None:
    """A gap that mean losses in [0, 1] can have."""
    _needs(0 < gap <= 1, "a gap above 0 and at most 1", gap)


def needs_epsilon(epsilon: float) -> None:
    """Some privacy, and not all of it."""
    _needs(0 < epsilon < math.inf, "a finite epsilon above 0", epsilon)


def needs_rate(rate: float, most: float = math.inf) -> None:
    """A finite rate, at most so large."""
    wanted = "a finite rate above 0" if most == math.inf else f"a rate above 0 and at most {most:g}"
    _needs(0 < rate <= most and rate < math.inf, wanted, rate)


def needs_rounds(rounds: int) -> None:
    """At least one round."""
    _needs(_whole(rounds) and rounds >= 1, "a whole number of rounds, 1 or more", rounds)


def needs_deviation(deviation: float, rounding: float = 0.0) -> None:
    """Some noise, and a share of one loss by which it may be off."""
    _needs(0 < deviation < math.inf, "a finite deviation above 0", deviation)
    _needs(0 <= rounding <= 1, "a rounding from 0 to 1", rounding)


def _whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _needs(holds: bool, wanted: str, got: object) -> None:
    if not holds:
        raise ValueError(f"needs {wanted}; got {got}")
