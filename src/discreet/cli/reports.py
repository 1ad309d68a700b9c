"""`discreet replay --reports`: reports, replayed by anyone. Nothing here is made from losses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from discreet.cli.files import printing
from discreet.cli.learners import GAUSSIAN
from discreet.cli.outputs import Outputs, check_outputs, write_files
from discreet.cli.report_learners import Choice, ReportLearnerName, beside
from discreet.cli.session import progress_bar
from discreet.cli.telling import to_json

if TYPE_CHECKING:
    from discreet.replay import Estimates, Reports

#: Options of `discreet replay` that mean something for reports.
_FITTING = {"log", "reports", "learner", "noise_scale", "mu", "tolerance", "window", "penalty", "index", "seed"}
_FITTING |= {"actions", "keep_index", "report", "as_json", "force", "compare"}
_ONLY = ("noise_scale", "tolerance", "window", "penalty")
_AGAIN = "replacing it costs no privacy, since it is made from reports alone, but it wants --force"


@dataclass(frozen=True)
class Source:
    """Which reports to replay, and what is told of them."""

    path: Path
    index: list[str]
    noise_scale: float | None
    mu: float | None


def chosen(learner: str | None) -> ReportLearnerName:
    """The learner on reports of that name; the one with most to promise where none was named."""
    if learner is None:
        return ReportLearnerName.ADAPTIVE_BATCH
    if learner not in list(ReportLearnerName):
        raise ValueError(
            f"{learner} learns from losses; with --reports the learners are {', '.join(ReportLearnerName)}"
        )
    return ReportLearnerName(learner)


def given_options(context: typer.Context, reports: bool) -> dict[str, Any]:
    """The options that were given; those that mean nothing for reports, or for losses, are refused."""
    given = {name: value for name, value in context.params.items() if _was_given(context, name)}
    for name in given:
        if reports and name not in _FITTING:
            raise ValueError(f"--{name.replace('_', '-')} is for losses and means nothing for --reports")
        if not reports and name in _ONLY:
            raise ValueError(f"--{name.replace('_', '-')} goes with --reports")
    if not reports and "mu" in given and given.get("learner") not in GAUSSIAN:
        raise ValueError(f"--mu goes with --learner {' or '.join(GAUSSIAN)}, or with --reports")
    if not reports and given.get("learner") in list(ReportLearnerName):
        raise ValueError(f"{given['learner']} learns from reports, so it goes with --reports")
    return given


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def replay_and_write_reports(source: Source, choice: Choice, outputs: Outputs, compare: bool) -> None:
    """Replay reports, write the files whole, and print what they tell."""
    from discreet.replay import open_reports, replay_reports
    from discreet.report import render_estimates

    choice.check()
    reports = open_reports(source.path, source.index, source.noise_scale, source.mu)
    check_outputs(outputs, source.path, reports.log.index, owners=False, why=_AGAIN)
    learner = choice.made(reports)
    others = beside(choice, reports) if compare else []
    with progress_bar("reading reports", reports.log.rows) as progress:
        done = replay_reports(reports, learner, others, progress)
    write_files(reports.log, done.timeline, lambda: render_estimates(done), outputs, shared=True)
    with printing([path for path in (outputs.actions, outputs.report) if path is not None]):
        _show(done, outputs, reports)


def _show(done: Estimates, outputs: Outputs, reports: Reports) -> None:
    from discreet.report import print_estimates
    from discreet.report.estimates import as_dict

    if outputs.as_json:
        typer.echo(to_json(as_dict(done)))
        return
    from rich.console import Console

    print_estimates(done, Console())
    if outputs.actions is not None:
        typer.echo(f"The actions: {outputs.actions}")
    if outputs.report is not None:
        typer.echo(f"The report, made from {reports.log.path.name} alone: {outputs.report}")
