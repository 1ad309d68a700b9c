"""The worst gap for each horizon, and gaps that shrink: Wu & Wang's corollaries 5 and 10."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from discreet.environments import Bernoulli, Deterministic, Environment, TwoPoint
from discreet.experts.blocks import BlockLearner
from studies.noisy_variants.learners import Estimate, all_learners, estimates, variants
from studies.noisy_variants.orders import LOWER, quoted
from tools.table import Table


def shrinking_gaps(n_actions: int, gaps: list[float], rounds: int, runs: int, jobs: int) -> Table:
    """Losses that never change, one gap, with resampling: is there no gap in the regret, as corollary 10 has it?"""
    learners = variants(n_actions, 1.0)
    table = Table(f"Losses that never change, one shrinking gap, {n_actions} actions", ["gap", *learners])
    for gap in gaps:
        world = Deterministic([0.5 - gap, *[0.5] * (n_actions - 1)])
        found = [_at(learner, world, rounds, runs, jobs) for learner in learners.values()]
        table.rows.append([gap, *(estimate.mean for estimate in found)])
    table.notes.append(f"Simulated pseudo-regret over {rounds:,} rounds, epsilon = 1, {runs:,} runs.")
    return table


@dataclass(frozen=True)
class Worst:
    """The largest regret over a grid of gaps at one horizon, and the gap where it was found."""

    losses: str
    learner: str
    rounds: int
    regret: Estimate
    gap: float


def worst_gaps(n_actions: int, horizons: list[int], runs: int, jobs: int) -> list[Worst]:
    """For each horizon the hardest gap c · sqrt(log K / T), losses of 0 and 1 and losses within 0.1 of the mean."""
    found = []
    for rounds in horizons:
        gaps = [c * math.sqrt(math.log(n_actions) / rounds) for c in (0.5, 1.0, 2.0, 4.0, 8.0)]
        for losses, make in (("0/1", _zero_one), ("within 0.1 of the mean", _narrow)):
            for name, learner in all_learners(n_actions, 1.0).items():
                tried = [(_at(learner, make(n_actions, gap), rounds, runs, jobs), gap) for gap in gaps if gap <= 0.5]
                regret, gap = max(tried, key=lambda pair: pair[0].mean)
                found.append(Worst(losses, name, rounds, regret, gap))
    return found


def _at(learner: BlockLearner, world: Environment, rounds: int, runs: int, jobs: int) -> Estimate:
    return estimates(learner, world, [rounds], runs, 71, jobs)[-1]


def _zero_one(n_actions: int, gap: float) -> Environment:
    return Bernoulli([0.5 - gap / 2, *[0.5 + gap / 2] * (n_actions - 1)])


def _narrow(n_actions: int, gap: float) -> Environment:
    means = np.array([0.5 - gap / 2, *[0.5 + gap / 2] * (n_actions - 1)])
    return TwoPoint(means - 0.1, means + 0.1, np.full(n_actions, 0.5))


def worst_table(found: list[Worst], n_actions: int) -> Table:
    """The instance-independent rows of table 1."""
    horizons = sorted({worst.rounds for worst in found})
    columns = ["losses", "learner", "upper bound", *(f"T = {t:.0e}" for t in horizons), "worst gap at the last"]
    table = Table(f"Instance-independent: the worst gap for each T, {n_actions} actions", columns)
    rows: dict[tuple[str, str], list[Worst]] = {}
    for worst in found:
        rows.setdefault((worst.losses, worst.learner), []).append(worst)
    for (losses, name), row in rows.items():
        shares = [worst.regret.mean / math.sqrt(worst.rounds * math.log(n_actions)) for worst in row]
        table.rows.append([losses, name, quoted("independent", name), *shares, row[-1].gap])
    table.notes.append(
        f"Lower bound: {LOWER['independent']}. Under T: the largest regret over a grid of gaps, divided by "
        "sqrt(T log K); epsilon = 1, simulated."
    )
    return table
