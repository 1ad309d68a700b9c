"""The learners of the study, all at the same true privacy, and how their regret is estimated."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.environments import Environment
from discreet.experts import NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from discreet.experts.noisy_leader import Noise
from discreet.experts.titles import title
from discreet.simulate import regret

NOISES: tuple[Noise, ...] = ("laplace", "exponential", "gumbel")


def variants(n_actions: int, epsilon: float, resample: tuple[bool, ...] = (False, True)) -> dict[str, BlockLearner]:
    """The noisy leader with each noise, with and without resampling; every one is epsilon-private as proved."""
    made = (NoisyLeader(n_actions, epsilon, noise=noise, resample=b) for b in resample for noise in NOISES)
    return {title(learner).removeprefix("NoisyLeader ").strip("()"): learner for learner in made}


def references(n_actions: int, epsilon: float) -> dict[str, BlockLearner]:
    """The two learners to compare with; without its cap `PrefixSoftmax` spends all of epsilon."""
    return {
        "PrefixSoftmax": PrefixSoftmax(n_actions, epsilon, capped=False),
        "PrivateLeader": PrivateLeader(n_actions, epsilon),
    }


def all_learners(n_actions: int, epsilon: float) -> dict[str, BlockLearner]:
    """The six variants and the two references."""
    return variants(n_actions, epsilon) | references(n_actions, epsilon)


@dataclass(frozen=True)
class Estimate:
    """A mean over runs, with half of its 95% interval."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:.3g} ± {self.half:.1g}"


def estimates(
    learner: BlockLearner, world: Environment, horizons: list[int], runs: int, seed: int, jobs: int
) -> list[Estimate]:
    """Pseudo-regret at some horizons."""
    curve = regret(learner, world, max(horizons), runs, seed, jobs, horizons=horizons)
    halves = curve.mean - curve.interval()[0]
    return [Estimate(*pair) for pair in zip(curve.mean.tolist(), halves.tolist(), strict=True)]
