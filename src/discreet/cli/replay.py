"""`discreet replay`: a log of losses, replayed."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.session import one_sentence, progress_bar

if TYPE_CHECKING:
    from discreet.experts.blocks import BlockLearner
    from discreet.replay import Log, Replay


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


@dataclass(frozen=True)
class Outputs:
    """Where results go."""

    actions: Path | None
    report: Path | None
    keep_index: bool
    force: bool
    as_json: bool


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
        NoiseName, typer.Option(help="For noisy-leader: its noise.", rich_help_panel=_LEARNER)
    ] = NoiseName.LAPLACE,
    resample: Annotated[
        bool,
        typer.Option(
            "--resample", help="For noisy-leader: replace each loss by 0 or 1 at random.", rich_help_panel=_LEARNER
        ),
    ] = False,
    calibration: Annotated[
        CalibrationName,
        typer.Option(
            help="For noisy-leader: 'paper' is the printed noise, which for exponential noise reveals 2 epsilon.",
            rich_help_panel=_LEARNER,
        ),
    ] = CalibrationName.PROVED,
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
    options: dict[LearnerName, dict[str, object]] = {
        LearnerName.PRIVATE_LEADER: {},
        LearnerName.PREFIX_SOFTMAX: {"capped": not uncapped},
        LearnerName.NOISY_LEADER: {"noise": noise.value, "resample": resample, "calibration": calibration.value},
    }
    with one_sentence():
        from discreet.losses import Scale
        from discreet.replay import open_log

        outputs = Outputs(actions, report, keep_index, force, as_json)
        _check_outputs(outputs, log, index or [])
        opened = open_log(log, index=index or [], gains=gains, scale=Scale(*(scale or (0.0, 1.0)), clip=clip))
        made = _learner(learner, opened.n_actions, epsilon, **options[learner])
        replay_and_write(opened, made, outputs, runs, seed, compare)


def _check_outputs(outputs: Outputs, log: Path, index: list[str]) -> None:
    """Everything that can be known to be wrong about the results before any work is done."""
    from discreet.replay.opened import BadLog
    from discreet.replay.release import check_target, check_writable
    from discreet.report import is_report

    paths = [path.resolve() for path in (log, outputs.actions, outputs.report) if path is not None]
    if len(set(paths)) < len(paths):
        raise BadLog("the log, the actions and the report must be different files")
    if outputs.actions is not None:
        check_target(outputs.actions, outputs.force)
    if outputs.keep_index and not index:
        raise BadLog("--keep-index needs --index to say which column it is")
    for taken in {"round", "action"}.intersection(index if outputs.keep_index else []):
        raise BadLog(f"an index column named {taken!r} cannot be kept: the release has a column of that name")
    if outputs.report is None:
        return
    if not outputs.report.name.lower().endswith((".html", ".htm")):
        raise BadLog(f"{outputs.report} has an unknown ending; a report is an .html file")
    check_writable(outputs.report)
    if outputs.report.exists() and not is_report(outputs.report):
        raise BadLog(f"{outputs.report} exists and is not a report of discreet; it is left alone")


def _learner(name: LearnerName, n_actions: int, epsilon: float, **options: object) -> BlockLearner:
    from discreet import experts

    kinds: dict[LearnerName, type[BlockLearner]] = {
        LearnerName.PRIVATE_LEADER: experts.PrivateLeader,
        LearnerName.PREFIX_SOFTMAX: experts.PrefixSoftmax,
        LearnerName.NOISY_LEADER: experts.NoisyLeader,
    }
    return kinds[name](**{"n_actions": n_actions, "epsilon": epsilon} | options)


def replay_and_write(log: Log, learner: BlockLearner, outputs: Outputs, runs: int, seed: int, compare: bool) -> None:
    """Replay, write the files whole, and print the owner's view."""
    from discreet.replay import replay as run

    with progress_bar("reading rounds", log.rows) as progress:
        done = run(log, learner, runs, seed, outputs.actions is not None, compare, progress)
    _write(log, done, outputs)
    _show(done, outputs)


def _write(log: Log, done: Replay, outputs: Outputs) -> None:
    """Write both files beside their names first, so that either both appear or none."""
    from discreet.replay.release import whole_file, write_release
    from discreet.report import render

    with ExitStack() as stack:
        if outputs.report is not None:
            stack.enter_context(whole_file(outputs.report)).write(render(done.result).encode())
        if outputs.actions is not None and done.release is not None:
            file = stack.enter_context(whole_file(outputs.actions, outputs.force))
            write_release(file, outputs.actions, log, done.release, outputs.keep_index)


def _show(done: Replay, outputs: Outputs) -> None:
    from discreet.report import as_dict, print_table

    if outputs.as_json:
        typer.echo(json.dumps(as_dict(done.result), indent=2, allow_nan=False))
        return
    from rich.console import Console

    print_table(done.result, Console())
    if outputs.actions is not None:
        typer.echo(f"The release, the only private output: {outputs.actions}")
    if outputs.report is not None:
        typer.echo(f"The owner's report, not private: {outputs.report}")
