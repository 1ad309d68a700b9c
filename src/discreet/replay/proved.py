"""What is proved about the regret of a log like this one: a bound, and in words what it is on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.bounds import agarwal_singh, block_leader, cesari_colomboni_theorem_1
from discreet.bounds.hindsight import hindsight
from discreet.experts import Learner, PrefixSoftmax, TreeLeader
from discreet.experts.blocks import BlockLearner
from discreet.losses import UNITS
from discreet.replay.perfect import REALIZABLE, bound_with_perfect_action
from discreet.replay.sums import Totals


def bound_for(learner: Learner, totals: Totals) -> tuple[float | None, str]:
    """A bound on regret over this log or one like it, and in words what it is on; or None, and why there is none."""
    if isinstance(learner, REALIZABLE):
        return bound_with_perfect_action(learner, totals.before[-1].min() / UNITS, totals.rounds)
    if isinstance(learner, BlockLearner):
        return _over_draws_of_the_log(learner, totals)
    if isinstance(learner, TreeLeader):
        return _of_trees(learner, totals.rounds)
    return None, f"no bound is known here for {type(learner).__name__}"


def _of_trees(learner: TreeLeader, rounds: int) -> tuple[float | None, str]:
    """The bound for losses fixed in advance, as those of a log are; or None, and why there is none."""
    if learner.noise != "least-regret":
        return None, "no bound is proved for the least noise; for noise='least-regret' one is"
    known = learner.get_params()["rounds"]
    if rounds > known:
        return None, f"no bound is proved here: the learner was made for {known:,} rounds, and the log has {rounds:,}"
    bound = agarwal_singh(learner.n_actions, rounds, learner.deviation, learner.rounding)
    words = (
        f"expected regret on this very log, over the learner's draws, by bounds.agarwal_singh{_nothing(bound, rounds)}"
    )
    return bound, words


def _nothing(bound: float, rounds: int) -> str:
    """The sentence for a bound that is none."""
    return f". It is no less than the {rounds:,} rounds, so it says nothing here" * (bound >= rounds)


def _over_draws_of_the_log(learner: BlockLearner, totals: Totals) -> tuple[float | None, str]:
    """A bound on expected regret over as many rounds, each drawn from one law with the log's own mean losses.

    Regret as the replay counts it, against the action that turns out best: what is proved is on pseudo-regret,
    against the action with the best mean, and `hindsight` is added for the difference.
    """
    means = totals.before[-1] / UNITS / totals.rounds
    gaps = np.sort(means - means.min())
    pseudo, source = _pseudo_regret(learner, gaps, totals.rounds)
    if pseudo is None:
        return None, source
    luck = hindsight(gaps, totals.rounds)
    bound = pseudo + luck
    words = (
        f"expected regret over {totals.rounds:,} rounds, if each were drawn independently from one law with this log's "
        f"mean losses; this one log may exceed it. {pseudo:,.1f} of it is for losing more than the action with the "
        f"best mean, by {source}, and {luck:,.1f} for another action being best in hindsight, by luck"
    )
    return bound, words + _nothing(bound, totals.rounds)


def _pseudo_regret(learner: BlockLearner, gaps: NDArray[np.float64], rounds: int) -> tuple[float | None, str]:
    """The bound on pseudo-regret and where it comes from; or None, and why there is none."""
    if isinstance(learner, PrefixSoftmax):
        if not learner.capped or gaps[1] == 0:
            return None, "no bound is proved: theorem 1 needs the cap on the rate and a single best action"
        bound = cesari_colomboni_theorem_1(learner.n_actions, float(gaps[1]), learner.epsilon)
        return bound, "theorem 1 of Cesari & Colomboni"
    lengths = learner.schedule.lengths.tolist()
    bound = block_leader(gaps, lengths, learner.weights, learner.selection.error_rate, rounds)
    return bound, "Hoeffding's inequality block by block"
