"""`discreet replay`: a log of losses, replayed."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.outputs import Outputs, check_outputs, replay_and_write
from discreet.cli.session import one_sentence

if TYPE_CHECKING:
    from discreet.experts.blocks import BlockLearner


class LearnerName(StrEnum):
    """The private learners by name."""

    PRIVATE_LEADER = "private-leader"
    PREFIX_SOFTMAX = "prefix-softmax"
    NOISY_LEADER = "noisy-leader"


class NoiseName(StrEnum):
    """The noises of the noisy leader."""

    LAPLACE = "laplace"
    EXPONENTIAL = "exponential"
    GUMBEL = "gumbel"


class CalibrationName(StrEnum):
    """How the noise of the noisy leader is scaled."""

    PROVED = "proved"
    PAPER = "paper"


_LEARNER, _LOG, _OUT = "Learner", "The log", "Results"


def replay(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG",
            help="A table of losses: .parquet, .arrow, .feather, .csv, .csv.gz or .npy; rows are rounds, "
            "columns are actions.",
        ),
    ],
    epsilon: Annotated[
        float,
        typer.Option(
            help="How much the released actions may reveal about any one round: probabilities change by a factor "
            "of at most e^epsilon. 1 is usual, 0.1 is strict.",
            rich_help_panel=_LEARNER,
        ),
    ] = 1.0,
    learner: Annotated[
        LearnerName, typer.Option(help="Which learner makes the choices.", rich_help_panel=_LEARNER)
    ] = LearnerName.PRIVATE_LEADER,
    noise: Annotated[
        NoiseName | None,
        typer.Option(help="For noisy-leader: its noise, laplace unless named.", rich_help_panel=_LEARNER),
    ] = None,
    resample: Annotated[
        bool,
        typer.Option(
            "--resample", help="For noisy-leader: replace each loss by 0 or 1 at random.", rich_help_panel=_LEARNER
        ),
    ] = False,
    calibration: Annotated[
        CalibrationName | None,
        typer.Option(
            help="For noisy-leader: 'paper' is the printed noise, which for exponential noise reveals 2 epsilon; "
            "'proved' unless named.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    uncapped: Annotated[
        bool,
        typer.Option(
            "--uncapped", help="For prefix-softmax: use all of an epsilon above 1/4.", rich_help_panel=_LEARNER
        ),
    ] = False,
    index: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="A column that labels the rounds, such as a date; give it again for another one.",
            rich_help_panel=_LOG,
        ),
    ] = None,
    gains: Annotated[
        bool, typer.Option("--gains", help="The table holds gains: larger is better.", rich_help_panel=_LOG)
    ] = False,
    scale: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="LOW HIGH",
            help="Bounds of the values, where they are not 0 and 1. They must be known in public, not read off "
            "the log.",
            rich_help_panel=_LOG,
        ),
    ] = None,
    clip: Annotated[
        bool,
        typer.Option("--clip", help="Clip values outside the bounds instead of refusing them.", rich_help_panel=_LOG),
    ] = False,
    actions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Make the release: one run on system entropy, one row a round (.csv, .csv.gz or .parquet). "
            "This file alone is private.",
            rich_help_panel=_OUT,
        ),
    ] = None,
    keep_index: Annotated[
        bool,
        typer.Option(
            "--keep-index",
            help="Copy the index columns into the release. The guarantee covers losses only: do this with labels "
            "that are public.",
            rich_help_panel=_OUT,
        ),
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the owner's report, an .html file. Not private.", rich_help_panel=_OUT
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the owner's numbers as JSON. Not private.", rich_help_panel=_OUT)
    ] = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Replace an earlier release. A second draw on the same losses costs their privacy again.",
            rich_help_panel=_OUT,
        ),
    ] = False,
    runs: Annotated[
        int, typer.Option(min=2, help="Seeded runs of each learner, for the owner's view.", rich_help_panel=_OUT)
    ] = 200,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of those runs. The release never has one.", rich_help_panel=_OUT)
    ] = 1,
    compare: Annotated[
        bool, typer.Option("--compare/--no-compare", help="Compare with other learners.", rich_help_panel=_OUT)
    ] = True,
) -> None:
    """Replay a log of losses: which action to play each round, and what that would have cost.

    The printed table, the report and the JSON are the owner's view: they are computed from the raw losses and
    are not private. The file that --actions names is the release: it alone may be shown to others.

    Example: discreet replay losses.parquet --epsilon 1 --actions actions.csv --report report.html
    """
    with one_sentence():
        from discreet.losses import Scale
        from discreet.replay import open_log

        options = _options(learner, noise, calibration, resample, uncapped)
        outputs = Outputs(actions, report, keep_index, force, as_json)
        check_outputs(outputs, log, index or [])
        opened = open_log(log, index=index or [], gains=gains, scale=Scale(*(scale or (0.0, 1.0)), clip=clip))
        made = _learner(learner, opened.n_actions, epsilon, options)
        replay_and_write(opened, made, outputs, runs, seed, compare)


def _options(
    learner: LearnerName, noise: NoiseName | None, calibration: CalibrationName | None, resample: bool, uncapped: bool
) -> dict[str, object]:
    """The parameters that were named; one that the learner does not have is a mistake, not a wish to be ignored."""
    named = {"--noise": noise, "--calibration": calibration, "--resample": resample or None}
    given = [name for name, value in named.items() if value is not None]
    if given and learner is not LearnerName.NOISY_LEADER:
        raise ValueError(f"{given[0]} goes with --learner noisy-leader")
    if uncapped and learner is not LearnerName.PREFIX_SOFTMAX:
        raise ValueError("--uncapped goes with --learner prefix-softmax")
    if learner is LearnerName.PREFIX_SOFTMAX:
        return {"capped": not uncapped}
    values = {"noise": noise and noise.value, "calibration": calibration and calibration.value, "resample": resample}
    return {name: value for name, value in values.items() if value}


def _learner(name: LearnerName, n_actions: int, epsilon: float, options: dict[str, object]) -> BlockLearner:
    from discreet import experts

    kinds: dict[LearnerName, type[BlockLearner]] = {
        LearnerName.PRIVATE_LEADER: experts.PrivateLeader,
        LearnerName.PREFIX_SOFTMAX: experts.PrefixSoftmax,
        LearnerName.NOISY_LEADER: experts.NoisyLeader,
    }
    return kinds[name](**{"n_actions": n_actions, "epsilon": epsilon} | options)
