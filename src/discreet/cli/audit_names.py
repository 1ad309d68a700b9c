"""The learners that `discreet audit` knows by name: those on losses, those on reports, and reports themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from discreet.cli.learners import DELTA, AnyLearnerName
from discreet.cli.report_learners import ReportLearnerName

if TYPE_CHECKING:
    from discreet.local import GaussianReport, ReportLearner

#: What stands for reports alone.
REPORT = "gaussian-report"
NAMES = (*AnyLearnerName, REPORT, *ReportLearnerName)


def audited_name(text: str) -> str:
    """One of the names: for the `parser=` of an option."""
    if text not in NAMES:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(NAMES)}")
    return text


def in_the_local_model(name: str, n_actions: int, epsilon: float) -> GaussianReport | ReportLearner:
    """Reports, or a learner on reports, of the largest mu that proves the epsilon at `DELTA`."""
    from discreet import local
    from discreet.convex.budget import gaussian_budget

    mu = gaussian_budget(epsilon, DELTA).mu
    report = local.GaussianReport(n_actions, mu)
    if name == REPORT:
        return report
    walk = local.RandomWalkLeader(n_actions, report.scale, mu)
    line = local.RollingRegression(4, n_actions=n_actions, scale=report.scale, mu=mu)
    batches = local.AdaptiveBatchLeader(n_actions, report.scale, mu=mu)
    if name == ReportLearnerName.META:
        return local.MetaLeader(n_actions, report.scale, [walk, line], mu)
    alone = {ReportLearnerName.RANDOM_WALK: walk, ReportLearnerName.ADAPTIVE_BATCH: batches}
    return alone.get(ReportLearnerName(name), line)
