"""The learners by name, and the options that choose one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from discreet.experts import Learner


class LearnerName(StrEnum):
    """The private learners that can replay a log, by name."""

    PRIVATE_LEADER = "private-leader"
    PREFIX_SOFTMAX = "prefix-softmax"
    NOISY_LEADER = "noisy-leader"
    SPARSE_VECTOR = "sparse-vector"
    ADAPTIVE_SPARSE_VECTOR = "adaptive-sparse-vector"
    POTENTIAL = "potential"
    TREE_EXPERTS = "tree-experts"
    TREE_LEADER = "tree-leader"
    TREE_LEADER_LEAST_REGRET = "tree-leader-least-regret"


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


#: Those for losses with a nearly perfect action.
REALIZABLE = (
    LearnerName.SPARSE_VECTOR,
    LearnerName.ADAPTIVE_SPARSE_VECTOR,
    LearnerName.POTENTIAL,
    LearnerName.TREE_EXPERTS,
)
#: Learners with Gaussian noise, and which noise.
GAUSSIAN = {LearnerName.TREE_LEADER: "least", LearnerName.TREE_LEADER_LEAST_REGRET: "least-regret"}
#: Those that must know the number of rounds.
WITH_ROUNDS = (*REALIZABLE, *GAUSSIAN)
#: The learners that each option goes with.
_GOES_WITH = {
    "--noise": (LearnerName.NOISY_LEADER,),
    "--calibration": (LearnerName.NOISY_LEADER,),
    "--resample": (LearnerName.NOISY_LEADER,),
    "--uncapped": (LearnerName.PREFIX_SOFTMAX,),
    "--rounds": WITH_ROUNDS,
    "--failure": REALIZABLE,
    "--best-loss": (LearnerName.SPARSE_VECTOR,),
    "--delta": (LearnerName.SPARSE_VECTOR, LearnerName.POTENTIAL),
    "--constants": REALIZABLE[:3],
}


class NoiseName(StrEnum):
    """The noises of the noisy leader."""

    LAPLACE = "laplace"
    EXPONENTIAL = "exponential"
    GUMBEL = "gumbel"


class ConstantsName(StrEnum):
    """Where the constants of a learner for a nearly perfect action come from."""

    TIGHT = "tight"
    PAPER = "paper"


class CalibrationName(StrEnum):
    """How the noise of the noisy leader is scaled."""

    PROVED = "proved"
    PAPER = "paper"


#: The delta at which learners with Gaussian noise prove the epsilon that is asked for.
DELTA = 1e-6

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


BestLossOption = Annotated[
    float | None,
    typer.Option(
        metavar="LOSSES",
        help="For sparse-vector: what the best action may lose in all, as far as is known beforehand; 0 unless given. "
        "Do not read it off the log. Too little is expensive: a best action that loses hundreds more uses up the "
        "draws, and what is left is kept, good or bad. Where it is not known, adaptive-sparse-vector.",
        rich_help_panel=PANEL,
    ),
]
FailureOption = Annotated[
    float | None,
    typer.Option(
        help="For sparse-vector, adaptive-sparse-vector, potential and tree-experts: the chance that their regret is "
        "larger than what is proved; 0.05 unless given. Privacy does not depend on it.",
        rich_help_panel=PANEL,
    ),
]
DeltaOption = Annotated[
    float | None,
    typer.Option(
        help="For sparse-vector and potential: promise (epsilon, delta) instead of epsilon alone. It must be far "
        "below one over the number of people; 0 unless given.",
        rich_help_panel=PANEL,
    ),
]
ConstantsOption = Annotated[
    ConstantsName | None,
    typer.Option(
        help="For sparse-vector, adaptive-sparse-vector and potential: 'paper' is as printed; 'tight', calculated, "
        "unless named.",
        rich_help_panel=PANEL,
    ),
]


def parameters(
    learner: str, noise: NoiseName | None, calibration: CalibrationName | None, resample: bool, uncapped: bool
) -> dict[str, object]:
    """The parameters that were named; one that the learner does not have is a mistake, not a wish to be ignored."""
    values = {"noise": noise and noise.value, "calibration": calibration and calibration.value}
    flags = {"resample": resample or None, "uncapped": uncapped or None}
    found = fitting(learner, {f"--{name}": value for name, value in (values | flags).items()})
    if learner == LearnerName.PREFIX_SOFTMAX:
        return {"capped": not found.pop("uncapped", False)}
    return found


def fitting(learner: str, options: Mapping[str, object]) -> dict[str, object]:
    """The options that were given, as parameters; one sentence where the learner has no such thing."""
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if learner not in _GOES_WITH[option]:
            *others, last = _GOES_WITH[option]
            raise ValueError(f"{option} goes with --learner {', '.join(others)}{' or ' * bool(others)}{last}")
    return {option.removeprefix("--").replace("-", "_"): value for option, value in given.items()}


def of_mu(learner: str, mu: float | None, epsilon: float | None) -> dict[str, object]:
    """The mu that was named, for a learner that has one, where no epsilon was named."""
    if mu is None:
        return {}
    if learner not in GAUSSIAN:
        raise ValueError(f"--mu goes with --learner {' or '.join(GAUSSIAN)}")
    if epsilon is not None:
        raise ValueError("--epsilon and --mu are two ways to say how much may be revealed; choose one")
    return {"mu": mu}


def any_learner(name: str, n_actions: int, epsilon: float, options: dict[str, object], rounds: int) -> Learner:
    """A learner by name; epsilon and the number of rounds are for those that have such a parameter."""
    from discreet import experts
    from discreet.convex.budget import gaussian_budget

    kinds: dict[str, type[Learner]] = {
        AnyLearnerName.PRIVATE_LEADER: experts.PrivateLeader,
        AnyLearnerName.PREFIX_SOFTMAX: experts.PrefixSoftmax,
        AnyLearnerName.NOISY_LEADER: experts.NoisyLeader,
        AnyLearnerName.SPARSE_VECTOR: experts.SparseVectorExperts,
        AnyLearnerName.ADAPTIVE_SPARSE_VECTOR: experts.AdaptiveSparseVectorExperts,
        AnyLearnerName.POTENTIAL: experts.PotentialExperts,
        AnyLearnerName.TREE_EXPERTS: experts.TreeExperts,
        AnyLearnerName.FOLLOW_THE_LEADER: experts.FollowTheLeader,
        AnyLearnerName.HEDGE: experts.Hedge,
        AnyLearnerName.ADA_HEDGE: experts.AdaHedge,
    }
    if name in GAUSSIAN:
        told = {"rounds": rounds, "mu": gaussian_budget(epsilon, DELTA).mu} | options
        leading: Callable[..., Learner] = experts.TreeLeader
        return leading(n_actions, noise=GAUSSIAN[LearnerName(name)], **told)
    known = {"n_actions": n_actions, "epsilon": epsilon, "rounds": rounds}
    wanted = kinds[name]._signature()
    return kinds[name](**{what: value for what, value in known.items() if what in wanted} | options)


def is_private(name: str) -> bool:
    """Whether the learner of that name has an epsilon."""
    return name not in (AnyLearnerName.FOLLOW_THE_LEADER, AnyLearnerName.HEDGE, AnyLearnerName.ADA_HEDGE)
