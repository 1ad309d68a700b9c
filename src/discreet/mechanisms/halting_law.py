"""Where a test against a threshold halts: its law, by integration over the noise of the threshold.

Given the noise z of the threshold, the queries are independent: query i, which lies b_i behind the threshold, is above
where its noise is b_i + z or more. So

    P(halt at k) = sum over z of P(z) · product over i < k of P(W < b_i + z) · P(W >= b_k + z).

Where both scales are thousands of units, continuous Laplace noise stands in for the discrete: a sum over whole z is
then an integral, and P(W >= m) the continuous tail half a unit further left. Each costs a relative error of about
1 / (8 scale^2), scale in units. Below that the sum itself is taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.losses import Units

Floats = NDArray[np.float64]

_FEW_UNITS = 4096.0
_UNDERFLOW = 745.0  # e^-745 is the smallest positive float
_REACH = 40.0  # what lies further out, in scales, weighs less than e^-40 of the rest


def halting_law(behind: Units, threshold_scale: float, query_scale: float) -> Floats:
    """P(halt at the first, second, ... query) and P(never), for queries so many units behind the threshold."""
    discrete = min(threshold_scale, query_scale) < _FEW_UNITS
    points = _whole if discrete else _nodes
    z, weights = points(behind, threshold_scale, query_scale)
    above, below = (tails if discrete else _continuous)(z[:, None] + behind, query_scale)
    before = np.cumprod(np.concatenate([np.ones((len(z), 1)), below], axis=1), axis=1)
    halting = np.concatenate([above, np.ones((len(z), 1))], axis=1)
    law: Floats = weights @ (before * halting)
    return law


def _ends(behind: Units, scale: float) -> tuple[float, float]:
    """Beyond these the noise of the threshold adds nothing."""
    kinks = np.append(-behind, 0)
    return float(kinks.min() - _REACH * scale), float(kinks.max() + _REACH * scale)


def _whole(behind: Units, threshold_scale: float, query_scale: float) -> tuple[Floats, Floats]:
    """Every whole z that counts, with its probability."""
    low, high = np.clip(_ends(behind, threshold_scale), -_UNDERFLOW * threshold_scale, _UNDERFLOW * threshold_scale)
    z = np.arange(np.floor(low), np.ceil(high) + 1)
    return z, np.tanh(0.5 / threshold_scale) * np.exp(-np.abs(z) / threshold_scale)


def _nodes(behind: Units, threshold_scale: float, query_scale: float) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes on pieces without kinks, none longer than a scale, with the density in the weights."""
    low, high = _ends(behind, threshold_scale)
    kinks = np.append(0.5 - behind, 0.0)
    ends = np.unique(np.concatenate([kinks, np.arange(low, high, min(threshold_scale, query_scale)), [high]]))
    nodes, weights = np.polynomial.legendre.leggauss(16)
    widths = np.diff(ends)[:, None]
    z = (ends[:-1, None] + widths * (nodes + 1) / 2).ravel()
    return z, (widths * weights / 2).ravel() * np.exp(-np.abs(z) / threshold_scale) / (2 * threshold_scale)


def _continuous(m: Floats, scale: float) -> tuple[Floats, Floats]:
    """P(W >= m) and P(W < m), half a unit being half of the cell at m."""
    x = (m - 0.5) / scale
    tail = 0.5 * np.exp(-np.abs(x))
    return np.where(x >= 0, tail, 1 - tail), np.where(x >= 0, 1 - tail, tail)


def tails(m: Floats, scale: float) -> tuple[Floats, Floats]:
    """P(W >= m) and P(W < m) for whole m and discrete noise, to rounding.

    >>> tails(np.array([0.0, 1.0]), 1.0)[0].round(4).tolist()
    [0.7311, 0.2689]
    """
    tail = np.exp(-np.where(m >= 1, m, 1 - m) / scale) / (1 + np.exp(-1 / scale))
    return np.where(m >= 1, tail, 1 - tail), np.where(m >= 1, 1 - tail, tail)
