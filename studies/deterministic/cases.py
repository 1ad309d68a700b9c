"""The cases of the deterministic setting: which learners, on which instances, with how many actions at most."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from discreet.environments import Deterministic, Environment, hard_for_privacy
from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from discreet.simulate import exact_regret
from studies.deterministic.bound import upper

#: By then the regret has stopped growing.
ROUNDS = 10**12

Maker = Callable[[int, float], BlockLearner]
#: The learners, and the most actions for which each is summed up.
LEARNERS: dict[str, tuple[Maker, int]] = {
    "gumbel": (lambda k, epsilon: NoisyLeader(k, epsilon, "gumbel"), 10**5),
    "exponential": (lambda k, epsilon: NoisyLeader(k, epsilon, "exponential"), 10**5),
    "laplace": (lambda k, epsilon: NoisyLeader(k, epsilon, "laplace"), 10**3),
    "prefix": (lambda k, epsilon: PrefixSoftmax(k, epsilon, capped=False), 10**3),
    "private": (lambda k, epsilon: PrivateLeader(k, epsilon), 10**5),
}
TITLES = {
    "gumbel": "NoisyLeader (gumbel)",
    "exponential": "NoisyLeader (exponential)",
    "laplace": "NoisyLeader (laplace)",
    "prefix": "PrefixSoftmax (no cap)",
    "private": "PrivateLeader",
}
#: A learner by its short name, K and epsilon; and what is found for it.
Case = tuple[str, int, float]
Found = dict[Case, tuple[float, float]]


def regrets(name: str, k: int, epsilon: float, gaps: int) -> tuple[float, float]:
    """Exact regret on theorem 7's instance, and the largest over one octave of gaps of all others."""
    learner = LEARNERS[name][0](k, epsilon)
    worst = max(exact_regret(learner, one_level(k, 2.0**-size), ROUNDS) for size in np.arange(gaps) / gaps + 3)
    return exact_regret(learner, hard_for_privacy(k, 0.5), ROUNDS), worst


def one_level(k: int, gap: float) -> Environment:
    """One action at 0 and all others at a gap, always."""
    means = np.full(k, gap)
    means[0] = 0.0
    return Deterministic(means)


def unit(k: int, epsilon: float) -> float:
    """log(K)/epsilon."""
    return math.log(k) / epsilon


def upper_of(case: Case) -> float:
    """The upper bound of the learner of a case."""
    name, k, epsilon = case
    return upper(LEARNERS[name][0](k, epsilon))
