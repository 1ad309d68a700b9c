"""`discreet replay`: a log of losses, replayed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.amounts import whole_number
from discreet.cli.learners import PANEL as LEARNER
from discreet.cli.learners import (
    WITH_ROUNDS,
    BestLossOption,
    CalibrationOption,
    ConstantsOption,
    DeltaOption,
    FailureOption,
    LearnerName,
    NoiseOption,
    ResampleOption,
    UncappedOption,
    any_learner,
    fitting,
    of_mu,
    parameters,
)
from discreet.cli.logs import ClipOption, GainsOption, IndexOption, ScaleOption
from discreet.cli.outputs import Outputs, check_outputs, replay_and_write
from discreet.cli.report_learners import (
    Choice,
    MuOption,
    NoiseScaleOption,
    PenaltyOption,
    ReportLearnerName,
    ReportsOption,
    ToleranceOption,
    WindowOption,
    learner_name,
)
from discreet.cli.reports import Source, chosen, given_options, replay_and_write_reports
from discreet.cli.session import one_sentence, progress_bar

if TYPE_CHECKING:
    from discreet.replay import Log

_OUT = "Results"
#: Numbers held at once, at most; and how many one run of one learner takes, about.
_MOST_CELLS, _CELLS_A_RUN = 2 * 10**8, 500


def replay(
    context: typer.Context,
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
            rich_help_panel=LEARNER,
        ),
    ] = 1.0,
    learner: Annotated[
        str,
        typer.Option(
            parser=learner_name,
            metavar=f"[{'|'.join((*LearnerName, *ReportLearnerName))}]",
            help="Which learner makes the choices: private-leader for most logs; sparse-vector, or "
            "adaptive-sparse-vector, where some action hardly loses anything while others turn bad on the way; "
            "tree-leader where losses follow no law and no action is that good (tree-leader-least-regret: with a "
            "proved bound); the others to compare with. The last four are for --reports: adaptive-batch for most, "
            "which adds up reports in batches and so hides more; random-walk adds each one up at once; "
            "rolling-regression follows trends; meta follows the best of thirteen such learners.",
            rich_help_panel=LEARNER,
        ),
    ] = LearnerName.PRIVATE_LEADER.value,
    noise: NoiseOption = None,
    resample: ResampleOption = False,
    calibration: CalibrationOption = None,
    uncapped: UncappedOption = False,
    reports: ReportsOption = False,
    noise_scale: NoiseScaleOption = None,
    mu: MuOption = None,
    tolerance: ToleranceOption = None,
    window: WindowOption = None,
    penalty: PenaltyOption = None,
    best_loss: BestLossOption = None,
    failure: FailureOption = None,
    delta: DeltaOption = None,
    constants: ConstantsOption = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="N",
            help="For the learners that must know the number of rounds (sparse-vector to tree-leader-least-regret): "
            "how many there will be, if this is not all of them. Unless given, it is that of the log; a .csv or "
            ".arrow is read once more to count them.",
            rich_help_panel=LEARNER,
        ),
    ] = None,
    index: IndexOption = None,
    gains: GainsOption = False,
    scale: ScaleOption = None,
    clip: ClipOption = False,
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
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="N",
            help="Seeded runs of each learner, 2 or more, for the owner's view; 200 unless given.",
            rich_help_panel=_OUT,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            help="Seed of those runs; the release never has one. With --reports of the actions themselves, which are "
            "then repeatable, and no more is promised of them than of the reports.",
            rich_help_panel=_OUT,
        ),
    ] = 1,
    compare: Annotated[
        bool, typer.Option("--compare/--no-compare", help="Compare with other learners.", rich_help_panel=_OUT)
    ] = True,
) -> None:
    """Replay a log of losses: which action to play each round, and what that would have cost.

    The printed table, the report and the JSON are the owner's view: they are computed from the raw losses and
    are not private. The file that --actions names is the release: it alone may be shown to others.

    With --reports the table holds losses plus noise, and nothing that comes out needs more hiding than they.

    Examples:

    discreet replay losses.parquet --epsilon 1 --actions actions.csv --report report.html

    discreet replay losses.parquet --learner sparse-vector --best-loss 5 --actions actions.csv

    discreet replay reports.parquet --reports --learner adaptive-batch --actions actions.csv
    """
    with one_sentence():
        outputs = Outputs(actions, report, keep_index, force, as_json)
        given = given_options(context, reports)
        if reports:
            choice = Choice(chosen(given.get("learner")), tolerance, window, penalty, given.get("seed"))
            replay_and_write_reports(Source(log, index or [], noise_scale, mu), choice, outputs, compare)
            return
        from discreet.losses import Scale
        from discreet.replay import open_log

        options = parameters(learner, noise, calibration, resample, uncapped)
        more = {"--best-loss": best_loss, "--failure": failure, "--delta": delta, "--constants": constants}
        options |= fitting(learner, {**more, "--rounds": rounds}) | of_mu(learner, mu, given.get("epsilon"))
        check_outputs(outputs, log, index or [])
        opened = open_log(log, index=index or [], gains=gains, scale=Scale(*(scale or (0.0, 1.0)), clip=clip))
        wanted = _runs_that_fit(runs or 200, opened.n_actions, compare)
        made = any_learner(learner, opened.n_actions, epsilon, options, _rounds(opened, learner, rounds))
        replay_and_write(opened, made, outputs, wanted, seed, compare, rounds)


def _rounds(log: Log, learner: str, said: int | None) -> int:
    """For learners that must know it, how many rounds there will be: what was said, or those of the log."""
    if learner not in WITH_ROUNDS or said is not None:
        return said or 1
    with progress_bar("counting rounds", None) as progress:
        return max(1, log.count(progress))


def _runs_that_fit(runs: int, n_actions: int, compare: bool) -> int:
    """The number of runs, if it makes sense and fits into memory."""
    most = min(_MOST_CELLS // n_actions, _MOST_CELLS // (_CELLS_A_RUN * (6 if compare else 1)))
    if not 2 <= runs <= max(2, most):
        raise ValueError(f"--runs is {runs:,}; with {n_actions:,} actions it must lie between 2 and {max(2, most):,}")
    return runs
