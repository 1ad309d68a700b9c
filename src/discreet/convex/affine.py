"""Losses that are the largest of a few affine functions, in whole numbers on a grid of the ball."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.convex.ball import Floats, lengths
from discreet.losses import UNITS, Units, as_numbers
from discreet.mechanisms.sums import loaded

#: Slopes, as losses a radius, are at most so steep, so that values on the grid fit into int64.
STEEPEST = 1024.0
_SLACK = 1e-9
_FIRST = 16


@dataclass(frozen=True)
class Affine:
    """max(0, the largest of slopes · x + offsets), in units: slopes (pieces, dimension) a radius, offsets (pieces,)."""

    slopes: Units
    offsets: Units


def read(
    slopes: ArrayLike, offsets: ArrayLike, radius: float, lipschitz: float, bound: float, dimension: int
) -> Affine:
    """One round's loss, checked and rounded: on the grid it lies in [0, `UNITS`] exactly.

    Offsets are lowered by the few units by which rounding pushes a piece over the bound somewhere in the ball.

    >>> loss = read([[1.0], [-1.0]], [-0.5, 0.5], radius=1.0, lipschitz=1.0, bound=2.0, dimension=1)  # |x - 0.5|
    >>> values([loss], np.array([[-4], [2], [4]]), bits=2).tolist()
    [786432, 0, 262144]
    """
    table, heights = as_numbers(slopes, "slopes"), as_numbers(offsets, "offsets")
    table, heights = (table[None], heights[None]) if table.ndim == 1 and heights.ndim == 0 else (table, heights)
    if table.ndim != 2 or table.shape[1] != dimension or heights.shape != table.shape[:1] or not heights.size:
        raise ValueError(
            f"slopes have shape (pieces, {dimension}) and offsets (pieces,), not {table.shape} and {heights.shape}"
        )
    if not (np.isfinite(table).all() and np.isfinite(heights).all()):
        raise ValueError("slopes and offsets must be finite numbers")
    with np.errstate(over="ignore"):  # infinite is too large as well, or below every slope
        _check(lengths(table), heights, radius, lipschitz, bound)
        steps = np.rint(table * (radius / bound * UNITS)).astype(np.int64)
        levels = np.rint(np.maximum(heights / bound, -2 * STEEPEST) * UNITS).astype(np.int64)
    return Affine(steps, np.minimum(levels, UNITS - _ceil_lengths(steps)))


def read_each(
    slopes: ArrayLike,
    offsets: ArrayLike,
    runs: int | None,
    radius: float,
    lipschitz: float,
    bound: float,
    dimension: int,
) -> tuple[Affine, ...]:
    """One round's loss for all runs, or one for each where slopes are (runs, pieces, dimension)."""
    table, heights = as_numbers(slopes, "slopes"), as_numbers(offsets, "offsets")
    if runs is None or table.ndim != 3:
        return (read(table, heights, radius, lipschitz, bound, dimension),)
    if table.shape[0] != runs or heights.shape != table.shape[:2]:
        raise ValueError(
            f"slopes of {runs} runs have shape ({runs}, pieces, {dimension}) and offsets ({runs}, pieces), "
            f"not {table.shape} and {heights.shape}"
        )
    return tuple(read(*of_run, radius, lipschitz, bound, dimension) for of_run in zip(table, heights, strict=True))


def of_state(state: Any, dimension: int) -> Affine:
    """A loss of a state, [slopes, offsets], if on the grid it lies in [0, `UNITS`] exactly."""
    if not isinstance(state, list) or len(state) != 2 or not isinstance(state[1], list):
        raise ValueError("the state's losses are pairs of slopes and offsets")
    slopes = loaded("slopes", state[0], np.zeros((len(state[1]), dimension), np.int64))
    offsets = loaded("offsets", state[1], np.zeros(len(slopes), np.int64))
    low, high = -int(2 * STEEPEST) * UNITS, int(STEEPEST * (1 + _SLACK) * UNITS) + dimension
    fits = offsets.size and offsets.min() >= low and offsets.max() <= UNITS
    if not fits or slopes.min() < -high or slopes.max() > high or (offsets + _ceil_lengths(slopes) > UNITS).any():
        raise ValueError("the state's losses have one that is not in bounds on the ball")
    return Affine(slopes, offsets)


def _check(
    steep: NDArray[np.float64], heights: NDArray[np.float64], radius: float, lipschitz: float, bound: float
) -> None:
    """Refuse a piece that is steeper than the Lipschitz bound, or larger than the bound somewhere in the ball."""
    long = (steep > lipschitz * (1 + _SLACK)).nonzero()[0]
    if long.size:
        raise ValueError(
            f"the slope of piece {long[0]} has norm {steep[long[0]]:g}; at most {lipschitz:g} was promised"
        )
    high = (steep * radius + heights > bound * (1 + _SLACK)).nonzero()[0]
    if high.size:
        top = steep[high[0]] * radius + heights[high[0]]
        raise ValueError(f"the loss of piece {high[0]} is {top:g} at the rim of the ball; at most {bound:g} is allowed")


def _ceil_lengths(steps: Units) -> Units:
    """The Euclidean norm of each row, rounded up to a whole number."""
    squares = [sum(entry**2 for entry in row) for row in steps.tolist()]
    return np.array([math.isqrt(square - 1) + 1 if square else 0 for square in squares], dtype=np.int64)


def values(losses: Sequence[Affine], points: Units, bits: int) -> Units:
    """The sum of some losses at points of the grid of 2^bits steps a radius, (points, dimension), in units.

    Whole numbers throughout: a point has the same value whatever it is computed with.
    """
    slopes = np.concatenate([loss.slopes for loss in losses])
    offsets = np.concatenate([loss.offsets for loss in losses])
    starts = np.cumsum([0] + [len(loss.offsets) for loss in losses[:-1]])
    heights = slopes @ points.T
    heights += (offsets[:, None] << bits) + (1 << bits >> 1)
    heights >>= bits
    tops = np.maximum.reduceat(heights, starts, axis=0)
    total: Units = np.maximum(tops, 0).sum(axis=0)
    return total


def stacked(losses: Sequence[Affine]) -> tuple[Floats, Floats]:
    """Slopes (pieces, losses, dimension) and offsets (pieces, losses) in losses, the largest of which, or 0, is each.

    Losses of fewer pieces are filled up with 0.

    >>> one, two = (read(*pieces, 1.0, 1.0, 1.0, 1) for pieces in (([0.5], 0.0), ([[0.25], [-0.5]], [0.0, 0.5])))
    >>> slopes, offsets = stacked([one, two])
    >>> slopes[:, :, 0].tolist(), offsets.tolist()
    ([[0.5, 0.25], [0.0, -0.5]], [[0.0, 0.0], [0.0, 0.5]])
    """
    counts = [len(loss.offsets) for loss in losses]
    owners, places = np.repeat(np.arange(len(losses)), counts), np.concatenate([np.arange(n) for n in counts])
    shape = (max(counts), len(losses))
    offsets, slopes = np.zeros(shape), np.zeros((*shape, losses[0].slopes.shape[1]))
    offsets[places, owners] = np.concatenate([loss.offsets for loss in losses]) / UNITS
    slopes[places, owners] = np.concatenate([loss.slopes for loss in losses]) / UNITS
    return slopes, offsets


def parts(losses: Sequence[Affine]) -> Iterator[Sequence[Affine]]:
    """The losses in runs that double in length: most points are given up within the first."""
    at, length = 0, _FIRST
    while at < len(losses):
        yield losses[at : at + length]
        at, length = at + length, min(2 * length, 256)
