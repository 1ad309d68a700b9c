"""Regret of the recommended learner against the learners of the papers, at the same true epsilon.

24 cases: epsilon 0.1, 0.5, 1, 4 times six instances of i.i.d. Bernoulli losses over 2^22 rounds. With losses of 0 and
1, Bernoulli resampling changes nothing, so the resampled variants are not listed again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.environments import Bernoulli
from discreet.experts import Learner, NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.simulate import regret
from tools.table import Table

ROUNDS = 2**22
EPSILONS = (0.1, 0.5, 1.0, 4.0)
#: In no case more than this times the best learner of the papers; geometric mean at most this.
WORST, MEAN = 1.05, 0.92
Means = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean over runs and its standard error."""

    mean: float
    error: float


def instances() -> dict[str, Means]:
    """Mean losses by name."""
    return {
        "K=2, gap 0.5": np.array([0.25, 0.75]),
        "K=2, gap 0.1": np.array([0.45, 0.55]),
        "K=100, gap 0.5": np.array([0.25] + [0.75] * 99),
        "K=100, gap 0.1": np.array([0.45] + [0.55] * 99),
        "K=100, near": np.array([0.0, 0.05, 0.05] + [1.0] * 97),
        "K=100, spread": np.linspace(0.3, 0.9, 100),
    }


def papers(n_actions: int, epsilon: float) -> dict[str, Learner]:
    """The learners of the papers that keep epsilon."""
    return {
        "exponential": NoisyLeader(n_actions, epsilon, noise="exponential"),
        "gumbel": NoisyLeader(n_actions, epsilon, noise="gumbel"),
        "laplace": NoisyLeader(n_actions, epsilon, noise="laplace"),
        "prefix": PrefixSoftmax(n_actions, epsilon),
        "prefix, uncapped": PrefixSoftmax(n_actions, epsilon, capped=False),
    }


def measure(quick: bool = False) -> Table:
    """All cases, and the geometric mean of the ratios to the best learner of the papers in each."""
    runs, rounds = (200, 2**12) if quick else (20_000, ROUNDS)
    names = list(papers(2, 1.0))
    columns = [
        "epsilon",
        "instance",
        "PrivateLeader",
        *names,
        "ratio to best",
        "+-",
        "at most",
        "met",
        "leader, not private",
    ]
    table = Table(f"Regret over {rounds:,} rounds, mean of {runs:,} runs", columns)
    floors = {name: leader_regret(means, rounds, runs=runs // 20) for name, means in instances().items()}
    for epsilon in EPSILONS:
        for name, means in instances().items():
            table.rows.append(_case(epsilon, name, means, floors[name], runs, rounds))
    _conclude(table)
    return table


def _case(epsilon: float, name: str, means: Means, floor: Estimate, runs: int, rounds: int) -> list[object]:
    ours = _estimate(PrivateLeader(len(means), epsilon), means, rounds, runs, seed=1)
    others = [_estimate(learner, means, rounds, runs, seed=2) for learner in papers(len(means), epsilon).values()]
    best = min(others, key=lambda estimate: estimate.mean)
    ratio = ours.mean / best.mean
    error = ratio * math.hypot(ours.error / ours.mean, best.error / best.mean)
    met = "yes" if ratio <= WORST + 2 * error else "NO"
    return [epsilon, name, ours.mean, *(o.mean for o in others), ratio, error, WORST, met, floor.mean]


def _conclude(table: Table) -> None:
    ratios = np.array([row[table.columns.index("ratio to best")] for row in table.rows], dtype=np.float64)
    mean = float(np.exp(np.log(ratios).mean()))
    table.notes.append(
        f"Geometric mean of the {len(ratios)} ratios: {mean:.4f}, at most {MEAN}: {'yes' if mean <= MEAN else 'NO'}. "
        f"Largest ratio: {ratios.max():.3f}."
    )
    for epsilon in EPSILONS:
        of = [ratio for row, ratio in zip(table.rows, ratios, strict=True) if row[0] == epsilon]
        table.notes.append(f"Geometric mean at epsilon {epsilon:g}: {float(np.exp(np.log(of).mean())):.3f}.")


def _estimate(learner: Learner, means: Means, rounds: int, runs: int, seed: int) -> Estimate:
    """Pseudo-regret of a learner over i.i.d. Bernoulli losses."""
    last = regret(learner, Bernoulli(means), rounds, runs, seed, horizons=[rounds]).regret[:, -1]
    return Estimate(float(last.mean()), float(last.std(ddof=1) / math.sqrt(runs)))


def leader_regret(means: Means, rounds: int, runs: int) -> Estimate:
    """Pseudo-regret of follow-the-leader, the floor: decided anew each round, and every 1% of the rounds later on."""
    rng, gaps = np.random.default_rng(3), means - means.min()
    totals, spent, seen = np.zeros((runs, len(means)), dtype=np.int64), np.zeros(runs), 0
    while seen < rounds:
        step = min(max(1, seen // 100), rounds - seen)
        ties = rng.random(totals.shape) * (totals == totals.min(axis=1, keepdims=True))
        spent += step * gaps[ties.argmax(axis=1)]
        totals += rng.binomial(step, means, size=totals.shape)
        seen += step
    return Estimate(float(spent.mean()), float(spent.std(ddof=1) / math.sqrt(runs)))
