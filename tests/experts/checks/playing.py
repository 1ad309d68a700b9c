"""What the checks of learners play with: losses, the loop of `act` and `update`, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.experts import Learner

Make = Callable[..., Learner]
K = 3


def losses(rounds: int, seed: int = 0, runs: int | None = None, n_actions: int = K) -> NDArray[np.float64]:
    """Random losses that no binary fraction holds."""
    shape = (rounds, n_actions) if runs is None else (rounds, runs, n_actions)
    return np.random.default_rng(seed).random(shape)


def loop(learner: Learner, table: NDArray[np.float64]) -> NDArray[np.int64]:
    """The actions of `act` and `update`, round by round."""
    actions = []
    for row in table:
        actions.append(learner.act())
        learner.update(row)
    return np.array(actions)


def refuses(use: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """The one sentence of the `ValueError` that `use` raises."""
    with pytest.raises(ValueError, match=r".") as caught:
        use(*arguments, **named)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence
    return sentence
