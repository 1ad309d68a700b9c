"""Whether a selection can take every action, however far behind: no outcome may be lost to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.losses import UNITS
from discreet.selection import Selection

_TRIES = 4000
_FURTHEST = 2**61  # totals fit into int64; for rates so small the gap is less than was asked for
_ZEROS = 64  # words of zeros in a row: 4,096 bits, enough for events of probability e^-2839
_TOP = 2**64 - 1


class Extremes(Entropy):
    """Chance that prefers the ends: numbers that are smallest, largest or begin one of some parts, long runs of zeros.

    Every draw is one that true chance could make, in a way that meets rare events often. So what is reached with it can
    happen; how often it does means nothing.
    """

    def __init__(self, seed: int, parts: int) -> None:
        super().__init__()
        self._rng = np.random.default_rng(seed)
        self._parts = parts
        self._zeros_left = 0

    def word(self) -> int:
        """Sometimes zeros for long; else the largest, the middle, or eight bits of true chance before zeros."""
        if self._zeros_left:
            self._zeros_left -= 1
            return 0
        kind = int(self._rng.integers(4))
        if kind == 0:
            self._zeros_left = _ZEROS
        return (0, _TOP, 2**63, int(self._rng.integers(256)) << 56)[kind]

    def numbers(self, n: int, bits: int) -> NDArray[Any]:
        """Each the largest, in the middle, or the smallest of one of so many equal parts."""
        first = [part * (2**bits // self._parts) for part in range(self._parts)]
        ends = np.array([2**bits - 1, 2 ** (bits - 1), *first], dtype=f"u{bits // 8}")
        return ends[self._rng.integers(len(ends), size=n)]

    def below(self, bound: int) -> int:
        """The smallest, the largest, or any."""
        middle = min(int(self._rng.integers(2**62)), bound - 1)
        return (0, bound - 1, middle % bound)[int(self._rng.integers(3))]

    def below_each(self, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same for each bound."""
        return np.array([self.below(int(bound)) for bound in bounds], dtype=np.int64)

    def _fetch(self, n: int) -> bytes:
        return self._rng.bytes(n)


def reached(selection: Selection, n_actions: int = 3, gap: float = 1000.0, tries: int = _TRIES) -> set[int]:
    """The actions that a selection takes when all but action 0 lie `gap` / error rate losses behind.

    An exact selection takes every action with some bits: the probability is e^-gap or so, not 0. One that adds up float
    weights, or rounds noise to floats, cannot: at 37 and more, e^-gap is lost beside 1.

    >>> from discreet.selection import PermuteAndFlip
    >>> sorted(reached(PermuteAndFlip(rate=0.5)))
    [0, 1, 2]
    """
    behind = min(round(gap * UNITS / selection.error_rate), _FURTHEST)
    totals = np.array([0, *(behind + place for place in range(n_actions - 1))], dtype=np.int64)
    found: set[int] = set()
    for seed in range(tries):
        found.add(int(np.asarray(selection.sample(totals, Extremes(seed, n_actions)))))
        if len(found) == n_actions:
            break
    return found
