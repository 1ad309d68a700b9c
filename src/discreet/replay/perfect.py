"""What is proved about learners for a nearly perfect action: on this very log, but for bad luck in their draws."""

from __future__ import annotations

from discreet.experts import (
    AdaptiveSparseVectorExperts,
    Learner,
    PotentialExperts,
    SparseVectorExperts,
    TreeExperts,
)
from discreet.experts.alarms import lateness
from discreet.losses import UNITS

#: Those of which a number is proved: phases times what one of them can lose.
Bounded = SparseVectorExperts | PotentialExperts | TreeExperts
REALIZABLE = (SparseVectorExperts, AdaptiveSparseVectorExperts, PotentialExperts, TreeExperts)
#: What rounding noise to the grid may add.
_ROUNDING = 8 / UNITS


def bound_with_perfect_action(learner: Learner, best_loss: float, rounds: int) -> tuple[float | None, str]:
    """The learner's own bound on regret where what it needs is true of the log; or None, and why there is none.

    best_loss: the total loss of the action that is best in the log.
    """
    if not isinstance(learner, Bounded):
        return None, "no bound is proved with a number: only its order of magnitude is, log K · (best loss + log T)"
    missing = _missing(learner, best_loss, rounds)
    if missing:
        return None, f"no bound is proved here: {missing}"
    phases, phase = learner.switches + 1, _most_lost(learner)
    bound = phases * phase
    words = (
        f"regret on this very log with probability {1 - learner.failure:g} over the learner's draws: at most "
        f"{phases} phases, in none of which more than {phase:,.1f} is lost"
    )
    return bound, words + (f". It is no less than the {rounds:,} rounds, so it says nothing here" * (bound >= rounds))


def _most_lost(learner: Bounded) -> float:
    """What no phase loses, but for a quarter of the failure: the threshold, the lateness of a test, and one round."""
    if isinstance(learner, TreeExperts):
        return learner.batch * (learner.threshold + learner.noise + 1)
    test = learner.test
    late = lateness(learner.switches + 1, learner.failure / 4, test.threshold_scale, test.query_scale)
    return learner.threshold + late + 1 + _ROUNDING


def _missing(learner: Bounded, best_loss: float, rounds: int) -> str:
    """Which condition of the bound does not hold; nothing where all do."""
    given, allowed = learner.get_params(), getattr(learner, "best_loss", 0.0)
    if given.get("constants", "tight") != "tight":
        return "with the paper's constants only an order of magnitude is"
    if given["switches"] is not None or given["threshold"] is not None:
        return "switches or threshold were given by hand"
    if rounds > given["rounds"]:
        return f"the learner was made for {given['rounds']:,} rounds, and the log has {rounds:,}"
    if best_loss > allowed:
        return f"the best action loses {best_loss:,.1f} in all, and the learner was made for {allowed:,.1f} at most"
    return ""
