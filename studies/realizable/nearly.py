"""Actions that are nearly perfect: the best one has a loss L* of its own."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from discreet.environments import Bernoulli, Environment, Spans, halving
from discreet.experts import (
    AdaptiveSparseVectorExperts,
    Learner,
    SparseVectorExperts,
)
from studies.realizable.cases import ANY, OTHERS, mean_regret

TOLD, UNTOLD = "SparseVectorExperts, told L*", "SparseVectorExperts, told 0"
ADAPTIVE = "AdaptiveSparseVectorExperts"
#: K, rounds, the L*, runs, runs of block learners, runs of `TreeLeader`.
Sizes = tuple[int, int, tuple[int, ...], int, int, int]
WORLDS = ("halving, the best pays first", "random, the best at L*/T")


@dataclass(frozen=True)
class Near:
    """Mean regret (and standard error) of each learner at one L* in one world."""

    world: str
    best_loss: int
    rounds: int
    regrets: dict[str, tuple[float, float]]


def learners(k: int, rounds: int, best_loss: int) -> dict[str, Learner]:
    """At epsilon 1."""
    return {
        TOLD: SparseVectorExperts(k, 1.0, rounds, best_loss=best_loss),
        UNTOLD: SparseVectorExperts(k, 1.0, rounds),
        ADAPTIVE: AdaptiveSparseVectorExperts(k, 1.0, rounds),
        **{name: make(k, 1.0, rounds) for name, make in (OTHERS | ANY).items()},
    }


def worlds(k: int, rounds: int, best_loss: int) -> dict[str, Environment]:
    """The best action loses in the first L* rounds, all others turn bad by halves; or losses are random."""
    turning = halving(k, rounds)
    assert isinstance(turning, Spans)
    first, last = turning.first.copy(), turning.last.copy()
    first[0], last[0] = 0, best_loss
    random = Bernoulli(np.append(best_loss / rounds, np.full(k - 1, 0.5)))
    return dict(zip(WORLDS, (Spans(first, last, shuffled=False), random), strict=True))


def near(sizes: Sizes, jobs: int) -> list[Near]:
    """All learners at all L*."""
    k, rounds, best_losses, runs, cheap_runs, tree_runs = sizes
    often = dict.fromkeys(OTHERS, cheap_runs) | dict.fromkeys(ANY, tree_runs)
    return [
        Near(
            name,
            best,
            rounds,
            {
                which: mean_regret(learner, world, rounds, often.get(which, runs), jobs, seed=500 + place)
                for which, learner in learners(k, rounds, best).items()
            },
        )
        for place, best in enumerate(best_losses)
        for name, world in worlds(k, rounds, best).items()
    ]


def general(k: int, rounds: int, epsilon: float = 1.0) -> float:
    """Table 1's order for losses of any kind, sqrt(T log K) + T^(1/3) log K / epsilon, with all constants 1."""
    return sqrt(rounds * log(k)) + float(rounds ** (1 / 3)) * log(k) / epsilon
