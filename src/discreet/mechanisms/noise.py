"""What every noise shares: a scale, a grid, and whole cells of the grid as what is released."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import Entropy
from discreet.guarantees import Guarantee
from discreet.losses import UNITS

Cells = NDArray[np.int64]
Floats = NDArray[np.float64]

#: At most so many cells to one scale, and from zero to a value: nothing near overflows int64.
MOST_CELLS, FURTHEST = 2**50, 2**62
_LAST = 2**63 - 1

#: Bound on the relative error of a float logarithm or normal quantile; both stay below 2^-49.
FLOAT_ERROR = 2.0**-44


@dataclass(frozen=True)
class Noise(ABC):
    """Noise of one scale on values that are counted in cells of a grid; one unit is a cell unless told otherwise.

    What is drawn are whole cells. Beyond int64 they are held at its last number, which is post-processing.
    """

    scale: float
    grid: float = 1 / UNITS

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))
        object.__setattr__(self, "grid", positive("grid", self.grid))
        if math.frexp(self.grid)[0] != 0.5:
            raise ValueError(f"grid is {self.grid}; it must be a power of two, so that counting in it is exact")
        if not Fraction(1, MOST_CELLS) <= self.in_cells <= MOST_CELLS:
            raise ValueError(f"scale is {float(self.in_cells):.3g} cells of the grid; it must be 2^-50 to 2^50 of them")

    @cached_property
    def in_cells(self) -> Fraction:
        """The scale in cells, exactly."""
        return Fraction(self.scale) / Fraction(self.grid)

    @property
    @abstractmethod
    def variance(self) -> float:
        """The variance of one draw in cells, to the precision of floats, rounding to the grid left out."""

    @abstractmethod
    def reveals(self, distance: float | Fraction) -> Guarantee:
        """What a draw promises where replacing a round moves the values by `distance`, on the scale's measure."""

    @abstractmethod
    def sample(self, values: ArrayLike, entropy: Entropy) -> Cells:
        """Values plus fresh noise in cells, of the same shape; exactly by the law."""

    @abstractmethod
    def law(self, value: float, cells: ArrayLike) -> Floats:
        """The probability of each cell for one value, to about 12 digits of each."""


def positive(name: str, value: object) -> float:
    """A finite number above zero as a float, or one sentence."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise ValueError(f"{name} is {value!r}; it must be a number above 0")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not 1e-300 <= number <= 1e300:
        raise ValueError(f"{name} is {value}; it must be a number between 1e-300 and 1e+300")
    return number


def whole_cells(values: ArrayLike) -> Cells:
    """Whole numbers of cells as int64, or one sentence."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise ValueError(f"values are whole numbers of cells, not {array.dtype}")
    _near(array)
    return array.astype(np.int64, copy=False)


def cells_and_rest(values: ArrayLike) -> tuple[Cells, Floats | None]:
    """Values as whole cells and an exact rest in [-1/2, 1/2]; no rest where they are whole numbers."""
    array = np.asarray(values)
    if array.dtype.kind != "f":
        return whole_cells(array), None
    if not np.isfinite(array).all():
        raise ValueError(f"values are finite numbers of cells; got {array[~np.isfinite(array)].flat[0]}")
    _near(array)
    numbers = array.astype(np.float64, copy=False)
    nearest = np.rint(numbers)
    return nearest.astype(np.int64), numbers - nearest


def _near(array: NDArray[Any]) -> None:
    """Refuse values so far out that sums with noise could leave int64."""
    if array.size and not (array.max() <= FURTHEST and array.min() >= -FURTHEST):
        raise ValueError("values are at most 2^62 cells from zero; some are further: take a coarser grid")


def held(total: int) -> int:
    """A whole number, held within int64."""
    return max(-_LAST, min(_LAST, total))
