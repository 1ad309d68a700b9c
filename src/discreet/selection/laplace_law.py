"""The law of report-noisy-max with Laplace noise, by numerical integration.

Equal scores are equally likely to win, which is the same as adding a uniform number from one cell of the grid to
each score. So the law is that of the largest of independent *continuous* numbers y_i, whose distribution function
is that of the discrete noise, joined linearly inside each cell:

    P(j) = integral of f_j(y) · product over i != j of F_i(y) dy.

Where the scale is thousands of cells, the continuous Laplace law stands in for it: its relative error is about
1 / (12 scale^2), scale in cells, 10^-13 at one loss. Below that the cells themselves are integrated.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_FEW_CELLS = 4096.0
_REACH = 745.0  # e^-745 is the smallest positive float


def law(scores: Floats, scale: float) -> Floats:
    """P(j has the largest score plus noise), for scores <= 0 with largest 0, all in units."""
    discrete = scale < _FEW_CELLS
    nodes, weights = _nodes(scores, scale, discrete)
    noise = _discrete if discrete else _continuous
    probabilities = np.zeros(len(scores))
    for part in np.array_split(np.arange(len(nodes)), max(1, len(nodes) * len(scores) // 1_000_000)):
        density, below = noise(nodes[part, None] - scores, scale)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(below)
            others = np.exp(logs.sum(axis=1, keepdims=True) - logs)
        probabilities += weights[part] @ np.where(below > 0, density * others, 0.0)
    return probabilities


def _nodes(scores: Floats, scale: float, discrete: bool) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes on pieces inside which every density is smooth: cells, or kinks no further than scale."""
    low = max(scores.min(), -_REACH * scale) - 40 * scale
    if discrete:
        ends = np.arange(np.floor(low), np.ceil(40 * scale) + 2)
        # Inside a cell the integrand is a polynomial of degree K - 1, nearly a constant where a cell holds little mass.
        n = min((len(scores) + 3) // 2, 8 + int(4 * len(scores) / scale))
        nodes, weights = np.polynomial.legendre.leggauss(n)
    else:
        kinks = scores[scores > low]
        ends = np.unique(np.concatenate([kinks, np.arange(low, 40 * scale, scale), [40 * scale]]))
        nodes, weights = np.polynomial.legendre.leggauss(16)
    widths = np.diff(ends)
    return (ends[:-1, None] + widths[:, None] * (nodes + 1) / 2).ravel(), (widths[:, None] * weights / 2).ravel()


def _continuous(x: Floats, scale: float) -> tuple[Floats, Floats]:
    tail = 0.5 * np.exp(-np.abs(x) / scale)
    return tail / scale, np.where(x < 0, tail, 1.0 - tail)


def _discrete(x: Floats, scale: float) -> tuple[Floats, Floats]:
    """Mass of the cell of x, and the distribution function joined linearly: P(N < n) + (x - n) · P(N = n)."""
    cell = np.floor(x)
    mass = np.tanh(0.5 / scale) * np.exp(-np.abs(cell) / scale)
    upto = np.exp(np.where(cell <= 0, cell - 1, -cell) / scale) / (1.0 + np.exp(-1.0 / scale))
    return mass, np.where(cell <= 0, upto, 1.0 - upto) + (x - cell) * mass
