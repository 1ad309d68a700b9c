"""The learners on reports by name, and the options that go with them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.learners import AnyLearnerName, LearnerName

if TYPE_CHECKING:
    from discreet.local import MetaLeader, ReportLearner, RollingRegression
    from discreet.replay import Reports

PANEL = "Reports"


class ReportLearnerName(StrEnum):
    """The learners that learn from reports, by name."""

    ADAPTIVE_BATCH = "adaptive-batch"
    RANDOM_WALK = "random-walk"
    META = "meta"
    ROLLING_REGRESSION = "rolling-regression"


def learner_name(text: str) -> str:
    """The name of a learner on losses or on reports: for the `parser=` of an option."""
    names = (*LearnerName, *ReportLearnerName)
    if text not in names:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(names)}")
    return text


def name_on_losses(text: str) -> str:
    """The name of a learner on losses, private or not: for the `parser=` of an option."""
    if text in list(ReportLearnerName):
        raise typer.BadParameter(from_reports(text))
    if text not in list(AnyLearnerName):
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(AnyLearnerName)}")
    return text


def from_reports(name: str) -> str:
    """Why a learner on reports does not do, and where it does."""
    return f"{name} learns from reports, not from losses: discreet replay --reports"


ReportsOption = Annotated[
    bool,
    typer.Option(
        "--reports",
        help="The table holds reports, losses plus noise, as discreet privatize writes them; --learner is then "
        "adaptive-batch (unless named), random-walk, meta or rolling-regression. What comes out needs no "
        "more hiding than the reports.",
        rich_help_panel=PANEL,
    ),
]
NoiseScaleOption = Annotated[
    float | None,
    typer.Option(
        help="Standard deviation of the noise in the reports, for a file that does not say it.", rich_help_panel=PANEL
    ),
]
MuOption = Annotated[
    float | None,
    typer.Option(
        help="What may be revealed, as the mu of Gaussian privacy: with --reports what they promise, for a file that "
        "does not say it; for tree-leader and tree-leader-least-regret instead of --epsilon.",
        rich_help_panel=PANEL,
    ),
]
ToleranceOption = Annotated[
    float | None,
    typer.Option(
        help="For adaptive-batch: how readily it waits though the leader may have changed; 0.01 unless given. More "
        "hides more.",
        rich_help_panel=PANEL,
    ),
]
WindowOption = Annotated[
    int | None,
    typer.Option(
        help="For rolling-regression: how many reports the line goes through; 16 unless given.", rich_help_panel=PANEL
    ),
]
PenaltyOption = Annotated[
    float | None,
    typer.Option(
        help="For rolling-regression: how strongly the trend is shrunk; window^3/12, which halves it, unless given.",
        rich_help_panel=PANEL,
    ),
]

_WINDOW, _WINDOWS, _PENALTIES = 16, (8, 16, 32, 64), (0.1, 1.0, 10.0)
_TOLERANCE = 0.01
#: After so many rounds a learner is left out of a comparison: each would take some ten seconds.
_PATIENCE = {ReportLearnerName.META: 10_000, ReportLearnerName.ROLLING_REGRESSION: 200_000}
_EVER = 1 << 62


@dataclass(frozen=True)
class Choice:
    """A learner on reports as it was asked for."""

    name: ReportLearnerName
    tolerance: float | None = None
    window: int | None = None
    penalty: float | None = None
    seed: int | None = None

    def check(self) -> None:
        """Refuse an option that the learner does not have."""
        homes = {"tolerance": ReportLearnerName.ADAPTIVE_BATCH}
        homes |= dict.fromkeys(("window", "penalty"), ReportLearnerName.ROLLING_REGRESSION)
        for option, home in homes.items():
            if getattr(self, option) is not None and self.name != home:
                raise ValueError(f"--{option} goes with --learner {home}")

    def made(self, reports: Reports) -> ReportLearner:
        """The learner, for these reports."""
        from discreet import local

        k, scale, mu = reports.n_actions, reports.scale, reports.mu
        if self.name is ReportLearnerName.RANDOM_WALK:
            return local.RandomWalkLeader(k, scale, mu, self.seed)
        if self.name is ReportLearnerName.ADAPTIVE_BATCH:
            tolerance = _TOLERANCE if self.tolerance is None else self.tolerance
            return local.AdaptiveBatchLeader(k, scale, tolerance, mu, self.seed)
        if self.name is ReportLearnerName.META:
            return _meta(reports, self.seed)
        window = _WINDOW if self.window is None else self.window
        return _line(reports, window, window**3 / 12 if self.penalty is None else self.penalty, self.seed)


def beside(choice: Choice, reports: Reports) -> list[tuple[ReportLearner, int]]:
    """The other learners, each with the number of rounds after which it is left out."""
    others = [name for name in ReportLearnerName if name is not choice.name]
    return [(Choice(name, seed=choice.seed).made(reports), _PATIENCE.get(name, _EVER)) for name in others]


def _line(reports: Reports, window: int, penalty: float, seed: int | None = None) -> RollingRegression:
    from discreet.local import RollingRegression

    return RollingRegression(window, penalty, reports.n_actions, reports.scale, reports.mu, seed)


def _meta(reports: Reports, seed: int | None) -> MetaLeader:
    """Thirteen learners, those of Jacobsen & Fawaz's study: twelve lines and the walk."""
    from discreet.local import MetaLeader, RandomWalkLeader

    lines = [_line(reports, window, part * window**3 / 12) for window in _WINDOWS for part in _PENALTIES]
    walk = RandomWalkLeader(reports.n_actions, reports.scale)
    return MetaLeader(reports.n_actions, reports.scale, [*lines, walk], reports.mu, seed)
