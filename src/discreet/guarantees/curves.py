"""Any trade-off curve as a guarantee: piecewise linear, and on the safe side of what it stands for."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from discreet.guarantees import checks, words
from discreet.guarantees.base import Guarantee
from discreet.guarantees.checks import Floats
from discreet.guarantees.nothing import NoGuarantee
from discreet.guarantees.rounding import UNIT, up
from discreet.guarantees.supporting import hull, lowest, supporting

TOLERANCE = 2.0**-45
"""How far rounding may lift a point above the line through its neighbors, or above 1 - alpha."""


class TradeOff(Guarantee):
    """The curve f through the given points bounds every test of one neighbor against the other.

    The promise *is* the piecewise-linear curve through ``alphas`` and ``betas``, exactly: convex, from
    alpha 0 to alpha 1, never rising, at most 1 - alpha. For any two neighbors, tests in one order are
    bounded by f and in the other by its inverse; which order is which is not promised. So ``delta`` and
    ``epsilon`` take the worse of both orders, and composition, groups and words use ``symmetric()``;
    ``trade_off`` is f as given.

    `about` narrows what it is about, in words: which rounds may be replaced, on what conditions. None: any one round,
    on no condition. What is narrowed is not composed, nor told of groups: there is no guarantee of that.

    Deltas below about 1e-15 cannot be told from 0 by a curve near (0, 1): they come out too large.

    >>> curve = TradeOff((0.0, 0.25, 1.0), (1.0, 0.25, 0.0))
    >>> round(curve.trade_off(0.125), 12), curve.delta(0.0), round(curve.epsilon(0.0), 4)
    (0.625, 0.5, 1.0986)
    >>> TradeOff.from_function(lambda alpha: 1 - alpha).delta(0.0) < 1e-12
    True
    """

    kind = "trade-off"
    alphas: tuple[float, ...]
    betas: tuple[float, ...]
    about: str | None = None

    def __init__(self, alphas: ArrayLike, betas: ArrayLike, about: str | None = None) -> None:
        """Check that the points make a trade-off curve."""
        points = _points(alphas, betas)
        _check_curve(*points)
        vars(self).update(alphas=tuple(points[0].tolist()), betas=tuple(points[1].tolist()))
        if about is not None:  # where it is None it is no field, so that a plain promise looks plain
            vars(self)["about"] = checks.words("about", about)

    def narrowed(self, about: str) -> "TradeOff":
        """Return the same curve as a promise about these rounds and conditions only."""
        return TradeOff(self.alphas, self.betas, about)

    @classmethod
    def from_points(cls, alphas: ArrayLike, betas: ArrayLike, error: float = 4 * UNIT) -> "TradeOff":
        """Return a safe curve from points of a convex one, each coordinate right within 1 +- ``error``.

        Chords between points would overstate privacy. This takes the extended chords of the neighboring
        intervals instead, which a convex curve cannot cross: never above the true curve, and closer to
        it by the square of the distance between points. Points may come in any order and leave the ends out.

        >>> TradeOff.from_points(np.array([0.0, 0.1, 0.2]), np.array([1.0, 0.8, 0.6])).trade_off(0.4) <= 0.4
        True
        """
        error = checks.level("error", error)
        if error >= 1:
            raise ValueError(f"error must be below 1, not {error!r}")
        return cls(*supporting(*_points(alphas, betas), error))

    @classmethod
    def from_function(
        cls, function: Callable[[float], float], points: int = 4000, error: float = 4 * UNIT
    ) -> "TradeOff":
        """Return a safe curve from a convex one, called at ``points`` places, dense near both ends.

        ``error`` is the relative error of its values; the argument is that of ``from_points``.
        """
        wide = np.linspace(-36.0, 36.0, checks.count("points", points))
        alphas = np.append(0.0, 1 / (1 + np.exp(-wide)))
        return cls.from_points(alphas, [function(alpha) for alpha in alphas.tolist()], error)

    def symmetric(self) -> "TradeOff":
        """Return the curve that holds in both orders: the hull below f and its inverse.

        >>> TradeOff((0.0, 0.5, 1.0), (0.5, 0.0, 0.0)).symmetric()
        TradeOff(alphas=(0.0, 0.5, 1.0), betas=(0.5, 0.0, 0.0))
        """
        alphas, betas = np.array(self.alphas), np.array(self.betas)
        return TradeOff(*hull(np.append(alphas, betas), np.append(betas, alphas)), self.about)

    def words(self) -> str:
        """Return the promise in plain words."""
        return words.curve(self.symmetric().trade_off(0.05), self.delta(0.0), self.about)

    def _delta_at(self, epsilon: float) -> float:
        """Return the largest 1 - beta - e^epsilon alpha of all vertices in both orders.

        A linear function is largest at a vertex. Floats select the candidates, fractions decide.
        """
        growth = math.exp(min(epsilon, 700.0)) * (1 - 4 * UNIT) if epsilon else 1.0
        alphas, betas = _both_orders(self)
        values = 1 - betas - growth * alphas
        best = np.flatnonzero(values >= values.max() - 16 * UNIT)
        exact = (1 - Fraction(betas[i]) - Fraction(growth) * Fraction(alphas[i]) for i in best.tolist())
        return max(0.0, up(max(exact)))

    def _epsilon_at(self, delta: float) -> float:
        """Return the largest log((1 - beta - delta) / alpha), moved up until ``delta`` agrees."""
        alphas, betas = _both_orders(self)
        left = 1 - betas - delta
        revealing = left > 0
        if (revealing & (alphas == 0)).any():
            return math.inf
        logs = np.log(left[revealing]) - np.log(alphas[revealing])
        epsilon, step = max(0.0, float(logs.max(initial=0.0))), UNIT
        while self._delta_at(epsilon) > delta:
            epsilon, step = epsilon + step, 2 * step
            if step > 1000:
                return math.inf
        return epsilon

    def _betas(self, alphas: Floats) -> Floats:
        return interpolate(np.array(self.alphas), np.array(self.betas), alphas)

    def _for_group(self, k: int) -> Guarantee:
        if self.about is not None:
            return NoGuarantee(f"a promise about some rounds only ({self.about}) says nothing of {k} rounds at once")
        from discreet.guarantees.products import repeated

        return repeated(self.symmetric(), k)


def interpolate(xs: Floats, ys: Floats, at: Floats) -> Floats:
    """Return the curve through falling points: exact at the points, otherwise rounded down.

    >>> interpolate(np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([0.0, 0.5])).round(9)
    array([1. , 0.5])
    """
    right = np.clip(np.searchsorted(xs, at), 1, len(xs) - 1)
    left = right - 1
    # Both terms are positive: no digits are lost near the end of the curve.
    heights = ys[left] * (xs[right] - at) + ys[right] * (at - xs[left])
    inside = heights / (xs[right] - xs[left]) * (1 - 8 * UNIT)
    ends = np.where(at == xs[left], ys[left], ys[right])
    return np.where((at == xs[left]) | (at == xs[right]), ends, np.maximum(inside, ys[right]))


def _both_orders(curve: TradeOff) -> tuple[Floats, Floats]:
    alphas, betas = np.array(curve.alphas), np.array(curve.betas)
    return np.append(alphas, betas), np.append(betas, alphas)


def inverse(curve: TradeOff) -> tuple[Floats, Floats]:
    """Return the points of the inverse curve, by rising beta."""
    return lowest(np.append(curve.betas, 1.0), np.append(curve.alphas, 0.0))


def _points(alphas: ArrayLike, betas: ArrayLike) -> tuple[Floats, Floats]:
    one, two = checks.probabilities("alphas", alphas), checks.probabilities("betas", betas)
    if one.ndim != 1 or one.shape != two.shape or not one.size:
        shapes = f"{one.shape} and {two.shape}"
        raise ValueError(f"alphas and betas must be two lists of the same length, not of shapes {shapes}")
    return one, two


def _check_curve(alphas: Floats, betas: Floats) -> None:
    if len(alphas) < 2 or alphas[0] != 0 or alphas[-1] != 1 or not (np.diff(alphas) > 0).all():
        raise ValueError(f"alphas must rise strictly from 0 to 1, not run as {alphas!r}")
    if (np.diff(betas) > 0).any():
        raise ValueError("betas must never rise: a test that may raise more false alarms misses no more")
    if (betas > 1 - alphas + TOLERANCE).any():
        raise ValueError("betas must be at most 1 - alpha: guessing without looking does that well")
    width = np.diff(alphas)
    lines = betas[:-2] + (betas[2:] - betas[:-2]) * (width[:-1] / (width[1:] + width[:-1]))
    if (betas[1:-1] > lines + TOLERANCE).any():
        raise ValueError("betas must be convex in alpha: mixing two tests does as well as the line between")
