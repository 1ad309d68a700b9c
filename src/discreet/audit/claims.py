"""A claim as the lines it promises: for every event, P(event) <= factor · Q(event) + delta."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

import numpy as np

from discreet.audit.samples import Floats
from discreet.guarantees import ApproxDP, GaussianDP, Guarantee, NoGuarantee, PureDP, TradeOff
from discreet.guarantees.rounding import root_up

#: How many lines stand for a curve. Each is implied by the claim; between two of them little is lost.
LINES = 64
#: No number of runs can tell a factor beyond e^100 from infinity.
HIGHEST = 100.0


@dataclass(frozen=True)
class Lines:
    """Factors e^epsilon, rounded up, and a delta each; both hold for P and Q in both orders."""

    factors: Floats
    deltas: Floats


def as_guarantee(claim: Guarantee | float) -> Guarantee:
    """The claim itself, or that of pure privacy at this epsilon.

    >>> as_guarantee(1)
    PureDP(epsilon=1.0)
    """
    if isinstance(claim, NoGuarantee):
        raise ValueError("the claim promises nothing, so that nothing can contradict it")
    if isinstance(claim, Guarantee):
        return claim
    if isinstance(claim, bool) or not isinstance(claim, Real):
        raise ValueError(f"the claim is {claim!r}; it must be a guarantee, or a number for epsilon")
    return PureDP(float(claim))


def overstates(claim: Guarantee, revealed: GaussianDP) -> bool:
    """Whether the claim promises more than is true where this is what is revealed, and all of it."""
    if isinstance(claim, NoGuarantee):
        return False
    if isinstance(claim, GaussianDP):
        return claim.mu < revealed.mu
    deltas = [0.0, *np.geomspace(1e-12, 0.9, 60).tolist(), vars(claim).get("delta", 0.5)]
    return any(claim.epsilon(delta) < revealed.epsilon(delta) for delta in deltas)


def distance_of(claim: Guarantee, n_actions: int) -> float:
    """How far the losses of a round move in what the claim is about: as far as they can, but where it says less."""
    within = claim.within if isinstance(claim, GaussianDP) else None
    return root_up(Fraction(n_actions)) if within is None else within


def whole_claim(claim: Guarantee) -> Guarantee:
    """The claim, if it is about all rounds: one about some only is for `audit.test`, on tables that differ there."""
    if isinstance(claim, TradeOff) and claim.about is not None:
        raise ValueError(
            f"the claim is about some rounds only ({claim.about}); audit.test takes tables that differ there"
        )
    return claim


def lines(claim: Guarantee) -> Lines:
    """The supporting lines of a claim: the one of (epsilon, delta) privacy, or many along a curve.

    A trade-off curve is convex, so its promise is that of all its supporting lines together, and each of them is one
    (epsilon, delta(epsilon)) claim. Deltas are rounded up: a line promises a little less than the curve, never more.

    >>> lines(ApproxDP(0.0, 0.25))
    Lines(factors=array([1.]), deltas=array([0.25]))
    """
    if isinstance(claim, PureDP | ApproxDP):
        epsilons, deltas = [float(claim.epsilon)], [float(vars(claim).get("delta", 0.0))]
    else:
        epsilons = np.linspace(0.0, _steepest(claim), LINES).tolist()
        deltas = [claim.delta(epsilon) for epsilon in epsilons]
    if min(epsilons) > HIGHEST:
        raise ValueError(f"the claim is an epsilon of {min(epsilons):g}, which no number of runs can contradict")
    return Lines(np.array([_factor(epsilon) for epsilon in epsilons]), np.array(deltas))


def _steepest(claim: Guarantee) -> float:
    """An epsilon at which hardly any delta is left."""
    proved = (claim.epsilon(delta) for delta in (1e-6, 1e-4, 1e-2, 0.1, 0.5, 0.9))
    return min(HIGHEST, next((epsilon for epsilon in proved if math.isfinite(epsilon)), HIGHEST))


def _factor(epsilon: float) -> float:
    return 1.0 if epsilon == 0 else math.exp(epsilon) * (1 + 2.0**-50)
