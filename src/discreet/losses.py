"""Losses in [0, 1] as whole units, 2^20 to one loss.

A loss is rounded to the nearest unit when it comes in, and from then on every sum is a sum of whole numbers:
exact, in any order, the same bits on one core and on a hundred machines. One round moves a total by at most
`UNITS` *exactly*, which is what every privacy proof here rests on and what floating-point sums cannot promise.

Totals are int64, so `MAX_ROUNDS` = 2^43 - 1 rounds fit, nearly 9 million million; more are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Units = NDArray[np.int64]

#: Units in one loss.
UNITS = 1 << 20
#: Rounds whose total surely fits into int64.
MAX_ROUNDS = (2**63 - 1) // UNITS


def to_units(losses: ArrayLike, n_actions: int, first_round: int | None = None, row: str = "round") -> Units:
    """Losses as whole units: a vector of K, or a table with K columns, checked and rounded to nearest.

    Raises `ValueError` in one sentence that names the place: the action, and the row, counted from `first_round` on
    and called what `row` says.

    >>> to_units([0.0, 0.5, 1.0], n_actions=3).tolist()
    [0, 524288, 1048576]
    """
    units = as_losses(losses, n_actions, first_round, row) * UNITS
    return np.rint(units, out=units).astype(np.int64)


def as_losses(
    losses: ArrayLike, n_actions: int, first_round: int | None = None, row: str = "round"
) -> NDArray[np.float64]:
    """Losses as they are, a vector of K or a table with K columns, checked: the checks of `to_units`.

    >>> as_losses([0.1, 0.5], n_actions=2).tolist()
    [0.1, 0.5]
    """
    table = as_numbers(losses)
    if not table.ndim or table.shape[-1] != n_actions:
        raise ValueError(
            f"losses of shape {table.shape} do not fit: {n_actions} actions want {n_actions} losses a round"
        )
    if not _in_bounds(table):
        raise ValueError(_complaint(table, first_round, row))
    return table


def as_numbers(losses: ArrayLike, what: str = "losses") -> NDArray[np.float64]:
    """An array of floats, or a `ValueError` where the values are not numbers or the rows have unequal lengths."""
    try:
        table = np.asarray(losses)
    except ValueError:
        raise ValueError(f"{what} are ragged: every round needs the same number of actions") from None
    if table.dtype.kind not in "fiu":
        raise ValueError(f"{what} are numbers in [0, 1], not {_kind(table)}")
    return table.astype(np.float64, copy=False)


def _kind(table: NDArray[Any]) -> str:
    names = {"b": "truth values", "U": "text", "S": "text", "c": "complex numbers", "M": "dates", "m": "durations"}
    return names.get(table.dtype.kind, "other objects")


def _in_bounds(table: NDArray[np.float64]) -> bool:
    """Whether all values lie in [0, 1]. One pair of comparisons finds NaN too: it fails both."""
    return not table.size or bool(table.min() >= 0.0 and table.max() <= 1.0)


def _complaint(table: NDArray[np.float64], first_round: int | None, row: str, what: str = "loss") -> str:
    """The sentence about the first value that is not a loss."""
    place = np.argwhere(~((table >= 0.0) & (table <= 1.0)))[0].tolist()
    where = f" of action {place[-1]}" if place else ""
    if first_round is not None or len(place) > 1:
        where = f" of {row} {(first_round or 0) + (place[0] if len(place) > 1 else 0)}, action {place[-1]}"
    return f"the {what}{where} is {table[tuple(place)]}; a {what} is a number in [0, 1]"


@dataclass(frozen=True)
class Scale:
    """Losses measured on another scale, with bounds that are known in public.

    The bounds must not be read off the private data: the smallest and largest loss of a log are somebody's.
    Values outside are refused, or clipped on request, which keeps the guarantee and bends the losses.

    >>> Scale(0, 200).apply([50.0, 200.0]).tolist()
    [0.25, 1.0]
    >>> Scale(0, 200, clip=True).apply([-1.0, 300.0]).tolist()
    [0.0, 1.0]
    """

    low: float = 0.0
    high: float = 1.0
    clip: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", _bound("low", self.low))
        object.__setattr__(self, "high", _bound("high", self.high))
        if not (self.low < self.high and np.isfinite(self.high - self.low)):
            raise ValueError(f"a scale goes from a low to a higher number, both finite; got {self.low} to {self.high}")

    def apply(self, values: ArrayLike) -> NDArray[np.float64]:
        """The values as losses in [0, 1]."""
        numbers = as_numbers(values)
        bad = self.first_bad(numbers)
        if bad is not None:
            hint = "" if np.isnan(numbers.flat[bad]) else "; clip=True would clip it"
            raise ValueError(
                f"the value {numbers.flat[bad]} lies outside the scale {self.low:g} to {self.high:g}{hint}"
            )
        return self.scaled(numbers)

    def first_bad(self, values: NDArray[np.float64]) -> int | None:
        """Where the first value stands that is refused: one out of bounds, or NaN where values are clipped."""
        if not values.size or (values.min() >= self.low and values.max() <= self.high):
            return None
        bad = np.isnan(values) if self.clip else ~((values >= self.low) & (values <= self.high))
        places = np.flatnonzero(bad)
        return int(places[0]) if places.size else None

    def scaled(self, values: NDArray[np.float64], out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Checked values as losses, into `out` where given."""
        if self.clip:
            values = np.clip(values, self.low, self.high)
        losses: NDArray[np.float64] = np.subtract(values, self.low, out=out)
        if self.high - self.low != 1.0:
            losses /= self.high - self.low
        return losses


def _bound(name: str, value: Any) -> float:
    """An end of a scale as a float."""
    if not isinstance(value, (str, bytes, bool)):
        with suppress(TypeError, ValueError, OverflowError):
            return float(value)
    raise ValueError(f"the {name} end of a scale is {value!r}; it must be a number")


def from_gains(gains: ArrayLike) -> NDArray[np.float64]:
    """Gains in [0, 1] as losses: 1 - gain. Other gains are refused; `Scale` brings them there.

    >>> from_gains([1.0, 0.25]).tolist()
    [0.0, 0.75]
    """
    table = as_numbers(gains, what="gains")
    if not _in_bounds(table):
        raise ValueError(_complaint(table, None, "round", what="gain"))
    losses: NDArray[np.float64] = 1.0 - table
    return losses


def check_names(names: Sequence[str]) -> None:
    """Refuse action names that are given twice."""
    twice = sorted({name for name in names if list(names).count(name) > 1})
    if twice:
        raise ValueError(f"the column name {twice[0]!r} stands twice; every action needs a name of its own")
