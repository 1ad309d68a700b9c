"""The learners by name, and the options that choose one."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from discreet.experts import Learner
    from discreet.experts.blocks import BlockLearner


class LearnerName(StrEnum):
    """The private learners that can replay a log, by name."""

    PRIVATE_LEADER = "private-leader"
    PREFIX_SOFTMAX = "prefix-softmax"
    NOISY_LEADER = "noisy-leader"


class AnyLearnerName(StrEnum):
    """All learners by name, those that are not private too."""

    PRIVATE_LEADER = "private-leader"
    PREFIX_SOFTMAX = "prefix-softmax"
    NOISY_LEADER = "noisy-leader"
    SPARSE_VECTOR = "sparse-vector"
    ADAPTIVE_SPARSE_VECTOR = "adaptive-sparse-vector"
    POTENTIAL = "potential"
    TREE_EXPERTS = "tree-experts"
    TREE_LEADER = "tree-leader"
    TREE_LEADER_LEAST_REGRET = "tree-leader-least-regret"
    FOLLOW_THE_LEADER = "follow-the-leader"
    HEDGE = "hedge"
    ADA_HEDGE = "ada-hedge"


class NoiseName(StrEnum):
    """The noises of the noisy leader."""

    LAPLACE = "laplace"
    EXPONENTIAL = "exponential"
    GUMBEL = "gumbel"


class CalibrationName(StrEnum):
    """How the noise of the noisy leader is scaled."""

    PROVED = "proved"
    PAPER = "paper"


#: The delta at which learners with Gaussian noise prove the epsilon that is asked for.
DELTA = 1e-6
#: Learners with Gaussian noise, and which noise.
GAUSSIAN = {AnyLearnerName.TREE_LEADER: "least", AnyLearnerName.TREE_LEADER_LEAST_REGRET: "least-regret"}

PANEL = "Learner"

NoiseOption = Annotated[
    NoiseName | None,
    typer.Option(help="For noisy-leader: its noise, laplace unless named.", rich_help_panel=PANEL),
]
ResampleOption = Annotated[
    bool,
    typer.Option("--resample", help="For noisy-leader: replace each loss by 0 or 1 at random.", rich_help_panel=PANEL),
]
CalibrationOption = Annotated[
    CalibrationName | None,
    typer.Option(
        help="For noisy-leader: 'paper' is the printed noise, which for exponential noise reveals 2 epsilon; "
        "'proved' unless named.",
        rich_help_panel=PANEL,
    ),
]
MuOption = Annotated[
    float | None,
    typer.Option(
        help="For tree-leader and tree-leader-least-regret, instead of --epsilon: what they may reveal as the mu of "
        "Gaussian privacy, inf for no limit. With --epsilon it is the largest mu that proves it at delta 10^-6.",
        rich_help_panel=PANEL,
    ),
]
UncappedOption = Annotated[
    bool,
    typer.Option("--uncapped", help="For prefix-softmax: use all of an epsilon above 1/4.", rich_help_panel=PANEL),
]


def parameters(
    learner: str, noise: NoiseName | None, calibration: CalibrationName | None, resample: bool, uncapped: bool
) -> dict[str, object]:
    """The parameters that were named; one that the learner does not have is a mistake, not a wish to be ignored."""
    named = {"--noise": noise, "--calibration": calibration, "--resample": resample or None}
    given = [name for name, value in named.items() if value is not None]
    if given and learner != LearnerName.NOISY_LEADER:
        raise ValueError(f"{given[0]} goes with --learner noisy-leader")
    if uncapped and learner != LearnerName.PREFIX_SOFTMAX:
        raise ValueError("--uncapped goes with --learner prefix-softmax")
    if learner == LearnerName.PREFIX_SOFTMAX:
        return {"capped": not uncapped}
    values = {"noise": noise and noise.value, "calibration": calibration and calibration.value, "resample": resample}
    return {name: value for name, value in values.items() if value}


def of_mu(learner: str, mu: float | None, epsilon: float | None) -> dict[str, object]:
    """The mu that was named, for a learner that has one, where no epsilon was named."""
    if mu is None:
        return {}
    if learner not in GAUSSIAN:
        raise ValueError(f"--mu goes with --learner {' or '.join(GAUSSIAN)}")
    if epsilon is not None:
        raise ValueError("--epsilon and --mu are two ways to say how much may be revealed; choose one")
    return {"mu": mu}


def private_learner(name: str, n_actions: int, epsilon: float, options: dict[str, object]) -> BlockLearner:
    """A private learner by name."""
    from discreet import experts

    kinds: dict[str, type[BlockLearner]] = {
        LearnerName.PRIVATE_LEADER: experts.PrivateLeader,
        LearnerName.PREFIX_SOFTMAX: experts.PrefixSoftmax,
        LearnerName.NOISY_LEADER: experts.NoisyLeader,
    }
    return kinds[name](**{"n_actions": n_actions, "epsilon": epsilon} | options)


def any_learner(name: str, n_actions: int, epsilon: float, options: dict[str, object], rounds: int) -> Learner:
    """A learner by name, for so many rounds where it must know; one that is not private has no epsilon."""
    from discreet import experts
    from discreet.convex.budget import gaussian_budget

    kinds: dict[str, Callable[[int], Learner]] = {
        AnyLearnerName.FOLLOW_THE_LEADER: experts.FollowTheLeader,
        AnyLearnerName.HEDGE: experts.Hedge,
        AnyLearnerName.ADA_HEDGE: experts.AdaHedge,
    }
    watching: dict[str, Callable[..., Learner]] = {
        AnyLearnerName.SPARSE_VECTOR: experts.SparseVectorExperts,
        AnyLearnerName.ADAPTIVE_SPARSE_VECTOR: experts.AdaptiveSparseVectorExperts,
        AnyLearnerName.POTENTIAL: experts.PotentialExperts,
        AnyLearnerName.TREE_EXPERTS: experts.TreeExperts,
    }
    leading: Callable[..., Learner] = experts.TreeLeader
    if name in GAUSSIAN:
        told = options or {"mu": gaussian_budget(epsilon, DELTA).mu}
        return leading(n_actions, rounds, noise=GAUSSIAN[AnyLearnerName(name)], **told)
    if name in watching:
        return watching[name](n_actions, epsilon, rounds, **options)
    return kinds[name](n_actions) if name in kinds else private_learner(name, n_actions, epsilon, options)


def is_private(name: str) -> bool:
    """Whether the learner of that name has an epsilon."""
    return name not in (AnyLearnerName.FOLLOW_THE_LEADER, AnyLearnerName.HEDGE, AnyLearnerName.ADA_HEDGE)
