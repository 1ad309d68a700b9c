"""Regret where one action is perfect: calculated constants against printed ones."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet.experts import AdaptiveSparseVectorExperts, PrivateLeader, SparseVectorExperts
from discreet.losses import UNITS, Units
from tools.table import Table

#: The tight constants' regret is at most this part of the printed ones'.
PART = 0.25
EPSILON, TABLES = 1.0, 3
OTHER = "PrivateLeader"
KINDS = (SparseVectorExperts, AdaptiveSparseVectorExperts)
Generator = np.random.Generator


def measure(quick: bool = False) -> Table:
    """Mean regret of both kinds of constants on each sequence."""
    sizes = [(10, 2000)] if quick else [(10, 10_000), (10, 100_000), (100, 100_000), (1000, 20_000)]
    columns = ["sequence", "actions", "rounds", "learner", "tight", "paper", "ratio", "wanted", "met", "PrivateLeader"]
    table = Table(f"Realizable regret at epsilon {EPSILON:g}", columns)
    for (n_actions, rounds), name in ((size, name) for size in sizes for name in SEQUENCES):
        regrets = _regrets(SEQUENCES[name], n_actions, rounds, runs=4 if quick else 40)
        for kind in KINDS:
            tight, paper = regrets[kind.__name__]
            met = "yes" if tight <= PART * paper else "NO"
            row = [name, n_actions, rounds, kind.__name__, tight, paper, tight / paper, f"<= {PART}", met]
            table.rows.append([*row, regrets["PrivateLeader"][0]])
    table.notes.append(
        f"Means over {TABLES} tables and the runs on each. On theorem 5's instance no test can halt in time: every "
        "learner plays its uniform first action to the end."
    )
    return table


def _regrets(make: Callable[..., Units], n_actions: int, rounds: int, runs: int) -> dict[str, tuple[float, float]]:
    """The regret of each kind of learner with tight and with printed constants."""
    found: dict[str, list[NDArray[np.float64]]] = {name: [] for name in (*(kind.__name__ for kind in KINDS), OTHER)}
    for seed in range(TABLES):
        units = make(rounds, n_actions, np.random.default_rng(seed))
        for kind in KINDS:
            both = (
                kind(n_actions, EPSILON, rounds, constants=name, seed=seed, runs=runs) for name in ("tight", "paper")
            )
            found[kind.__name__].append(np.array([_regret(learner.play_units(units), units) for learner in both]))
        other = _regret(PrivateLeader(n_actions, EPSILON, seed=seed, runs=runs).play_units(units), units)
        found[OTHER].append(np.array([other, other]))
    return {name: tuple(np.mean(of_tables, axis=0).tolist()) for name, of_tables in found.items()}


def _regret(actions: NDArray[np.int64], units: Units) -> float:
    """The mean over runs of the losses suffered, less those of the best action."""
    suffered = np.take_along_axis(units, actions, axis=1).sum(axis=0)
    return float((suffered.mean() - units.sum(axis=0).min()) / UNITS)


def theorem_5(rounds: int, n_actions: int, rng: Generator) -> Units:
    """All but one action lose in the last log(K) / (2 epsilon) rounds."""
    return _late(rounds, n_actions, rng, math.ceil(math.log(n_actions) / (2 * EPSILON)))


def late_loss(rounds: int, n_actions: int, rng: Generator) -> Units:
    """All but one action lose from halfway on."""
    return _late(rounds, n_actions, rng, rounds // 2)


def _late(rounds: int, n_actions: int, rng: Generator, last: int) -> Units:
    units = np.zeros((rounds, n_actions), dtype=np.int64)
    units[rounds - last :] = UNITS
    units[:, rng.integers(n_actions)] = 0
    return units


def one_by_one(rounds: int, n_actions: int, rng: Generator) -> Units:
    """Actions turn bad one after the other, in random order, but for the last."""
    units = np.zeros((rounds, n_actions), dtype=np.int64)
    for place, action in enumerate(rng.permutation(n_actions)[:-1], start=1):
        units[place * rounds // n_actions :, action] = UNITS
    return units


def half_by_half(rounds: int, n_actions: int, rng: Generator) -> Units:
    """Half of the actions that are still good turn bad at a time."""
    units, order, left = np.zeros((rounds, n_actions), dtype=np.int64), rng.permutation(n_actions), n_actions
    phases = math.ceil(math.log2(n_actions))
    for phase in range(1, phases + 1):
        left = (left + 1) // 2
        units[phase * rounds // (phases + 1) :, order[left:]] = UNITS
    return units


def one_zero(rounds: int, n_actions: int, rng: Generator) -> Units:
    """Random losses, but for one action that has none."""
    units = rng.integers(0, UNITS + 1, (rounds, n_actions))
    units[:, rng.integers(n_actions)] = 0
    return units


SEQUENCES: dict[str, Callable[[int, int, Generator], Units]] = {
    "late, theorem 5": theorem_5,
    "late, from halfway on": late_loss,
    "one by one": one_by_one,
    "half by half": half_by_half,
    "random, one zero": one_zero,
}
