"""A bet against a claim: a number that is 1 on average or less if the claim is true, and grows if it is not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.audit.samples import Floats

_STEPS = 3


@dataclass(frozen=True)
class Bet:
    """For an event, one run x of the likelier side and one run y of the other, each 1 if it hits the event, pay

        (1 + stake · (x - p)) · (1 - stake · factor · (y - q)),    p = factor · q + delta.

    **Why it is fair.** Let P and Q be the true chances of the event, P <= factor · Q + delta by the claim, and
    t = factor · (Q - q). The runs are independent, and P - p <= t, so the pay is at most
    (1 + stake · t) · (1 - stake · t) = 1 - (stake · t)^2 <= 1 on average. That holds for *any* q and any stake that
    leaves both brackets at 0 or more: 0 <= stake <= min(1/p, 1/(factor · (1 - q))). Only power depends on them.

    **Why it is strong.** With (p, q) the point of the claim's line that is nearest in relative entropy to the true
    chances and the stake of `best`, the pay is the likelihood ratio of the two points: no other bet on the event
    grows faster (Turner, Ly & Grünwald 2024 for two samples).
    """

    factor: float
    delta: float
    q: float
    stake: float

    @property
    def p(self) -> float:
        """The chance on the likelier side that the claim allows at q."""
        return self.factor * self.q + self.delta

    def log_pay(self, runs: int, hits: int, strays: int) -> float:
        """The logarithm of what all pairs of runs pay together: `hits` among the x, `strays` among the y.

        >>> np.exp(Bet(factor=2.0, delta=0.0, q=0.25, stake=0.5).log_pay(1, hits=1, strays=0)).round(4)  # 1.25 · 1.25
        np.float64(1.5625)
        """
        per_hit, per_miss = np.log1p(self.stake * (1 - self.p)), np.log1p(-self.stake * self.p)
        scaled = self.stake * self.factor
        per_stray, per_other = np.log1p(-scaled * (1 - self.q)), np.log1p(scaled * self.q)
        return float(hits * per_hit + (runs - hits) * per_miss + strays * per_stray + (runs - strays) * per_other)


def best(p: float, q: float, factor: float, delta: float, boldness: float) -> Bet:
    """The bet that grows fastest if the chances are p and q, p > factor · q + delta, at a share of its stake.

    However sure it seems, it stays a little below a stake that would risk all.

    >>> bet = best(0.5, 0.125, 2.0, 0.0, boldness=1.0)
    >>> round(bet.q, 4), round(bet.p, 4), round(bet.stake, 4)
    (0.2168, 0.4336, 0.2704)
    """
    near = float(nearest(np.array(p), np.array(q), np.array(factor), np.array(delta)))
    allowed = factor * near + delta
    stake = boldness * (p - allowed) / (allowed * (1 - allowed))
    highest = 0.999 * min(1 / allowed, 1 / (factor * (1 - near)))
    return Bet(factor, delta, near, min(max(stake, 0.0), highest))


def growth(p: Floats, q: Floats, factor: Floats, delta: Floats) -> Floats:
    """How fast the best bet grows if the chances are p and q: nats a pair of runs, 0 where the claim allows them.

    It is the relative entropy of (p, q) to the nearest point that the claim allows. All chances lie inside (0, 1).

    >>> growth(np.array([0.5, 0.5]), np.array([0.125, 0.3]), np.array(2.0), np.array(0.0)).round(4).tolist()
    [0.037, 0.0]
    """
    broken = p > factor * q + delta
    p, q, factor, delta = (each[broken] for each in np.broadcast_arrays(p, q, factor, delta))
    near = nearest(p, q, factor, delta)
    grows = np.zeros(broken.shape)
    grows[broken] = _entropy(p, factor * near + delta) + _entropy(q, near)
    return grows


def nearest(p: Floats, q: Floats, factor: Floats, delta: Floats) -> Floats:
    """The q of the nearest point on the claim's line, nearly; a bet is fair at any q, so no digit of it matters.

    Near a point of the line relative entropy is a sum of two squares over variances, whose minimum is a formula; the
    variances at that minimum give the next formula. Three steps from the middle of the segment that (p, q) cuts off
    leave the growth 0.003% too large in nine of ten cases, 8% at the most extreme chances.
    """
    near = (q + np.maximum((p - delta) / factor, q)) / 2
    for _ in range(_STEPS):
        allowed = factor * near + delta
        precise, rough = factor / (allowed * (1 - allowed)), 1 / (near * (1 - near))
        near = (precise * (p - delta) + rough * q) / (precise * factor + rough)
    return near


def _entropy(p: Floats, other: Floats) -> Floats:
    return p * np.log(p / other) + (1 - p) * np.log((1 - p) / (1 - other))
