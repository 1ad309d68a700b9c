"""Trade-off curves from below: convex hulls and supporting lines that never overstate privacy.

Two facts carry everything here. Let f be convex and non-increasing on [0, 1], with f(1) = 0.

- *Moving vertices down or left is safe.* The hull of the moved vertices, closed upwards and to the
  right, contains the old ones. So rounding both coordinates of a vertex down lowers the curve.
- *A chord lies above f between its ends, and below f beyond them.* So a curve through points of f
  overstates privacy, and the extended chords of the neighboring intervals understate it.
"""

from fractions import Fraction

import numpy as np

from discreet.guarantees.checks import Floats
from discreet.guarantees.rounding import UNIT

Points = tuple[Floats, Floats]


def hull(alphas: Floats, betas: Floats) -> Points:
    """Return the vertices of the greatest convex curve that is below all points and ends in (1, 0).

    >>> hull(np.array([0.0, 0.5, 0.6]), np.array([1.0, 0.1, 0.3]))
    (array([0. , 0.5, 1. ]), array([1. , 0.1, 0. ]))
    """
    alphas, betas = lowest(np.append(alphas, 1.0), np.append(betas, 0.0))
    kept: list[tuple[float, float]] = []
    for point in zip(alphas.tolist(), betas.tolist(), strict=True):
        while len(kept) > 1 and not _turns_up(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    vertices = np.array(kept)
    return vertices[:, 0], vertices[:, 1]


def _turns_up(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Return whether b is strictly below the line from a to c: by floats where they can decide."""
    one, two = (b[0] - a[0]) * (c[1] - b[1]), (b[1] - a[1]) * (c[0] - b[0])
    if abs(one - two) > 8 * UNIT * (abs(one) + abs(two)) + 1e-300:
        return one > two
    (a0, a1), (b0, b1), (c0, c1) = (tuple(map(Fraction, point)) for point in (a, b, c))
    return (b0 - a0) * (c1 - b1) > (b1 - a1) * (c0 - b0)


def lowest(alphas: Floats, betas: Floats) -> Points:
    """Return the points by rising alpha, with the lowest beta of those that share one."""
    order = np.lexsort((betas, alphas))
    alphas, betas = alphas[order], betas[order]
    first = np.append(True, alphas[1:] > alphas[:-1])
    return alphas[first], betas[first]


def supporting(alphas: Floats, betas: Floats, error: float) -> Points:
    """Return the vertices of a safe curve, from points whose coordinates are right within 1 +- error.

    With (a, b) the true point, f is at least b (1 - error) at a (1 - error), because it is
    non-increasing, and at most b (1 + error) at a (1 + error). Every line from an upper to a lower
    point, extended beyond the lower one, therefore stays below f. Each interval is bounded by the
    line from its left and the line from its right; they cross in the vertex that is added.
    """
    alphas, betas = lowest(alphas, betas)
    low_a, low_b = np.append(alphas * (1 - error), 1.0), np.append(betas * (1 - error), 0.0)
    high_a, high_b = np.append(alphas * (1 + error), 1.0), np.append(betas * (1 + error), 0.0)
    from_left = _slopes(np.append(0.0, high_a[:-1]), np.append(1.0, high_b[:-1]), low_a, low_b, -np.inf)
    from_right = _slopes(low_a[:-1], low_b[:-1], high_a[1:], high_b[1:], 0.0)
    from_right = np.append(from_right, 0.0)
    start = min(1.0, low_b[0] - from_right[0] * low_a[0] * (1 - 8 * UNIT))
    crossings = _crossings(low_a, low_b, from_left[:-1] * (1 + 8 * UNIT), from_right[1:] * (1 - 8 * UNIT))
    vertices = np.concatenate([[[0.0], [start]], [low_a, low_b], crossings], axis=1)
    return hull(vertices[0], vertices[1])


def _slopes(left_a: Floats, left_b: Floats, right_a: Floats, right_b: Floats, unknown: float) -> Floats:
    """Return the slopes of lines, none rising, ``unknown`` where the error swallows the distance."""
    width = right_a - left_a
    known = width > 1e-300  # so that no slope overflows
    slopes = (right_b - left_b) / np.where(known, width, 1.0)
    return np.where(known, np.minimum(slopes, 0.0), unknown)


def _crossings(alphas: Floats, betas: Floats, from_left: Floats, from_right: Floats) -> Floats:
    """Return where the two lines of each interval cross.

    Any place t in the interval is safe if its height is at most that of both lines there: the chord
    from the left end is then below the left line, and the chord to the right end below the right one.
    """
    left_a, right_a, left_b, right_b = alphas[:-1], alphas[1:], betas[:-1], betas[1:]
    gap = left_b - (right_b - from_right * (right_a - left_a))
    steepness = from_right - from_left
    offset = np.where((gap > 0) & (steepness > 0), gap / np.where(steepness > 0, steepness, 1.0), 0.0)
    at = np.minimum(left_a + offset, right_a)
    fall = np.where(at > left_a, from_left, 0.0) * (at - left_a)
    below_left = left_b * (1 - 8 * UNIT) + fall
    below_right = (right_b - from_right * (right_a - at)) * (1 - 8 * UNIT)
    return np.array([at, np.maximum(0.0, np.minimum(below_left, below_right))])
