"""The learners with their variants, each by one name: what `discreet compare` sets side by side."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from discreet.cli.learners import GAUSSIAN, AnyLearnerName, LearnerName, NoiseName, any_learner, is_private
from discreet.cli.report_learners import ReportLearnerName, from_reports

if TYPE_CHECKING:
    from discreet.experts import Learner


def _noisy() -> dict[str, tuple[str, dict[str, object]]]:
    found: dict[str, tuple[str, dict[str, object]]] = {}
    noises = [*((noise.value, "proved") for noise in NoiseName), (NoiseName.EXPONENTIAL.value, "paper")]
    for (noise, calibration), resample in product(noises, (False, True)):
        name = f"noisy-leader-{noise}" + "-paper" * (calibration == "paper") + "-resampled" * resample
        options = {"noise": noise, "calibration": calibration, "resample": resample}
        found[name] = (LearnerName.NOISY_LEADER.value, options)
    return found


#: The learner and its parameters for each name.
VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    "private-leader": (LearnerName.PRIVATE_LEADER.value, {}),
    "prefix-softmax": (LearnerName.PREFIX_SOFTMAX.value, {}),
    "prefix-softmax-uncapped": (LearnerName.PREFIX_SOFTMAX.value, {"capped": False}),
    **_noisy(),
    **{
        name.value + "-paper" * (constants == "paper"): (name.value, {"constants": constants})
        for name in (AnyLearnerName.SPARSE_VECTOR, AnyLearnerName.ADAPTIVE_SPARSE_VECTOR, AnyLearnerName.POTENTIAL)
        for constants in ("tight", "paper")
    },
    **{name.value: (name.value, {}) for name in (AnyLearnerName.TREE_EXPERTS, *GAUSSIAN)},
    **{name.value: (name.value, {}) for name in AnyLearnerName if not is_private(name)},
}

USUAL = (
    "private-leader",
    "prefix-softmax",
    "prefix-softmax-uncapped",
    *(f"noisy-leader-{noise.value}" for noise in NoiseName),
)


def chosen(text: str | None) -> list[str]:
    """The names that were asked for, with commas between them; the usual ones for None."""
    if text is None:
        return list(USUAL)
    names = [name.strip() for name in text.split(",")]
    for place, name in enumerate(names):
        if name in list(ReportLearnerName):
            raise ValueError(f"--learners has {name!r}: {from_reports(name)}")
        if name not in VARIANTS:
            raise ValueError(f"--learners has {name!r}; the names are {', '.join(VARIANTS)}")
        if name in names[:place]:
            raise ValueError(f"--learners names {name} twice")
    return names


def variants(names: list[str], n_actions: int, epsilon: float, rounds: int) -> list[Learner]:
    """The learners of those names at one epsilon, for so many rounds; two that are the same rule there stand once."""
    from discreet.experts import PrefixSoftmax

    made: list[Learner] = []
    for name in names:
        learner = any_learner(VARIANTS[name][0], n_actions, epsilon, VARIANTS[name][1], rounds)
        if isinstance(learner, PrefixSoftmax) and learner.epsilon <= 1 / 4:
            learner = PrefixSoftmax(n_actions, epsilon)  # the cap changes nothing here
        if learner not in made:
            made.append(learner)
    return made
