"""The lower bounds, and what the learners lose on their instances."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log

from discreet.bounds import asi_theorem_5, asi_theorem_5_sharp
from discreet.environments import late_loss
from studies.realizable.cases import ANY, LEARNERS, mean_regret


@dataclass(frozen=True)
class Hard:
    """One instance: how many rounds at the end have losses, the bound, and mean regret with its standard error.

    The sharper bound is for pure privacy, so `TreeLeader` has no place there.
    """

    n_actions: int
    epsilon: float
    bound: str
    last: int
    least: float
    regrets: dict[str, tuple[float, float]]


def hard(asked: tuple[tuple[int, ...], tuple[float, ...], int, int], jobs: int) -> list[Hard]:
    """The instance of theorem 5 where it holds, and that of the sharper bound. Asked: K, epsilon, rounds, runs."""
    sizes, epsilons, rounds, runs = asked
    found = []
    for k in sizes:
        for epsilon in epsilons:
            if epsilon <= 0.1:
                late = floor(log(k) / (2 * epsilon))
                found.append(_at(k, epsilon, "theorem 5", late, asi_theorem_5(k, epsilon), rounds, runs, jobs))
            late = floor(log(k) / epsilon) + 1
            found.append(_at(k, epsilon, "sharper", late, asi_theorem_5_sharp(k, epsilon), rounds, runs, jobs))
    return found


def _at(k: int, epsilon: float, bound: str, last: int, least: float, rounds: int, runs: int, jobs: int) -> Hard:
    world = late_loss(k, epsilon, rounds, last=last).still()
    regrets = {
        name: mean_regret(make(k, epsilon, rounds), world, rounds, runs, jobs, seed=900 + k)
        for name, make in LEARNERS.items()
        if bound == "theorem 5" or name not in ANY
    }
    return Hard(k, epsilon, bound, last, least, regrets)
