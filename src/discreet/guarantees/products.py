"""Curves of several releases together, and of one release to a group: always on the safe side."""

import numpy as np

from discreet.guarantees.checks import Floats
from discreet.guarantees.curves import TradeOff, interpolate, inverse
from discreet.guarantees.rounding import UNIT
from discreet.guarantees.supporting import hull

MOST = 2048
"""Curves of more vertices are replaced by safe ones of fewer before they are multiplied."""


def product(one: TradeOff, two: TradeOff) -> TradeOff:
    """Return the curve of two releases, the second of which may depend on the first.

    Each segment of a curve is one outcome, of probability width under one neighbor and height under the
    other. The best test of a pair of outcomes rejects by rising likelihood ratio; its corners are
    partial sums. Composition of the symmetric curves bounds all orders (Dong, Roth & Su, theorem 3.2).

    >>> half = TradeOff((0.0, 0.5, 1.0), (0.5, 0.0, 0.0))      # reveals all with chance 1/2
    >>> round(product(half, half).delta(0.0), 12)
    0.75
    """
    curves = [fewer(curve.symmetric()) for curve in (one, two)]
    widths, heights = (_outer(curves, axis) for axis in ("alphas", "betas"))
    order = np.argsort(-(heights / widths), kind="stable")
    # Both sums add small to large, so their relative error is below one unit per term.
    alphas = np.append(0.0, np.cumsum(widths[order]))
    betas = np.append(np.cumsum(heights[order][::-1])[::-1], 0.0)
    both_true = curves[0].betas[0] == curves[1].betas[0] == 1.0
    return _lowered(alphas, betas, (len(alphas) + 16) * UNIT, starts_at_one=both_true)


def _outer(curves: list[TradeOff], axis: str) -> Floats:
    steps = [np.abs(np.diff(getattr(curve, axis))) for curve in curves]
    product: Floats = np.outer(*steps).ravel()
    return np.maximum(product, 1e-320) if axis == "alphas" else product


def _lowered(alphas: Floats, betas: Floats, error: float, starts_at_one: bool) -> TradeOff:
    """Return the curve through corners that are right within 1 +- error, or a safe one of fewer corners."""
    alphas, betas = np.minimum(alphas, 1.0), np.minimum(betas, 1.0)
    if len(alphas) > MOST:
        chosen = _spread(alphas, betas)
        return TradeOff.from_points(alphas[chosen], betas[chosen], error)
    low_a, low_b = alphas * (1 - error), betas * (1 - error)
    low_b[0] = 1.0 if starts_at_one else low_b[0]
    return TradeOff(*hull(low_a, low_b))


def fewer(curve: TradeOff) -> TradeOff:
    """Return the curve itself, or a safe one of about ``MOST`` vertices."""
    if len(curve.alphas) <= MOST:
        return curve
    alphas, betas = np.array(curve.alphas), np.array(curve.betas)
    chosen = _spread(alphas, betas, MOST // 2)  # the supporting lines double the number of vertices
    return TradeOff.from_points(alphas[chosen], betas[chosen], UNIT)


def _spread(alphas: Floats, betas: Floats, number: int = MOST) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return places spread evenly in log(alpha / beta), which is dense near both ends, and both ends."""
    inside = np.flatnonzero((alphas > 0) & (betas > 0))
    if not len(inside):
        return np.array([0, len(alphas) - 1])
    ratios = np.log(alphas[inside]) - np.log(betas[inside])
    places = np.searchsorted(ratios, np.linspace(max(ratios[0], -40.0), min(ratios[-1], 40.0), number))
    chosen = np.clip(places, 0, len(inside) - 1)
    return np.unique(np.concatenate([[0], inside[chosen], [len(alphas) - 1]]))


def repeated(curve: TradeOff, k: int) -> TradeOff:
    """Return 1 - (1 - f) composed k times (Dong, Roth & Su, theorem 2.14), by repeated squaring."""
    result: TradeOff | None = None
    while True:
        if k % 2:
            result = curve if result is None else _after(result, curve)
        k //= 2
        if not k:
            assert result is not None
            return result
        curve = _after(curve, curve)


def _after(outer: TradeOff, inner: TradeOff) -> TradeOff:
    """Return outer(1 - inner(alpha)).

    Its corners are those of ``inner``, and the places that ``inner`` carries to corners of ``outer``.
    Every alpha and every beta is rounded down.
    """
    outer, inner = fewer(outer), fewer(inner)
    inner_a, inner_b = np.array(inner.alphas), np.array(inner.betas)
    outer_a, outer_b = np.array(outer.alphas), np.array(outer.betas)
    at = interpolate(outer_a, outer_b, _rest_up(inner_b))
    back = interpolate(*inverse(inner), _rest_up(outer_a))
    return TradeOff(*hull(np.append(inner_a, back), np.append(at, outer_b)))


def _rest_up(values: Floats) -> Floats:
    """Return 1 - values, rounded up where that is not exact."""
    rest = 1 - values
    return np.where(1 - rest == values, rest, np.minimum(1.0, np.nextafter(rest, 2.0)))
