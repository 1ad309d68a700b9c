"""Reports as whole numbers: losses plus noise, on a grid that is fine beside the noise.

A report is any finite number. It is rounded to a multiple of `unit_for(scale)`: a power of two, 2^-24 to 2^-23 of the
scale, or 2^-30 of a loss where the scale is below 2^-7. Sums are then exact and the same in any order. That matters:
`AdaptiveBatchLeader` is private *because* it cannot tell the reports of a batch apart, and a sum in floats can.

**Sums of rounded reports.** Let reports be loss + N(0, scale^2), rounded to multiples of h, halves always up. The law
of one is that of (loss + noise + U) sampled on the grid, U uniform on [-h/2, h/2); the law of a sum of b is, up to
aliasing, that of (sum + U_1 + ... + U_b) sampled on the grid, which is the rounding of (sum + U_2 + ... + U_b): a
function of the exact sum and of chance. The aliased part has at most the weight of the normal's Fourier transform
beyond pi/h, exp(-pi^2 scale^2 / (2 h^2)): below 10^-2000 at scale >= 32 h. So what holds of the exact sum holds here.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from discreet.losses import Units

_FARTHEST = 1 << 12  # losses or scales, whichever is more: no normal draw comes near
#: Totals stay below this.
ROOM = 1 << 62


def unit_for(scale: float) -> float:
    """The step of the grid, in losses.

    >>> unit_for(5.0) == 2.0**-21, unit_for(0.0) == unit_for(1e-9) == 2.0**-30
    (True, True)
    """
    return math.ldexp(1.0, max(math.frexp(scale)[1], -6) - 24) if scale else 2.0**-30


def farthest_for(scale: float) -> float:
    """The largest report that is taken."""
    return _FARTHEST * max(1.0, scale)


def to_grid(
    reports: ArrayLike, n_actions: int, scale: float, first_round: int | None = None, row: str = "round"
) -> Units:
    """Reports as whole units: a vector of n, or a table with n columns, checked, rounded to nearest, halves up.

    >>> to_grid([0.0, -0.5, 2.0], n_actions=3, scale=5.0).tolist()
    [0, -1048576, 4194304]
    """
    table = _as_numbers(reports)
    if not table.ndim or table.shape[-1] != n_actions:
        raise ValueError(
            f"reports of shape {table.shape} do not fit: {n_actions} actions want {n_actions} reports a round"
        )
    most = farthest_for(scale)
    if table.size and not (table.min() >= -most and table.max() <= most):
        raise ValueError(_complaint(table, most, first_round, row))
    exact = table / unit_for(scale)
    below = np.floor(exact)
    below += exact - below >= 0.5
    return below.astype(np.int64)


def _as_numbers(reports: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """An array of floats."""
    try:
        table = np.asarray(reports)
    except ValueError:
        raise ValueError("reports are ragged: every round needs the same number of actions") from None
    if table.dtype.kind not in "fiu":
        raise ValueError(f"reports are numbers, losses plus noise; got an array of type {table.dtype}")
    return table.astype(np.float64, copy=False)


def _complaint(
    table: np.ndarray[tuple[int, ...], np.dtype[np.float64]], most: float, first: int | None, row: str
) -> str:
    """The sentence about the first value that is not a report."""
    place = np.argwhere(~(np.abs(table) <= most))[0].tolist()
    where = f"action {place[-1]}"
    if first is not None or len(place) > 1:
        where = f"{row} {(first or 0) + (place[0] if len(place) > 1 else 0)}, {where}"
    return f"the report of {where} is {table[tuple(place)]}; with noise of this scale it lies between +-{most:g}"
