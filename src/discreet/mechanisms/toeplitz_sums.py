"""Private running sums by the best lower-triangular Toeplitz factorisation."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.guarantees import GaussianDP
from discreet.losses import UNITS
from discreet.mechanisms.noise import Cells, Floats
from discreet.mechanisms.sums import Sums, count

_PARTS = 1 << 20  # coefficients are whole numbers of so many parts, so that what is released is counted exactly


class ToeplitzSums(Sums):
    """The sum of all values so far, with noise whose parts cancel: less of it than a tree, at the same guarantee.

    **Rule.** Let A be the matrix of ones on and below the diagonal, which turns values into running sums. Factor
    A = B C with C lower-triangular Toeplitz, its coefficients those of (1 - z)^(-1/2) in 20 binary digits: f_0 = 1,
    f_k = f_(k-1) (1 - 1/(2 k)). Round t releases y_t = (C values)_t plus Gaussian noise, rounded exactly to a cell;
    the sums are B y. B is computed for the rounded C, so the sums are right on average.

    **Guarantee.** The `promise`, `GaussianDP(mu)`. Replacing round j moves the center of y_t by f_(t-j) · d, d as in
    `Sums`, given everything released before; so mu^2 = (f_0^2 + f_1^2 + ...) d^2 / scale^2 by adaptive composition,
    whatever the values depend on (Denisov et al. 2022 prove more, for every lower-triangular C). The sums are
    post-processing of y. The f_k are the whole numbers that are used, and their squares are added exactly.

    **Error.** The variance after t rounds is scale^2 (f_0^2 + ... + f_(t-1)^2), together about
    (d / mu)^2 (1 + log(T) / pi)^2 at the end; a tree has about (d / mu)^2 log2(T)^2 / 2. **Cost.** O(rounds) an entry
    in memory and for each step, 4 floating-point operations a round seen.

    >>> from discreet.mechanisms import RunningSums
    >>> tree, toeplitz = RunningSums(10, GaussianDP(1.0)), ToeplitzSums(1000, GaussianDP(1.0))
    >>> round(float((tree.variances(1000).mean() / toeplitz.variances(1000).mean()) ** 0.5), 1)
    2.3

    References: Fichtenberger, Henzinger & Upadhyay 2023; Denisov, McMahan, Rush, Smith & Thakurta 2022.
    """

    _arrays = ("_values", "_released")
    _values: Floats
    _released: Floats

    def __init__(
        self, rounds: int, promise: GaussianDP, shape: tuple[int, ...] = (), norm: int = UNITS, signed: bool = True
    ) -> None:
        super().__init__(promise, shape, norm, signed)
        if not isinstance(promise, GaussianDP):
            raise ValueError(
                f"promise is {promise!r}; it must be a GaussianDP: squares are what the factors keep small"
            )
        self.horizon = count("rounds", rounds, 1)
        self._weights = coefficients(self.horizon)
        if self.norm * self._weights.sum() * _PARTS >= 2**53:
            raise ValueError(f"{rounds} rounds of values up to {norm} cells do not fit: take a coarser grid")
        self._back = np.cumsum(inverse(self._weights))
        self.noise = self._noise(squares(self._weights))
        self.__dict__.update(self._filled(self._empty(0)))

    @property
    def capacity(self) -> int:
        """As many rounds as were asked for."""
        return self.horizon

    def _empty(self, rounds: int) -> dict[str, NDArray[Any]]:
        shape = (rounds, *self.shape)
        return {"_values": np.zeros(shape), "_released": np.zeros(shape, np.int64)}

    def _filled(self, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
        """Rows for all rounds, of which the first are given."""
        more = np.zeros((self.horizon - len(arrays["_values"]), *self.shape))
        return arrays | {name: np.concatenate([arrays[name].astype(np.float64), more]) for name in self._arrays}

    def _after(self, cells: Cells, entropy: Entropy) -> dict[str, Any]:
        """Rows beyond `rounds` are nobody's, so they may be written before the round counts."""
        rounds = self.rounds + 1
        self._values[self.rounds] = cells
        # Whole numbers of parts below 2^53, in any order of adding: the center is exact.
        center = mixed(self._weights * _PARTS, self._values[:rounds]) / _PARTS
        self._released[self.rounds] = self.noise.sample(center, entropy)
        return {"rounds": rounds, "estimate": mixed(self._back, self._released[:rounds])}

    def variances(self, rounds: int) -> Floats:
        """The variance of each entry of the first estimates, in squared cells, rounding to cells left out."""
        total: Floats = self.noise.variance * np.cumsum(self._back[:rounds] ** 2)
        return total

    def state_dict(self) -> dict[str, Any]:
        """The state as plain data; only the rows of rounds that have been seen."""
        state = super().state_dict()
        values, released = (array[: self.rounds].astype(np.int64).tolist() for array in (self._values, self._released))
        return state | {"values": values, "released": released}

    def __copy__(self) -> Self:
        """A copy shares nothing: the rows of a round are written in place."""
        return copy.deepcopy(self)


def coefficients(rounds: int) -> Floats:
    """The coefficients of (1 - z)^(-1/2), each rounded to 2^-20.

    >>> coefficients(4).tolist()
    [1.0, 0.5, 0.375, 0.3125]
    """
    steps = 1 - 0.5 / np.arange(1, rounds)
    exact: Floats = np.cumprod(np.append(1.0, steps))
    return np.rint(exact * _PARTS) / _PARTS


def squares(weights: Floats) -> Fraction:
    """The sum of the squares of coefficients, exactly.

    >>> squares(coefficients(3))
    Fraction(89, 64)
    """
    parts = (weights * _PARTS).astype(np.int64).tolist()
    return Fraction(sum(part * part for part in parts), _PARTS**2)


def mixed(weights: Floats, rows: Floats) -> Floats:
    """The last row of the Toeplitz matrix of the weights, times the rows."""
    flat = rows.reshape(len(rows), -1)
    total: Floats = weights[: len(rows)][::-1] @ flat
    return total.reshape(rows.shape[1:])


def inverse(weights: Floats) -> Floats:
    """The coefficients of one over the power series, by Newton's steps: each doubles how many are right.

    >>> inverse(np.array([1.0, 0.5, 0.375])).round(9).tolist()
    [1.0, -0.5, -0.125]
    """
    result, n = np.array([1 / weights[0]]), 1
    while n < len(weights):
        n = min(2 * n, len(weights))
        rest = -_times(weights[:n], result, n)
        rest[0] += 2
        result = _times(result, rest, n)
    return result


def _times(left: Floats, right: Floats, n: int) -> Floats:
    """The first n coefficients of the product of two power series."""
    size = len(left) + len(right)
    product: Floats = np.fft.irfft(np.fft.rfft(left, size) * np.fft.rfft(right, size), size)
    return product[:n]
