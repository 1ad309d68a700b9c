"""Choosing among what was played, and powers of T."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studies.smooth.cases import Played

#: Where the fit over rounds begins.
FIT_FROM = 10_000


def rows(swept: Sequence[Played]) -> list[list[Played]]:
    """What differs in the number of rounds alone, together."""
    groups: dict[tuple[str, str, int, float, str], list[Played]] = {}
    for one in swept:
        asked = one.setting
        key = asked.kind, one.design, asked.dimension, asked.epsilon, asked.regularization
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def pick(
    swept: Sequence[Played], design: str, dimension: int = 10, epsilon: float = 10.0, regularization: str = "variance"
) -> list[Played]:
    """One of the rows."""
    wanted = design, dimension, epsilon, regularization
    return [
        one
        for one in swept
        if (one.design, one.setting.dimension, one.setting.epsilon, one.setting.regularization) == wanted
    ]


def power(row: Sequence[Played]) -> tuple[float, float]:
    """The power of T that regret grows with from `FIT_FROM` on, and its standard error by those of the means.

    From all numbers of rounds where fewer than two are that large.
    """
    long = [one for one in row if one.setting.rounds >= FIT_FROM]
    used = long if len(long) > 1 else list(row)
    x = np.log([one.setting.rounds for one in used])
    y = np.log([one.mean for one in used])
    errors = np.array([one.error / one.mean for one in used])
    weights = (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    return float(weights @ y), float(np.sqrt(weights**2 @ errors**2))
