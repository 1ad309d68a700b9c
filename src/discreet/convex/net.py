"""Nets of a ball: finitely many points, one of them near every point."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.convex.ball import Floats, projected

#: Larger nets are refused: every round gives a loss to every point.
MOST_POINTS = 10_000_000


def net(dimension: int, radius: float, resolution: float) -> Floats:
    """Points of the ball around zero, one within `resolution` of each point of the ball: (points, dimension).

    A cubic lattice with steps of 2 · resolution / sqrt(dimension) has a point within the resolution of every point;
    those that lie outside, by at most the resolution, are moved to the nearest point of the ball, which brings them
    nearer to everything in it. Coordinates are added one by one, so that little beyond reach is ever listed.

    >>> net(1, radius=1.0, resolution=0.25).ravel().tolist()
    [-1.0, -0.5, 0.0, 0.5, 1.0]
    """
    expected = size(dimension, radius, resolution)
    if expected > 4 * MOST_POINTS:
        raise ValueError(_refusal(expected, resolution))
    step = 2 * resolution / math.sqrt(dimension)
    reach = ((radius + resolution) / step) ** 2 * (1 + 1e-12)
    rows = np.zeros((1, 0), dtype=np.int64)
    for _ in range(dimension):
        rows = _longer(rows, reach)
        if len(rows) > 4 * MOST_POINTS:
            raise ValueError(_refusal(expected, resolution))
    if len(rows) > MOST_POINTS:
        raise ValueError(_refusal(len(rows), resolution))
    points = projected(rows.astype(np.float64) * step, radius)
    points.flags.writeable = False
    return points


def _refusal(points: float, resolution: float) -> str:
    return f"a net of resolution {resolution:.3g} needs about {points:.3g} points; at most {MOST_POINTS} are made"


def _longer(rows: NDArray[np.int64], reach: float) -> NDArray[np.int64]:
    """Lattice points with one coordinate more, as long as their square norms stay within reach."""
    left = reach - (rows * rows).sum(axis=1)
    most = np.sqrt(left).astype(np.int64)
    counts = 2 * most + 1
    starts = np.cumsum(counts) - counts
    last = np.arange(counts.sum()) - np.repeat(starts + most, counts)
    return np.column_stack([np.repeat(rows, counts, axis=0), last])


def size(dimension: int, radius: float, resolution: float) -> float:
    """About how many points a net has: the volume of the ball, a little larger, over that of a lattice cell.

    >>> round(size(2, radius=1.0, resolution=0.01)), len(net(2, radius=1.0, resolution=0.01))
    (16024, 16021)
    """
    step = 2 * resolution / math.sqrt(dimension)
    log_volume = dimension / 2 * math.log(math.pi) - math.lgamma(dimension / 2 + 1)
    log_size = log_volume + dimension * (math.log(radius + resolution) - math.log(step))
    return math.exp(log_size) if log_size < 700 else math.inf
