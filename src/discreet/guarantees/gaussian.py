"""Gaussian differential privacy: as hard as telling two normal variables apart."""

import math
from fractions import Fraction
from functools import cache

import numpy as np

from discreet.guarantees import checks, words
from discreet.guarantees.base import Guarantee
from discreet.guarantees.checks import Floats
from discreet.guarantees.nothing import unless_infinite
from discreet.guarantees.rounding import UNIT, minus_down, raised, up

FAR = 40
"""Beyond 40 standard deviations a normal tail is below the smallest positive float."""


class GaussianDP(Guarantee):
    """Telling neighbors apart is as hard as telling N(0, 1) from N(mu, 1) (Dong, Roth & Su 2022).

    Trade-off curve Phi(Phi^-1(1 - alpha) - mu); delta(e) = Phi(-a) - e^e Phi(-b) with
    a = e/mu - mu/2 and b = e/mu + mu/2. Composition adds the squares of mu and loses nothing.

    `within` narrows whom it is about: neighbors whose losses of the one round differ by at most that, as vectors, in
    Euclidean norm. That what is to be hidden, such as one person, never moves a round further is somebody's claim about
    the data. None: any two.

    >>> promise = GaussianDP(0.25)
    >>> round(promise.epsilon(1e-6), 3), promise.epsilon(0.0)
    (1.061, inf)
    >>> GaussianDP(3.0).compose(GaussianDP(4.0)), promise.for_group(2)
    (GaussianDP(mu=5.0), GaussianDP(mu=0.5))
    """

    kind = "gaussian"
    mu: float
    within: float | None = None

    def __init__(self, mu: float, within: float | None = None) -> None:
        """Check the fields."""
        vars(self)["mu"] = checks.level("mu", mu)
        if within is not None:  # where it is None it is no field, so that a plain promise looks plain
            vars(self)["within"] = checks.distance("within", within)

    def words(self) -> str:
        """Return the promise in plain words."""
        return words.gaussian(self.mu, self.delta(0.0), self.within)

    def _delta_at(self, epsilon: float) -> float:
        return 0.0 if self.mu == 0 or epsilon == math.inf else _delta(self.mu, epsilon)

    def _epsilon_at(self, delta: float) -> float:
        if self.delta(0.0) <= delta:
            return 0.0
        return math.inf if delta == 0 else _least_epsilon(self.mu, delta)

    def _betas(self, alphas: Floats) -> Floats:
        from scipy.special import ndtr, ndtri

        if self.mu == 0:
            return minus_down(1.0, alphas)
        inside = (alphas > 0) & (alphas < 1)
        scores = -ndtri(np.where(inside, alphas, 0.5))
        # The slack covers the rounding of ndtri and of the difference, and moves the curve down.
        slack = 16 * UNIT * (np.abs(scores) + self.mu)
        betas: Floats = ndtr(scores - self.mu - slack) * (1 - 8 * UNIT)
        return np.where(inside, betas, 1.0 - alphas)

    def _for_group(self, k: int) -> Guarantee:
        return gaussian(up(k * Fraction(self.mu)), self.within)


def gaussian(mu: float, within: float | None) -> Guarantee:
    """Return the promise, or none where mu has left the floating-point numbers."""
    return unless_infinite(lambda number: GaussianDP(number, within), mu)


def _delta(mu: float, epsilon: float) -> float:
    """Return delta(epsilon), rounded up, with relative accuracy down to the smallest floats.

    Because phi(a) = e^epsilon phi(b), delta = phi(a) (R(a) - R(b)), where R = (1 - Phi) / phi is the
    Mills ratio. a and a^2 / 2 are taken exactly, so that the factor phi(a) loses nothing.
    """
    a = Fraction(epsilon) / Fraction(mu) - Fraction(mu) / 2
    if a > FAR:
        return math.nextafter(0.0, 1.0)
    if a < -FAR:
        return 1.0
    power = a * a / 2
    whole = float(power)
    density = math.exp(-whole) * (1 - float(power - Fraction(whole))) / math.sqrt(2 * math.pi)
    value = density * _near(mu, epsilon / mu) if mu < 1 else _apart(mu, float(a), density)
    return min(1.0, raised(value, units=64))


def _apart(mu: float, a: float, density: float) -> float:
    """Return phi(a) (R(a) - R(b)) where b = a + mu is well apart from a, mu at least 1."""
    from scipy.special import erfcx, ndtr

    right = math.sqrt(math.pi / 2) * float(erfcx((a + mu) / math.sqrt(2)))
    if a < 0:
        return float(ndtr(-a)) - density * right
    return density * (math.sqrt(math.pi / 2) * float(erfcx(a / math.sqrt(2))) - right)


def _near(mu: float, middle: float) -> float:
    """Return R(middle - mu/2) - R(middle + mu/2) for mu below 1, without taking a difference.

    R(x) is the integral of exp(-x t - t^2/2) over t >= 0, so the difference is the integral of
    exp(-middle t - t^2/2) 2 sinh(mu t / 2): positive, smooth, and cut where it is below 10^-18 of itself.
    """
    nodes, weights = _legendre()
    end = 2 * 45 / (middle + math.sqrt(middle * middle + 2 * 45))
    t = end * nodes
    angle = np.maximum(mu * t / 2, 1e-9)  # sinh(x) / x is 1 there; a tinier x would lose digits
    values = np.exp(-middle * t - t * t / 2) * t * (np.sinh(angle) / angle)
    return mu * end * float(weights @ values)


@cache
def _legendre() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(64)
    return (nodes + 1) / 2, weights / 2


def _least_epsilon(mu: float, delta: float) -> float:
    """Halve the bracket until its ends meet; the upper end always satisfies the delta asked for.

    delta(e) is below the tail beyond a alone, which gives the first upper end.
    """
    from scipy.special import ndtri

    low, high = 0.0, mu * (max(0.0, -float(ndtri(delta)) + mu / 2) * (1 + 1e-9) + 1e-9)
    if high == math.inf:
        return high
    while _delta(mu, high) > delta:
        high *= 2
    while high - low > 2 * UNIT * high + 1e-300:
        middle = low + (high - low) / 2
        low, high = (low, middle) if _delta(mu, middle) <= delta else (middle, high)
    return high
