"""The whole trade-off curve of a sampler on two neighbors, with a band that holds at all its points at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logit, ndtri

from discreet.audit.cells import learned
from discreet.audit.claims import as_guarantee
from discreet.audit.classifiers import Classifier
from discreet.audit.clopper_pearson import at_least, at_most
from discreet.audit.events import Prefixes, prefixes
from discreet.audit.samples import Counts, Floats, Sampler, check_alike, draw, inside, share, whole
from discreet.guarantees import Guarantee, TradeOff

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: At most so many tests carry the band: each one more makes every one a little less precise.
MOST_TESTS = 32


@dataclass(frozen=True, eq=False)
class TradeOffBand:
    """A band, over false-alarm chances `alphas`, for the trade-off curve of the best tests that the samples showed.

    `upper` bounds the sampler's own trade-off curve from above: tests as good as this exist, so that no true guarantee
    promises more. `lower` bounds the curve of the chosen tests from below: it says how precise `upper` is, and
    promises nothing, because better tests may exist that no sample showed. Both hold everywhere at once, with
    probability `confidence` or more.
    """

    alphas: Floats = field(repr=False)
    lower: Floats = field(repr=False)
    upper: Floats = field(repr=False)
    corners: Floats = field(repr=False)  # of `upper`, false-alarm chances and chances to miss: (2, corners)
    confidence: float
    runs: int

    def trade_off(self, alpha: float) -> float:
        """The upper side of the band at any false-alarm chance."""
        return float(np.interp(alpha, *self.corners))

    @property
    def mu(self) -> float:
        """The least mu that a Gaussian guarantee of this sampler could have."""
        alphas, betas = self.corners[:, 1:-1]
        distances = -ndtri(alphas) - ndtri(betas)
        return max(0.0, float(np.max(distances, initial=0.0)))

    def epsilon(self, delta: float = 0.0) -> float:
        """The least epsilon that a guarantee of this sampler could have, at this delta; true for all deltas at once."""
        delta = share("delta", delta)
        inner = self.corners[:, 1:-1]
        left = 1 - inner[::-1] - delta  # as likely as an event of this size is on the other side, in either order
        telling = left > 0
        ratios = np.log(left[telling]) - np.log(inner[telling])
        return max(0.0, float(np.max(ratios, initial=0.0)))

    def contradicts(self, guarantee: Guarantee | float) -> bool:
        """Whether the guarantee, or pure privacy at this epsilon, promises more than the samples allow anywhere.

        What is promised is convex and `upper` straight between its corners, so the corners decide. Both orders of
        the neighbors are looked at; a curve that differs between them is first made to hold in both.
        """
        claim = guarantee if isinstance(guarantee, Guarantee) else as_guarantee(guarantee)
        curve = claim.symmetric() if isinstance(claim, TradeOff) else claim
        alphas, betas = self.corners
        return bool((curve.trade_off(alphas) > betas).any() or (curve.trade_off(betas) > alphas).any())

    def plot(self, ax: Axes | None = None, guarantee: Guarantee | None = None) -> Axes:
        """Draw the band, with the curve of a guarantee if one is given, on axes given or new. Needs Matplotlib."""
        if ax is None:
            from matplotlib.figure import Figure

            ax = Figure(figsize=(5, 5), layout="constrained").subplots()
        ax.plot([0, 1], [1, 0], linestyle="--", color="gray", label="nothing revealed")
        ax.plot(self.alphas, self.upper, label="a test as good as this exists")
        ax.fill_between(self.alphas, self.lower, self.upper, alpha=0.25, lw=0, label="precision of the tests")
        if guarantee is not None:
            grid = np.linspace(0, 1, 1001)
            ax.plot(grid, guarantee.trade_off(grid), color="black", label="promised")
        ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="chance of a false alarm", ylabel="chance to miss")
        ax.legend()
        return ax

    def __str__(self) -> str:
        """The band in plain words."""
        miss = f"a test with false alarms in 5% of cases misses in at most {100 * self.trade_off(0.05):.3g}%"
        known = f"epsilon at delta 0 is at least {self.epsilon():.4g}, mu at least {self.mu:.4g}"
        return f"with confidence {self.confidence:g}, {miss}; {known} ({self.runs} runs in all)"


def trade_off_band(
    sampler: Sampler,
    losses: object,
    neighbor: object,
    runs: int,
    confidence: float = 0.95,
    *,
    classifier: Classifier | None = None,
) -> TradeOffBand:
    """Find tests that tell two neighbors apart, and bound their errors, all at once.

    A test says "neighbor" when the outcome lies in its event. Its false-alarm chance is that of the event under the
    losses, its chance to miss that of the complement under the neighbor. `runs` counts all that is drawn, half of
    it under either table. The first half of either sample sorts outcomes by estimated likelihood ratio and picks up to
    32 prefixes, spread evenly over the curve, as events; the second half certifies them.

    **Why it holds.** The second half is independent of the events. Two chances of m events are bounded by Clopper and
    Pearson from both sides, each at (1 - confidence) / (4 m): by the union all of them hold. The true trade-off
    curve is convex and lies below every point (alpha, beta) of a test, so below the hull of their upper bounds and of
    (0, 1) and (1, 0): that is `upper`. The hull of the points themselves is the curve of the tests, mixed by chance
    where that helps; each of its points is at least a mixture of lower bounds, so it lies above their hull, `lower`.

    >>> rng = np.random.default_rng(1)
    >>> band = trade_off_band(lambda losses, runs: rng.normal(losses, 1.0, runs), 0.0, 1.0, runs=40_000)
    >>> from discreet.guarantees import GaussianDP
    >>> band.contradicts(GaussianDP(1.0)), band.contradicts(GaussianDP(0.8)), 0.9 < band.mu < 1.0
    (False, True, True)
    """
    each = whole("runs", runs, least=8) // 2
    miss = 1 - inside("confidence", confidence)
    left, right = draw(sampler, losses, each), draw(sampler, neighbor, each)
    check_alike(left, right)
    half = each // 2
    found = prefixes(learned(left[:half], right[:half], classifier), left[:half], right[:half])
    columns = _spread(found, half)
    counts = np.array([found.cells.count(side[half:]) for side in (left, right)])[:, found.order[1]].cumsum(axis=1)
    alarms, misses = counts[0, columns], each - half - counts[1, columns]
    level = miss / (4 * max(1, len(columns)))
    lower = _hull(at_least(alarms, each - half, level), at_least(misses, each - half, level))
    upper = _hull(at_most(alarms, each - half, level), at_most(misses, each - half, level))
    alphas = np.unique(np.concatenate([lower[0], upper[0], np.linspace(0, 1, 201)]))
    return TradeOffBand(
        alphas, np.interp(alphas, *lower), np.interp(alphas, *upper), upper, float(confidence), 2 * each
    )


def _spread(found: Prefixes, half: int) -> Counts:
    """Prefixes of the second direction (likelier under the neighbor first), evenly spread along the curve."""
    columns = np.arange(found.hits.shape[1])
    if len(columns) <= MOST_TESTS:
        return columns
    place = sum(logit((counts[1] + 0.5) / (half + 1)) for counts in (found.hits, found.strays))
    wanted = np.linspace(place[0], place[-1], MOST_TESTS)
    return np.unique(np.minimum(np.searchsorted(place, wanted), len(columns) - 1))


def _hull(alphas: Floats, betas: Floats) -> Floats:
    """The lower convex hull of points and of (0, 1) and (1, 0), from left to right."""
    kept: list[tuple[float, float]] = []
    for point in sorted([(0.0, 1.0), (1.0, 0.0), *zip(alphas.tolist(), betas.tolist(), strict=True)]):
        while len(kept) > 1 and _above(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
        if point == (1.0, 0.0):
            break
    return np.array(kept).T


def _above(first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]) -> bool:
    """Whether the middle point lies on or above the line through the others."""
    rise, run = last[1] - first[1], last[0] - first[0]
    return (middle[1] - first[1]) * run >= rise * (middle[0] - first[0])
