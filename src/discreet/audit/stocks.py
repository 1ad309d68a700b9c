"""Outcomes drawn so far, one stock a table of losses: pairs that have a table in common share its runs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from discreet.audit.samples import Outcomes, Sampler, draw


class Stock:
    """All outcomes drawn so far under one table."""

    def __init__(self, losses: object) -> None:
        self.losses = losses
        self.outcomes: Outcomes = np.empty(0)

    @property
    def runs(self) -> int:
        """How many there are."""
        return len(self.outcomes)

    def draw(self, sampler: Sampler, runs: int) -> Outcomes:
        """Fresh outcomes; from now on they are among the others."""
        fresh = draw(sampler, self.losses, runs)
        self.outcomes = np.concatenate([self.outcomes, fresh]) if self.runs else fresh
        return fresh


def stocked(pairs: Iterable[tuple[object, object]]) -> list[tuple[Stock, Stock]]:
    """A stock for either table of each pair, the same one wherever the same numbers occur.

    >>> (a, b), (c, d) = stocked([([0, 1], [1, 1]), ([1, 1], [1, 0])])
    >>> b is c, a is d
    (True, False)
    """
    stocks: dict[Hashable, Stock] = {}

    def stock(table: object) -> Stock:
        return stocks.setdefault(_key(table), Stock(table))

    return [(stock(losses), stock(neighbor)) for losses, neighbor in map(_pair, pairs)]


def _pair(pair: tuple[object, object]) -> tuple[object, object]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"each of the pairs must be a tuple (losses, neighbor), not {pair!r}")
    return pair[0], pair[1]


def _key(table: object) -> Hashable:
    """Equal for equal numbers of one type and shape; the identity of anything that is not an array of numbers."""
    try:
        array = np.asarray(table)
    except ValueError:  # lists of unequal lengths are for the sampler to understand
        return id(table)
    return (array.dtype.str, array.shape, array.tobytes()) if array.dtype.kind in "biuf" else id(table)
