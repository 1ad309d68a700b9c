"""What running sums share: vectors of bounded norm in whole cells, noise for a promise, a state to go on from."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import Entropy
from discreet.guarantees import GaussianDP, Guarantee, PureDP
from discreet.guarantees.rounding import root_up, up
from discreet.losses import UNITS
from discreet.mechanisms.gaussian_noise import GaussianNoise
from discreet.mechanisms.laplace_noise import LaplaceNoise
from discreet.mechanisms.noise import Cells, Floats, Noise, whole_cells


class Sums(ABC):
    """Private sums of all values so far, one release a round.

    A value is a whole number of cells, or a vector of them along the last axis of `shape`; axes before it are
    independent runs. Its norm is at most `norm` cells: Euclidean where the promise is Gaussian, the sum of sizes
    where it is pure. Longer values are refused: clip them first.

    Neighbors differ in one round, whose value is *replaced*, so a value moves by 2 · norm, not by norm; where values
    are never negative (`signed=False`), one number moves by norm, a vector by sqrt(2) · norm in Euclidean norm.
    """

    #: Arrays that make the state besides `rounds` and `estimate`.
    _arrays: tuple[str, ...] = ()

    def __init__(self, promise: Guarantee, shape: tuple[int, ...] = (), norm: int = UNITS, signed: bool = True) -> None:
        if not isinstance(promise, GaussianDP | PureDP) or not promise.delta(0.0) > 0:
            raise ValueError(f"promise is {promise!r}; it must be a PureDP or GaussianDP that lets something be told")
        self.promise, self.signed = promise, signed
        self.shape = tuple(count("shape", length, 1) for length in shape)
        self.norm = count("norm", norm, 1)
        self.rounds = 0
        self.estimate: Floats = np.zeros(self.shape)

    @property
    def guarantee(self) -> Guarantee:
        """What all releases of one run promise together, on unpredictable draws: the promise, kept to the last digit.

        Noise scales are rounded up; each value may depend on what was released before.
        """
        return self.promise

    @property
    def capacity(self) -> int | None:
        """How many rounds fit; None where there is no end."""
        return None

    def add(self, values: ArrayLike, entropy: Entropy) -> Floats:
        """Learn one round's value, and release the private sum of all so far, in cells. Not twice for one round."""
        cells = self._checked(values)
        if self.capacity is not None and self.rounds >= self.capacity:
            raise ValueError(f"all {self.capacity} rounds have been seen; a new sum needs a new budget")
        self.__dict__.update(self._after(cells, entropy))  # at once: a round is learned whole or not at all
        return self.estimate.copy()

    @abstractmethod
    def _after(self, cells: Cells, entropy: Entropy) -> dict[str, Any]:
        """The state after one more round: `rounds`, `estimate` and the arrays."""

    @abstractmethod
    def variances(self, rounds: int) -> Floats:
        """The variance of each entry of the first estimates, in squared cells, rounding to cells left out."""

    def _checked(self, values: ArrayLike) -> Cells:
        cells = whole_cells(values)
        if cells.shape != self.shape:
            raise ValueError(f"a round's value has shape {self.shape}, not {cells.shape}")
        if not self.signed and cells.size and cells.min() < 0:
            raise ValueError(f"the value {cells.min()} is below 0, which signed=False rules out")
        if cells.size and longest(cells, isinstance(self.promise, PureDP)) > self._limit:
            raise ValueError(f"a value is longer than norm={self.norm} cells: clip it first")
        return cells

    @property
    def _limit(self) -> int:
        return self.norm if isinstance(self.promise, PureDP) else self.norm**2

    def _noise(self, weight: Fraction) -> Noise:
        """Noise that keeps the promise when a value enters releases with weights of this norm.

        Gaussian: `weight` is the sum of squared weights. Laplace: the sum of their sizes. Scales are rounded up.
        """
        lone = not self.signed and math.prod(self.shape[-1:]) == 1
        if isinstance(self.promise, PureDP):
            move = self.norm if lone else 2 * self.norm
            return LaplaceNoise(up(weight * move / Fraction(self.promise.epsilon)), grid=1.0)
        assert isinstance(self.promise, GaussianDP)
        squared = Fraction((1 if lone else 4 if self.signed else 2) * self.norm**2)
        return GaussianNoise(root_up(weight * squared / Fraction(self.promise.mu) ** 2), grid=1.0)

    def state_dict(self) -> dict[str, Any]:
        """The state as plain data that JSON can hold. It contains raw sums: it is the owner's."""
        arrays = {name.lstrip("_"): getattr(self, name).tolist() for name in ("estimate", *self._arrays)}
        return {"rounds": self.rounds} | arrays

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state of sums with the same parameters; nothing changes where it does not fit."""
        missing = [name for name in self.state_dict() if not isinstance(state, dict) or name not in state]
        if missing:
            raise ValueError(f"the state of the sums has no {missing[0]!r}")
        rounds = count("the state's rounds", state["rounds"], 0)
        if self.capacity is not None and rounds > self.capacity:
            raise ValueError(f"the state's rounds are {rounds}; at most {self.capacity} fit")
        mine = self._empty(rounds) | {"estimate": np.zeros(self.shape)}
        found = {name: loaded(name.lstrip("_"), state[name.lstrip("_")], array) for name, array in mine.items()}
        self.__dict__.update(self._filled(found), rounds=rounds)

    @abstractmethod
    def _empty(self, rounds: int) -> dict[str, NDArray[Any]]:
        """Arrays of the shape and type that the state's have after some rounds."""

    def _filled(self, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
        """The attributes that arrays of a state become."""
        return arrays


def longest(cells: Cells, pure: bool) -> int:
    """The largest sum of sizes, or of squares, along the last axis, in whole numbers that cannot overflow.

    >>> longest(np.array([[3, -4], [5, 5]]), pure=True), longest(np.array([3, -4]), pure=False)
    (10, 25)
    """
    rows = cells.reshape(-1, cells.shape[-1] if cells.ndim else 1)
    top = max(int(rows.max()), -int(rows.min()))
    if rows.shape[1] * (top if pure else top * top) >= 2**63:
        rows = rows.astype(object)
    return int((abs(rows) if pure else rows * rows).sum(axis=1).max())


def count(name: str, value: object, least: int) -> int:
    """A whole number, at least `least`, or one sentence."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} is {value!r}; it must be a whole number, at least {least}")
    return int(value)


def loaded(name: str, value: Any, like: NDArray[Any]) -> NDArray[Any]:
    """An array of a state, of the shape and type of the one it replaces, finite."""
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"the state's {name} is not an array of numbers") from None
    if array.shape != like.shape and array.size + like.size:  # JSON keeps no shape of an empty array
        raise ValueError(f"the state's {name} has shape {array.shape}, not {like.shape}")
    fits = array.dtype.kind in "iuf" and np.can_cast(array.dtype, like.dtype)
    if array.size and not (fits and np.isfinite(array).all()):
        raise ValueError(f"the state's {name} must hold finite numbers of type {like.dtype}")
    return array.astype(like.dtype).reshape(like.shape)
