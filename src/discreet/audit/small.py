"""Small copies of a learner, which the audit looks at, and neighboring tables that suit them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.audit.claims import distance_of
from discreet.audit.nodes import replaced
from discreet.experts import Learner
from discreet.experts.tree import TreeExperts
from discreet.experts.tree_leader import TreeLeader
from discreet.guarantees import GaussianDP

Table = NDArray[np.float64]

#: For learners with trees: a tree for each round, and a threshold that one loss reaches.
_VISIBLE: tuple[tuple[type[Learner], dict[str, Any]], ...] = (
    (TreeExperts, {"rounds": 1, "threshold": 1.0}),
    (TreeLeader, {"rounds": 2}),
)


def small(learner: Any, n_actions: int) -> Any:
    """The same learner for a few actions.

    What a `TreeLeader` promises may hang on how many actions there are: this one has to keep the promise that is made.
    """
    changes: dict[str, Any] = {"n_actions": n_actions, "seed": None, "runs": None}
    if isinstance(learner, TreeLeader) and isinstance(learner.claim, GaussianDP):
        changes |= {"mu": learner.claim.mu}
    return type(learner)(**(learner.get_params() | changes))


def visible(learner: Any) -> Any:
    """The same learner for two actions; where thresholds or many levels would hide what trees reveal, with fewer."""
    few = small(learner, 2)
    return few.set_params(**next((more for kind, more in _VISIBLE if isinstance(few, kind)), {}))


def turned(learner: Learner) -> list[tuple[Table, Table]]:
    """Neighboring tables of two actions: a round turned round at the start. For trees, all losses of a round too."""
    if isinstance(learner, TreeLeader):
        low, high = replaced(2, distance_of(small(learner, 2).claim, 2))
        return [(np.where([[True, False]], low, high), np.where([[True, False]], high, low))]
    pairs = [(np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]))]
    return [*pairs, (np.zeros((1, 2)), np.ones((1, 2)))] if isinstance(learner, TreeExperts) else pairs
