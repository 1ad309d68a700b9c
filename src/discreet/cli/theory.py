"""What is proved about the expected regret of a simulated learner, beside what was seen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from discreet.cli.plans import Plan
    from discreet.experts import Learner, TreeLeader
    from discreet.experts.blocks import BlockLearner

#: Terms that an exact expectation adds up, at most: some minutes.
MOST_TERMS = 10**10
_FAR = 250.0  # times 1 / (rate · gap): a wrong choice after so many rounds has a chance below 10^-13 of the sum

ONE_BEST = "at every horizon, for i.i.d. losses with one best action"


@dataclass(frozen=True)
class Bound:
    """A number that expected regret does not pass, and the theorem that says so."""

    value: float
    by: str
    words: str
    upper: bool = True

    def shown(self) -> str:
        """The number, rounded to the safe side: an upper bound up, a lower bound down.

        >>> Bound(1234.01, "", "").shown(), Bound(3.99, "", "", upper=False).shown()
        ('1,235', '3.9')
        """
        tenths = 1 if self.value >= 1000 else 10
        whole = (math.ceil if self.upper else math.floor)(self.value * tenths)
        return f"{whole:,}" if tenths == 1 else f"{whole / 10:,.1f}"


def bound_for(learner: Learner, plan: Plan) -> Bound | None:
    """The smallest upper bound on expected regret that covers this simulation; None where none does.

    The bounds are on pseudo-regret: where losses are drawn, the action that is best in hindsight does better than
    the one with the best mean, so that realized regret may be above them.
    """
    from discreet.bounds import follow_the_leader
    from discreet.experts import FollowTheLeader, TreeLeader
    from discreet.experts.blocks import BlockLearner

    if isinstance(learner, TreeLeader):
        return _of_trees(learner, plan)
    gaps = _gaps(plan)
    if gaps is None:
        return None
    if isinstance(learner, FollowTheLeader) and gaps[1] > 0:
        value = follow_the_leader(learner.n_actions, float(gaps[1]))
        return Bound(value, "bounds.follow_the_leader", ONE_BEST)
    if not isinstance(learner, BlockLearner):
        return None
    return min(_bounds(learner, plan, gaps), key=lambda bound: bound.value, default=None)


def _of_trees(learner: TreeLeader, plan: Plan) -> Bound | None:
    """The bound for any losses, where noise has the law that it is about."""
    from discreet.bounds import agarwal_singh

    if learner.noise != "least-regret" or plan.rounds > learner.get_params()["rounds"]:
        return None
    value = agarwal_singh(learner.n_actions, plan.rounds, learner.deviation, learner.rounding)
    return Bound(value, "bounds.agarwal_singh", "at the last horizon, for any losses fixed in advance")


def _bounds(learner: BlockLearner, plan: Plan, gaps: NDArray[np.float64]) -> Iterator[Bound]:
    """Those that apply."""
    from discreet.bounds import block_leader, cesari_colomboni_theorem_1, wu_wang_theorem_11_explicit
    from discreet.experts import NoisyLeader, PrefixSoftmax
    from discreet.experts.prefix_softmax import CAP

    rate = learner.selection.error_rate
    if isinstance(learner, PrefixSoftmax) and rate <= CAP and gaps[1] > 0:
        value = cesari_colomboni_theorem_1(learner.n_actions, float(gaps[1]), learner.epsilon)
        yield Bound(value, "Cesari & Colomboni, theorem 1", ONE_BEST)
    if not learner.schedule.random_prefix:
        value = block_leader(gaps, learner.schedule.lengths.tolist(), learner.weights, rate, plan.rounds)
        yield Bound(value, "Hoeffding block by block", "at the last horizon, for i.i.d. losses")
    softmax = isinstance(learner, PrefixSoftmax) or (isinstance(learner, NoisyLeader) and learner.noise != "laplace")
    if softmax and not learner.needs_rounds and plan.world.environment.still().fixed:
        value = wu_wang_theorem_11_explicit(learner.n_actions, rate)
        yield Bound(value, "Wu & Wang, theorem 11 with its constant", "at every horizon, for losses that never change")


def lower_bound(n_actions: int, epsilon: float, plan: Plan) -> Bound | None:
    """What no learner with this guarantee can do better than here; None but on the instance of the theorem."""
    if plan.world.hard_gap is None or n_actions < 4:
        return None
    from discreet.bounds import wu_wang_theorem_7_sharp

    value = wu_wang_theorem_7_sharp(n_actions, epsilon, plan.rounds)
    return Bound(
        value, "Wu & Wang, theorem 7 made sharper", "on average over where the best action stands", upper=False
    )


def lower_bound_for(learner: Learner, plan: Plan) -> Bound | None:
    """The lower bound at what the learner truly promises."""
    from discreet.guarantees import PureDP

    claim = learner.claim
    return lower_bound(learner.n_actions, claim.epsilon, plan) if isinstance(claim, PureDP) else None


def _gaps(plan: Plan) -> NDArray[np.float64] | None:
    """How far each mean lies above the best, in order; None where no bound here applies."""
    import numpy as np

    means = plan.world.environment.means
    if means is None or not (plan.kind == "pseudo" or plan.world.environment.still().fixed):
        return None
    return np.sort(means - means.min())


def exactly(learner: Learner, plan: Plan) -> float:
    """The expected regret itself, where it can be summed in time; one sentence where it cannot."""
    from discreet.simulate import exact_regret

    environment = plan.world.environment
    if plan.kind == "realized" and not environment.still().fixed:
        raise ValueError("--exact sums pseudo-regret, and realized regret only where losses never change")
    if _terms(learner, plan) > MOST_TERMS:
        raise ValueError("--exact would have too many terms to add up here; leave it out, or ask for fewer rounds")
    return exact_regret(learner, environment, plan.rounds)


def _terms(learner: Learner, plan: Plan) -> float:
    """About how many terms the sum has where losses never change: one an action for each round or prefix.

    A block learner's sum ends where the chance of a wrong choice is negligible.
    """
    from discreet.experts.blocks import BlockLearner

    if not isinstance(learner, BlockLearner):
        return float(plan.rounds) * learner.n_actions
    gaps = _gaps(plan)
    if not learner.schedule.random_prefix or not plan.world.environment.still().fixed or gaps is None:
        return 0.0
    least = min((gap for gap in gaps.tolist() if gap > 0), default=1.0)
    return min(float(plan.rounds), _FAR / (learner.selection.error_rate * least)) * learner.n_actions
