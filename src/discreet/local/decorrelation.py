"""The noise that makes learners' scores look independent: `MetaLeader`'s matrix, its largest eigenvalue, and draws.

Learners that agree share the noise of the reports. After t rounds the noise in their scores has covariance Sigma =
scale^2 (1 + A), where A counts in how many rounds each pair agreed: whole numbers, t on the diagonal. What all scores
share moves no choice, so the mean of all entries is taken off: Sigma* = Sigma - (mean of Sigma) 11^T. Adding N(0, v -
Sigma*) leaves N(0, v + mean · 11^T): the law of independent noise of variance v, and a shift of all. It needs v >=
the largest eigenvalue of Sigma*.

The eigenvalue is bracketed, not computed: Sigma* moves little from round to round, so the last round's direction is
nearly right. A Cholesky factor of (v - Sigma*) exists just where v lies above the eigenvalue, costs 7 microseconds at
64 learners, and is what inverse iteration towards the eigenvector needs, which converges cubically. So each step both
proves an upper end and raises the lower end (a Rayleigh quotient).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.local.noise import normals

Floats = NDArray[np.float64]

_SMALL = 16  # up to here LAPACK needs less than the bracket does
_PRECISE = 1e-9
_TRIES = 12


def decorrelated(agreements: NDArray[np.int64], scale: float) -> Floats:
    """Sigma* of learners that agreed so often, (m, m).

    >>> decorrelated(np.array([[3, 3], [3, 3]]), scale=2.0).tolist()
    [[2.0, -2.0], [-2.0, 2.0]]
    """
    m = len(agreements)
    mean = (int(agreements.sum()) + m) / (m * m)
    shared = np.asarray((agreements - mean) * (scale * scale), dtype=np.float64)
    shared.flat[:: m + 1] += scale * scale
    return shared


def start(m: int) -> Floats:
    """A direction to begin with, at right angles to nothing in particular."""
    direction = np.cos(np.arange(1.0, m + 1))
    unit: Floats = direction / np.linalg.norm(direction)
    return unit


def largest_eigenvalue(matrix: Floats, direction: Floats) -> tuple[float, Floats]:
    """A number above the largest eigenvalue by at most 1e-9 of it, and a direction to begin with next time.

    >>> top, direction = largest_eigenvalue(np.diag([1.0, 5.0, 2.0]), start(3))
    >>> 5.0 < top <= 5.0 * (1 + 1e-9)
    True
    """
    if len(matrix) > _SMALL:
        found = _bracketed(matrix, direction)
        if found:
            return found
    values, vectors = np.linalg.eigh(matrix) if len(matrix) > _SMALL else _last(matrix, direction)
    return _above(float(values[-1]), matrix), vectors[:, -1]


def _last(matrix: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """The largest eigenvalue alone; the direction is left as it is."""
    from scipy.linalg.lapack import dsyevr

    m = len(matrix)
    return dsyevr(matrix, compute_v=0, range="I", il=m, iu=m)[0][:1], direction[:, None]


def _above(value: float, matrix: Floats) -> float:
    """A little more, so that the matrix from there is positive in floats too."""
    return value + 0.4 * _PRECISE * abs(value) + 1e-13 * float(matrix.trace()) + 1e-300


def _bracketed(matrix: Floats, direction: Floats) -> tuple[float, Floats] | None:
    """By inverse iteration from above; None where that takes too long."""
    from scipy.linalg.lapack import dpotrf, dpotrs

    left, reach = -matrix, 0.5
    value, error = _quotient(matrix, direction)
    for _ in range(_TRIES):
        upper = _above(value + reach * error, matrix)
        left.flat[:: len(matrix) + 1] = upper - matrix.diagonal()
        factor, fails = dpotrf(left.T, lower=1, clean=0)
        if fails:  # there is an eigenvalue above: look further up
            reach *= 4
            continue
        direction = dpotrs(factor, direction, lower=1)[0]
        direction /= np.sqrt(direction @ direction)
        value, error = _quotient(matrix, direction)
        if upper - value <= _PRECISE * abs(upper):
            return upper, direction
        reach = 0.15  # the eigenvalue is nearer than the error by far, once the direction is nearly right
    return None


def _quotient(matrix: Floats, direction: Floats) -> tuple[float, float]:
    """The Rayleigh quotient of a direction, and how far the matrix takes the direction from its multiple."""
    image = matrix @ direction
    value = direction @ image
    off = image - value * direction
    return float(value), float(np.sqrt(off @ off))


def draw(matrix: Floats, variance: float, entropy: Entropy) -> Floats:
    """One draw of N(0, variance - matrix), for a variance above the largest eigenvalue."""
    left = -matrix
    left.flat[:: len(matrix) + 1] += variance
    drawn: Floats = np.linalg.cholesky(left) @ normals((len(matrix),), entropy)
    return drawn
