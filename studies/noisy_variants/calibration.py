"""Exponential noise as printed and as proved: the same mechanism under two names."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from discreet.environments import hard_for_privacy, one_gap
from discreet.experts import NoisyLeader
from discreet.experts.noisy_leader import Calibration
from discreet.losses import UNITS
from discreet.simulate import exact_regret
from tools.table import Table

_ACTIONS, _GAP, _ROUNDS = 64, 0.1, 10**6


def _leader(epsilon: float, calibration: Calibration, seed: int | None = None) -> NoisyLeader:
    return NoisyLeader(_ACTIONS, epsilon, noise="exponential", calibration=calibration, seed=seed)


@dataclass(frozen=True)
class Calibrated:
    """What both calibrations do at one target for the true epsilon."""

    epsilon: float
    same_selection: bool
    same_actions: bool
    claimed: float  # by the guarantee of the printed one, run at this epsilon
    revealed: float  # by the printed one, run at this epsilon: found on neighbors, exactly
    proved: float  # regret of the proved one at this epsilon
    halved: float  # regret of the printed one at half of it
    believed: float  # regret of the printed one at this epsilon, as if its claim were true


def calibrated(epsilon: float) -> Calibrated:
    """Compare them, exactly."""
    proved, halved, printed = _leader(epsilon, "proved"), _leader(epsilon / 2, "paper"), _leader(epsilon, "paper")
    losses = one_gap(_ACTIONS, _GAP).losses(rounds=3000, seed=3)
    one, other = _leader(epsilon, "proved", seed=5).play(losses), _leader(epsilon / 2, "paper", seed=5).play(losses)
    world = hard_for_privacy(_ACTIONS, _GAP)
    regrets = [exact_regret(learner, world, _ROUNDS) for learner in (proved, halved, printed)]
    same = proved.selection == halved.selection
    return Calibrated(epsilon, same, np.array_equal(one, other), printed.claim.epsilon, revealed(printed), *regrets)


def revealed(learner: NoisyLeader) -> float:
    """The privacy loss on two neighbors: one round's replacement takes two actions' totals towards each other."""
    before, after = learner.selection.law(np.array([[0, 4], [1, 3]]) * UNITS)
    return float(max(abs(math.log(a / b)) for a, b in zip(before, after, strict=True)))


def calibration_table(rows: list[Calibrated]) -> Table:
    """Both at equal true privacy, and the printed one at face value."""
    columns = [
        "true epsilon",
        "same selection",
        "same actions, same seed",
        "regret, as proved",
        "regret, as printed at epsilon/2",
        "regret, as printed at epsilon",
        "claimed",
        "guarantee",
        "revealed",
    ]
    table = Table("Exponential noise, both calibrations", columns)
    for row in rows:
        regrets = [row.proved, row.halved, row.believed]
        facts = [row.epsilon, row.same_selection, row.same_actions, *regrets]
        table.rows.append([*facts, row.epsilon, row.claimed, row.revealed])
    table.notes.append(
        f"Exact regret over {_ROUNDS:,} rounds of `hard_for_privacy({_ACTIONS}, {_GAP})`. The last three columns are "
        "of the printed one run at the epsilon of the first: what the paper claims, what its noise guarantees, and the "
        "privacy loss found on two neighboring vectors of totals."
    )
    return table
