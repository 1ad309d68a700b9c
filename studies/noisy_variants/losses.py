"""The six variants on losses of several kinds, at equal true privacy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.environments import Bernoulli, Correlated, Deterministic, Environment, TwoPoint, hard_for_privacy
from discreet.experts import NoisyLeader
from discreet.simulate import regret
from studies.noisy_variants.learners import NOISES, Estimate, all_learners, estimates
from tools.table import Table


def kinds(n_actions: int) -> dict[str, Environment]:
    """Losses with one best action: of 0 and 1, and others."""

    def alike(first: float, others: float) -> list[float]:
        return [first, *[others] * (n_actions - 1)]

    means = alike(0.45, 0.55)
    opposed = np.where(np.arange(n_actions) == 0, -0.8, 0.8)
    return {
        "0/1, independent": Bernoulli(means),
        "0/1, rising together": Correlated(means, strength=0.8),
        "0/1, best against the rest": Correlated(means, strength=opposed),
        "within 0.05 of the mean": TwoPoint(alike(0.4, 0.5), alike(0.5, 0.6), alike(0.5, 0.5)),
        "0.3 against 0.2 or 0.8": TwoPoint(alike(0.3, 0.2), alike(0.3, 0.8), alike(0.0, 0.2)),
        "never change": Deterministic(means),
        "theorem 7": hard_for_privacy(n_actions, 0.1),
    }


#: Kinds whose losses are 0 or 1.
ZERO_ONE = ("0/1, independent", "0/1, rising together", "0/1, best against the rest")
Cells = dict[tuple[str, float], dict[str, Estimate]]


def measure(n_actions: int, epsilons: list[float], rounds: int, runs: int, jobs: int) -> Cells:
    """Every learner on every kind at every epsilon. Learners with and without resampling get seeds of their own."""
    return {
        (kind, epsilon): {
            name: estimates(learner, world, [rounds], runs, 31 + ("resampled" in name), jobs)[-1]
            for name, learner in all_learners(n_actions, epsilon).items()
        }
        for kind, world in kinds(n_actions).items()
        for epsilon in epsilons
    }


def losses_table(cells: Cells, n_actions: int, rounds: int, runs: int) -> Table:
    """Regret at equal true privacy."""
    names = list(next(iter(cells.values())))
    table = Table(f"Regret at equal true privacy, {n_actions} actions", ["losses", "epsilon", *names])
    for (kind, epsilon), row in cells.items():
        table.rows.append([kind, epsilon, *(str(row[name]) for name in names)])
    table.notes.append(
        f"Pseudo-regret over {rounds:,} rounds; mean of {runs:,} runs ± half of its 95% interval. All gaps are 0.1 but "
        "those of the fifth kind (0.02) and of theorem 7 (0.1 and 1). `PrefixSoftmax` is without its cap."
    )
    return table


@dataclass(frozen=True)
class Change:
    """What resampling did to one noise on one kind of losses."""

    kind: str
    epsilon: float
    noise: str
    ratio: float
    sigmas: float  # the difference in its own standard deviations: above 0 resampling costs


def changes(cells: Cells) -> list[Change]:
    """With against without, for each noise."""
    return [
        Change(kind, epsilon, noise, row[f"{noise}, resampled"].mean / row[noise].mean, _sigmas(row, noise))
        for (kind, epsilon), row in cells.items()
        for noise in NOISES
    ]


def _sigmas(row: dict[str, Estimate], noise: str) -> float:
    with_, without = row[f"{noise}, resampled"], row[noise]
    return 1.96 * (with_.mean - without.mean) / float(np.hypot(with_.half, without.half))


def round_by_round(n_actions: int, rounds: int, runs: int) -> list[float]:
    """Where losses are 0 or 1, resampled loss by loss against not at all, in standard deviations of the difference.

    Totals drawn directly would take for granted that nothing changes: realized regret is simulated round by round, and
    the random numbers of the resampling are drawn.
    """
    found = []
    for kind in ZERO_ONE:
        world = kinds(n_actions)[kind]
        means, variances = [], []
        for resample in (False, True):
            learner = NoisyLeader(n_actions, 1.0, noise="gumbel", resample=resample)
            curve = regret(learner, world, rounds, runs, seed=51 + resample, kind="realized", horizons=[rounds])
            means.append(float(curve.mean[-1]))
            variances.append(float(curve.regret[:, -1].var(ddof=1)) / runs)
        found.append((means[1] - means[0]) / float(np.sqrt(sum(variances))))
    return found
