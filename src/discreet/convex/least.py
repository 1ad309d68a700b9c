"""A certified lower bound of the sum of losses on the ball, so that rejection need not start from zero.

Weights that are not negative and sum to one or less for each loss, over its pieces, give an affine function that lies
below the sum everywhere: total(x) >= A · x + B >= B - |A| on the ball of radius 1. Any such weights do; those of a
point near the smallest total, where a loss is smoothed over its pieces, come close. The weights are found in floats and
the bound is computed of them in whole numbers, so it holds whatever floats did.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from discreet.convex.affine import Affine, stacked
from discreet.convex.ball import Floats, projected
from discreet.losses import UNITS

#: Weights are whole numbers of so many parts. Beyond so many losses their sums may not fit, and 0 is the bound.
_PARTS, _MOST = 1 << 12, 1 << 19
#: Steps of descent at most, and how many pass between two looks at the bound.
_STEPS, _EVERY, _SHARPEST = 500, 25, 1e9


def least_total(losses: Sequence[Affine], floor: int, near: float) -> int:
    """A number of units that no total on the grid is below; about `near` losses below the least, if above the floor.

    >>> from discreet.convex.affine import read
    >>> losses = [read([[1.0], [-1.0]], [-b, b], 1.0, 1.0, 2.0, 1) for b in (-0.5, 0.5)] * 100  # |x - b| / 2
    >>> 49 < least_total(losses, floor=0, near=1.0) / UNITS <= 50
    True
    """
    if not 0 < len(losses) <= _MOST:
        return 0
    slopes, offsets = stacked(losses)
    best, sharpness = 0, min(2 * len(losses) * math.log1p(len(offsets)) / near, _SHARPEST)
    for total, weights in _descent(slopes, offsets, sharpness):
        best = max(best, certified(losses, weights))
        if best / UNITS >= total - near or total * UNITS <= floor:
            break
    return best


def certified(losses: Sequence[Affine], weights: Floats) -> int:
    """The bound of some weights (pieces, losses), in whole numbers.

    Values on the grid are rounded to the nearest unit, which may lower each loss by half a unit.
    """
    owners = np.repeat(np.arange(len(losses)), [len(loss.offsets) for loss in losses])
    places = np.concatenate([np.arange(len(loss.offsets)) for loss in losses])
    shares = (np.where((weights >= 0) & (weights <= 1), weights, 0.0) * _PARTS).astype(np.int64)
    shares *= shares.sum(axis=0) <= _PARTS
    each = shares[places, owners]
    slope = each @ np.concatenate([loss.slopes for loss in losses])
    height = int(each @ np.concatenate([loss.offsets for loss in losses]))
    length = math.isqrt(sum(entry**2 for entry in slope.tolist())) + 1
    return (height - length) // _PARTS - len(losses) // 2 - 1


def _descent(slopes: Floats, offsets: Floats, sharpness: float) -> Iterator[tuple[float, Floats]]:
    """Totals at points of an accelerated descent (Nesterov) of the smoothed sum, and the weights of pieces there."""
    steep = sharpness * float(np.square(slopes).sum(axis=2).max(axis=0).sum())
    point = ahead = np.zeros(slopes.shape[2])
    pace = 1.0
    for step in range(1, _STEPS + 1):
        lines, weights = _weighted(slopes, offsets, ahead, sharpness)
        if step % _EVERY == 0:
            yield float(np.maximum(lines.max(axis=0), 0.0).sum()), weights
        slope = np.tensordot(weights, slopes, axes=([0, 1], [0, 1]))
        last, point = point, projected((ahead - slope / max(steep, 1e-300))[None], 1.0)[0]
        pace, before = (1 + math.sqrt(1 + 4 * pace * pace)) / 2, pace
        ahead = point + (before - 1) / pace * (point - last)


def _weighted(slopes: Floats, offsets: Floats, point: Floats, sharpness: float) -> tuple[Floats, Floats]:
    """The value of each piece at a point, and weights as e^(sharpness · value), 0 being one more piece."""
    lines = slopes @ point + offsets
    tops = np.maximum(lines.max(axis=0), 0.0)
    parts = np.exp(sharpness * (lines - tops))
    weights: Floats = parts / (parts.sum(axis=0) + np.exp(-sharpness * tops))
    return lines, weights
