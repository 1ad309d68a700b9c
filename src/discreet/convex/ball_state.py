"""The state of `PotentialBall` as plain data, and back, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.convex.affine import Affine, of_state
from discreet.losses import MAX_ROUNDS, UNITS, Units
from discreet.mechanisms.sums import loaded

#: The losses of some rounds: one for all runs, or one for each.
Losses = list[tuple[Affine, ...]]
#: Noisy thresholds lie within this.
_FURTHEST = 2**62


def written(losses: Losses) -> list[Any]:
    """Losses as lists of whole numbers."""
    return [[[loss.slopes.tolist(), loss.offsets.tolist()] for loss in of_runs] for of_runs in losses]


def losses_of(state: Any, rounds: int, running: bool, runs: int, dimension: int) -> Losses:
    """The losses of a state: of all rounds, as long as some run may draw again."""
    if not isinstance(state, list) or len(state) not in ({rounds} if running else {0, rounds}):
        raise ValueError(f"the state's losses are not those of {rounds} rounds")
    for of_runs in state:
        if not isinstance(of_runs, list) or len(of_runs) not in (1, runs):
            raise ValueError(f"the state's losses of a round are one for all runs, or one for each of {runs}")
    return [tuple(of_state(loss, dimension) for loss in of_runs) for of_runs in state]


def arrays_of(state: dict[str, Any], like: dict[str, Units], rounds: int, bits: int, draws: int) -> dict[str, Any]:
    """The arrays of a state, of the shapes of those they replace, with numbers that can be there."""
    found = {name: loaded(name, state[name], array) for name, array in like.items()}
    limits = {"lost": (0, rounds * UNITS), "threshold": (-_FURTHEST, _FURTHEST), "drawn": (0, min(draws, rounds))}
    limits["point"] = (-(1 << bits), 1 << bits)
    for name, (least, most) in limits.items():
        _check_within(name, found[name], least, most, rounds)
    if ((found["point"] ** 2).sum(axis=1) > 1 << 2 * bits).any():
        raise ValueError("the state's point lies outside the ball")
    return found


def _check_within(name: str, array: NDArray[np.int64], least: int, most: int, rounds: int) -> None:
    bad = array[(array < least) | (array > most)]
    if bad.size:
        raise ValueError(f"the state's {name} has {bad[0]}, which cannot be there after {rounds} rounds")


def rounds_of(state: dict[str, Any]) -> int:
    """How many rounds a state has seen."""
    rounds = state["rounds"]
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 0 <= rounds <= MAX_ROUNDS:
        raise ValueError(f"the state's rounds are {rounds!r}; they are a whole number, at least 0")
    return rounds
