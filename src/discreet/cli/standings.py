"""How learners stand beside each other: regret at the last horizon, and as a multiple of the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.cli.plans import Plan
    from discreet.cli.theory import Bound
    from discreet.experts import Learner
    from discreet.simulate import RegretCurve


@dataclass(frozen=True)
class Ratio:
    """Mean regret as a multiple of the best learner's; the true one lies within `error` of it, 19 times in 20."""

    value: float
    error: float


@dataclass(frozen=True)
class Standing:
    """One learner at the last horizon."""

    learner: Learner
    curve: RegretCurve
    ratio: Ratio | None
    bound: Bound | None
    lower: Bound | None

    def facts(self) -> dict[str, Any]:
        """The same as JSON-able data."""
        return {
            "learner": self.curve.title,
            "parameters": self.curve.learner,
            "guarantee": self.learner.claim.describe(),
            "last": {name: column.tolist()[-1] for name, column in self.curve.columns().items()},
            "ratio_to_best": None if self.ratio is None else vars(self.ratio),
            "bound": None if self.bound is None else vars(self.bound),
            "lower_bound": None if self.lower is None else vars(self.lower),
            "curve": {name: column.tolist() for name, column in self.curve.columns().items()},
        }


def standings(learners: Sequence[Learner], curves: Sequence[RegretCurve], plan: Plan) -> list[Standing]:
    """The learners in their order, beside the one with the least mean regret."""
    from discreet.cli.theory import bound_for, lower_bound_for

    best = min(curves, key=lambda curve: float(curve.mean[-1]))
    return [
        Standing(learner, curve, ratio(curve, best), bound_for(learner, plan), lower_bound_for(learner, plan))
        for learner, curve in zip(learners, curves, strict=True)
    ]


def ratio(curve: RegretCurve, best: RegretCurve) -> Ratio | None:
    """One mean over the other, with the error of the quotient; None where the best is not clearly above 0.

    To first order a/b errs by a/b times the mean of (a_i / a - b_i / b) over the runs. Runs of the same number have
    the same seeds, so they are taken in pairs.
    """
    if curve is best:
        return Ratio(1.0, 0.0)
    if curve.runs < 2 or not best.interval()[0][-1] > 0:
        return None
    from scipy.special import stdtrit

    mine, others = curve.regret[:, -1], best.regret[:, -1]
    value = float(mine.mean() / others.mean())
    parts = mine / others.mean() - value * others / others.mean()
    error = stdtrit(len(parts) - 1, 0.975) * parts.std(ddof=1) / math.sqrt(len(parts))
    return Ratio(value, float(error))
