"""A search for the instance on which a learner loses most, as a multiple of log(K)/gap + log(K)/epsilon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from discreet.simulate import exact_regret, regret
from studies.hardest.instances import Candidate, families

LEARNERS: dict[str, Callable[[int, float], BlockLearner]] = {
    "NoisyLeader (gumbel)": lambda k, epsilon: NoisyLeader(k, epsilon, "gumbel"),
    "NoisyLeader (exponential)": lambda k, epsilon: NoisyLeader(k, epsilon, "exponential"),
    "NoisyLeader (laplace)": lambda k, epsilon: NoisyLeader(k, epsilon, "laplace"),
    "PrefixSoftmax": lambda k, epsilon: PrefixSoftmax(k, epsilon),
    "PrivateLeader": lambda k, epsilon: PrivateLeader(k, epsilon),
}

#: By then the regret has stopped growing for the gaps that are searched.
ROUNDS = 10**7


@dataclass(frozen=True)
class Effort:
    """How long to search: random starts, steps uphill, runs of a trial, of a comparison, and of the last word."""

    random: int
    steps: int
    runs: int
    compared: int
    confirmed: int


@dataclass(frozen=True)
class Task:
    """A learner, and instances that either never change or vary."""

    learner: str
    k: int
    epsilon: float
    still: bool


@dataclass(frozen=True)
class Hardest:
    """The hardest instance found: the ratio seen in the search, and the one confirmed, with a 95% interval."""

    candidate: Candidate
    searched: float
    ratio: float
    low: float
    high: float


def search(task: Task, effort: Effort, seed: int) -> Hardest:
    """Random numbers are common to all trials of a search; the last word has runs of its own.

    The largest of many noisy numbers is too large. So the best few are compared again with fresh draws, and what
    is reported is a third, independent simulation of the one that is left.
    """
    rng = np.random.default_rng([seed, task.k, int(1000 * task.epsilon)])
    if task.still:
        starts = families(task.k, "never change", rng, effort.random)
    else:
        starts = families(task.k, "0 or 1", rng, effort.random)
        starts += families(task.k, "best never changes", rng, 0)
    seen = {candidate: ratio(task, candidate, effort.runs, seed)[0] for candidate in starts}
    for width in np.geomspace(0.7, 0.05, effort.steps):
        best = max(seen, key=lambda candidate: seen[candidate])
        trial = best.moved(float(width), rng)
        seen[trial] = ratio(task, trial, effort.runs, seed)[0]
    few = sorted(seen, key=lambda candidate: -seen[candidate])[: 1 if task.still else 5]
    winner = max(few, key=lambda candidate: ratio(task, candidate, effort.compared, seed + 1)[0])
    return Hardest(winner, seen[winner], *ratio(task, winner, effort.confirmed, seed + 2))


def ratio(task: Task, candidate: Candidate, runs: int, seed: int) -> tuple[float, float, float]:
    """Pseudo-regret over the rate, with a 95% interval; exact where losses never change."""
    learner, environment = LEARNERS[task.learner](task.k, task.epsilon), candidate.environment()
    rate = candidate.rate(task.epsilon)
    if task.still:
        exact = exact_regret(learner, environment, ROUNDS) / rate
        return exact, exact, exact
    curve = regret(learner, environment, ROUNDS, runs=runs, seed=seed, horizons=[ROUNDS], kind="pseudo")
    low, high = curve.interval(0.95)
    return float(curve.mean[-1]) / rate, float(low[-1]) / rate, float(high[-1]) / rate
