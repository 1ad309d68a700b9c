"""What every selection shares: the shape of totals, the sensitivity of one round, the law and the draw."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import Entropy
from discreet.guarantees import PureDP
from discreet.losses import UNITS, Units

Floats = NDArray[np.float64]

# Rates and scales within these bounds, times any total, stay far from the ends of the floats.
_SMALLEST, _LARGEST = 1e-285, 1e285


class Selection(ABC):
    """Draws one action from totals in whole units; smaller totals are likelier.

    The neighbor of a vector of totals is one in which every total has moved by at most one loss, up or down,
    each on its own. That is what replacing one round's losses does.
    """

    @property
    @abstractmethod
    def level(self) -> Fraction:
        """The exact epsilon of one draw, when one round's losses entered the totals once and are replaced."""

    @property
    @abstractmethod
    def error_rate(self) -> float:
        """An action that lies D losses behind the best is drawn with probability at most exp(-error_rate · D)."""

    @property
    def guarantee(self) -> PureDP:
        """`level` as a guarantee, rounded up to a float."""
        return PureDP(at_least(self.level))

    @abstractmethod
    def _sample_rows(self, totals: Units, entropy: Entropy) -> NDArray[np.int64]:
        """One action for each row of totals."""

    @abstractmethod
    def _law_rows(self, totals: Units) -> Floats:
        """The probability of each action, for each row of totals."""

    @overload
    def sample(self, totals: NDArray[np.integer], entropy: Entropy) -> int | NDArray[np.int64]: ...
    @overload
    def sample(self, totals: ArrayLike, entropy: Entropy) -> int | NDArray[np.int64]: ...
    def sample(self, totals: ArrayLike, entropy: Entropy) -> int | NDArray[np.int64]:
        """One action for totals (K,), one for each run for totals (runs, K); exactly by the law."""
        table = as_totals(totals)
        if table.ndim == 1:
            return int(self._sample_rows(table[None], entropy)[0])
        return self._sample_rows(table, entropy)

    def law(self, totals: ArrayLike) -> Floats:
        """The probability of each action, of the shape of the totals, to about 12 digits of each entry.

        For `NoisyMax` the relative error is about 1 / (12 scale^2), scale in units: 10^-13 at a scale of one loss.
        """
        table = as_totals(totals)
        laws = self._law_rows(np.atleast_2d(table))
        return laws[0] if table.ndim == 1 else laws


@dataclass(frozen=True)
class RateSelection(Selection):
    """A selection with one rate per loss, at which 2 · rate is revealed when one round's losses are replaced."""

    rate: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", positive("rate", self.rate))

    @property
    def level(self) -> Fraction:
        """2 · rate."""
        return 2 * Fraction(self.rate)

    @property
    def error_rate(self) -> float:
        """The rate itself."""
        return self.rate


def as_totals(totals: ArrayLike) -> Units:
    """Totals as int64, of shape (K,) or (runs, K), K >= 1."""
    table = np.asarray(totals)
    if table.dtype != np.int64:
        if table.dtype.kind not in "iu":
            raise ValueError(f"totals are whole numbers of units, {UNITS} to a loss; got {table.dtype}")
        if table.dtype == np.uint64 and table.max(initial=0) > np.iinfo(np.int64).max:
            raise ValueError(f"a total of {table.max()} units does not fit into 64 bits with a sign")
        table = table.astype(np.int64)
    if table.ndim not in (1, 2) or not table.shape[-1]:
        raise ValueError(f"totals have shape (actions,) or (runs, actions); got {table.shape}")
    return table


def gaps(totals: Units) -> NDArray[np.uint64]:
    """How far each total lies above the smallest of its row, as exact whole units; below 2^64, so never wrapped."""
    above = totals - np.minimum.reduce(totals, axis=1, keepdims=True)
    return above.view(np.uint64)


def exact_exponent(rate: float, gap: int) -> Fraction:
    """rate · gap, gap in units, without rounding."""
    return Fraction(rate) * gap / UNITS


def positive(name: str, value: object) -> float:
    """A finite number above zero as a float, or one sentence."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise ValueError(f"{name} is {value!r}; it must be a number above 0")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name} is {number}; it must be a finite number above 0")
    if not _SMALLEST <= number <= _LARGEST:
        raise ValueError(f"{name} is {number}; it must lie between {_SMALLEST} and {_LARGEST}")
    return number


def at_least(value: Fraction) -> float:
    """The smallest float that is not below the fraction: for promises, which must never be rounded down."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def at_most(value: Fraction) -> float:
    """The largest float that is not above the fraction: for rates, which must never be rounded up."""
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)
