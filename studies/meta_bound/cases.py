"""MetaLeader over teams of learners: its regret against the best of them, and theorem 3's bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from discreet.local import MetaLeader
from discreet.local.decorrelation import decorrelated
from studies.batches.cases import Mean
from studies.batches.streams import fair_coins, reversal
from studies.meta_bound.learners import team
from studies.reports import reports

Floats = NDArray[np.float64]


def hard_gap(rounds: int, n_actions: int) -> Floats:
    """One action is better by 5 sqrt(log n / T), which noise of scale 5 hides for about as long as there are rounds."""
    table = np.full((rounds, n_actions), min(1.0, 5 * sqrt(log(n_actions) / rounds)))
    table[:, 0] = 0.0
    return table


def one_bad(rounds: int, n_actions: int) -> Floats:
    """Action 1 always loses all, the others never lose."""
    table = np.zeros((rounds, n_actions))
    table[:, 1] = 1.0
    return table


LOSSES: dict[str, Callable[[int, int], Floats]] = {
    "hard gap": hard_gap,
    "reversal": reversal,
    "fair coins": fair_coins,
    "one bad": one_bad,
}


@dataclass(frozen=True)
class Case:
    """m learners of a kind, with as many actions as learners."""

    kind: str
    losses: str
    m: int
    scale: float
    rounds: int
    runs: int

    def __str__(self) -> str:
        return f"{self.kind}, {self.losses}, m = {self.m}, scale {self.scale:g}, T = {self.rounds:,}"


@dataclass(frozen=True)
class Played:
    """Means over runs: regret against the best learner, theorem 3's bound, L / (scale^2 T), the learners' losses."""

    case: Case
    regret: Mean
    bound: Mean
    eigenvalue: Mean
    lost: Mean

    @property
    def part(self) -> float:
        """Of the bound."""
        return self.regret.value / self.bound.value

    def above(self) -> float:
        """By how many standard errors regret is above the bound."""
        error = sqrt(self.regret.error**2 + self.bound.error**2)
        return (self.regret.value - self.bound.value) / max(error, 1e-9)


def bound(m: int, rounds: int, top: float) -> float:
    """Theorem 3, for the largest eigenvalue of Sigma* after all rounds."""
    return (max(sqrt(2), sqrt(top / rounds)) + sqrt(2)) * sqrt(2 * rounds * log(m))


def play(case: Case, seed: int = 71) -> Played:
    """Many runs on the same losses, each with reports of its own."""
    table = LOSSES[case.losses](case.rounds, case.m)
    meta = MetaLeader(case.m, case.scale, team(case.kind, case.m), seed=seed, runs=case.runs)
    lost, theirs = np.zeros(case.runs), np.zeros((case.runs, case.m))
    agreements = np.zeros((case.runs, case.m, case.m), dtype=np.int64)
    for losses, rows in zip(table, reports(table, case.scale, case.runs, seed + 1), strict=True):
        suggested = meta.suggestions()
        lost += losses[meta.act()]
        theirs += losses[suggested]
        agreements += suggested[:, :, None] == suggested[:, None, :]
        meta.update(rows)
    tops = np.array([np.linalg.eigvalsh(decorrelated(counts, case.scale))[-1] for counts in agreements])
    bounds = np.array([bound(case.m, case.rounds, top) for top in tops.tolist()])
    best, shares = theirs.min(axis=1), tops / (case.scale**2 * case.rounds)
    return Played(case, *(Mean.of(row) for row in (lost - best, bounds, shares, best)))
