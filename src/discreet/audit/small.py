"""Small copies of a learner, which the audit looks at, and neighboring tables that suit them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.experts import Learner
from discreet.experts.tree import TreeExperts

Table = NDArray[np.float64]

#: For learners with trees: a tree for each round, and a threshold that one loss reaches.
_VISIBLE = {"rounds": 1, "threshold": 1.0}


def small(learner: Any, n_actions: int) -> Any:
    """The same learner for a few actions."""
    return type(learner)(**(learner.get_params() | {"n_actions": n_actions, "seed": None, "runs": None}))


def visible(learner: Any) -> Any:
    """The same learner for two actions; where thresholds would hide what trees reveal, with lower ones."""
    few = small(learner, 2)
    return few.set_params(**_VISIBLE) if isinstance(few, TreeExperts) else few


def turned(learner: Learner) -> list[tuple[Table, Table]]:
    """Neighboring tables of two actions: a round turned round at the start. For trees, all losses of a round too."""
    pairs = [(np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]))]
    return [*pairs, (np.zeros((1, 2)), np.ones((1, 2)))] if isinstance(learner, TreeExperts) else pairs
