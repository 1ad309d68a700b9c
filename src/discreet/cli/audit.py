"""`discreet audit`: is what a learner claims true?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli.learners import (
    PANEL,
    AnyLearnerName,
    CalibrationOption,
    NoiseOption,
    ResampleOption,
    UncappedOption,
    any_learner,
    is_private,
    parameters,
)
from discreet.cli.session import one_sentence, progress_bar

if TYPE_CHECKING:
    from rich.console import Console

    from discreet.audit import Report
    from discreet.experts import Learner

_EPSILONS = (0.1, 1.0, 4.0)


def audit(
    learner: Annotated[
        AnyLearnerName | None,
        typer.Option(help="The learner to audit; every learner and variant unless named.", rich_help_panel=PANEL),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(help="Its epsilon; 1 unless given, and 0.1, 1 and 4 for all learners.", rich_help_panel=PANEL),
    ] = None,
    noise: NoiseOption = None,
    resample: ResampleOption = False,
    calibration: CalibrationOption = None,
    uncapped: UncappedOption = False,
    claim: Annotated[
        float | None,
        typer.Option(metavar="EPSILON", help="Judge by this epsilon instead of what the learner itself claims."),
    ] = None,
    runs: Annotated[int, typer.Option(min=1000, help="Samples for the statistical checks of a learner.")] = 40_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of these samples.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compute, and not only argue, how much learners reveal; exit code 1 when a guarantee is violated.

    For each learner: what it claims; its worst privacy loss, computed over all neighboring tables of losses 0 and 1
    at small sizes, by its own code; what samples certify beyond doubt; and checks of how it draws. "holds" means that
    nothing was found at these sizes; "VIOLATED" that a claim is false.

    Examples:

    discreet audit

    discreet audit --learner noisy-leader --noise exponential --calibration paper --epsilon 1 --claim 1
    """
    with one_sentence():
        learners = _learners(learner, epsilon, parameters(learner or "", noise, calibration, resample, uncapped))
        promised = _promised(claim, learner)
        from discreet.audit import check

        reports = []
        with progress_bar("auditing learners", len(learners)) as progress:
            for place, one in enumerate(learners):
                progress(place)
                reports.append(check(one, promised, runs, seed))
        _show(learners, reports, as_json)
    raise typer.Exit(0 if all(report.passed for report in reports) else 1)


def _learners(name: AnyLearnerName | None, epsilon: float | None, options: dict[str, object]) -> list[Learner]:
    """The learner that was named, or every one at some epsilons."""
    if name is not None:
        if epsilon is not None and not is_private(name):
            raise ValueError(f"{name.value} is not private and has no --epsilon")
        return [any_learner(name, 3, 1.0 if epsilon is None else epsilon, options)]
    from discreet.cli.variants import VARIANTS, variants

    made: list[Learner] = []
    for level in _EPSILONS if epsilon is None else (epsilon,):
        made += [one for one in variants(list(VARIANTS), 3, level) if one not in made]
    return made


def _promised(claim: float | None, name: AnyLearnerName | None) -> Any:
    from discreet.guarantees import PureDP

    if claim is None:
        return None
    if name is None:
        raise ValueError("--claim goes with --learner: one claim does not fit all learners")
    return PureDP(claim)


def _show(learners: list[Learner], reports: list[Report], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps([_facts(report) for report in reports], indent=2, allow_nan=False))
        return
    from rich.console import Console

    console = Console()
    console.print(_table(learners, reports))
    _explain(console, reports)


def _facts(report: Report) -> dict[str, Any]:
    """A report for JSON."""
    worst = [
        {"actions": actions, "rounds": rounds, "lower": found.lower, "upper": found.upper, "how": found.how}
        for (actions, rounds), found in report.worst.items()
    ]
    return {
        "learner": report.learner,
        "claim": report.claim.describe(),
        "worst_loss": worst,
        "certified_epsilon": None if report.bound is None else report.bound.epsilon,
        "holds": report.passed,
        "checks": [vars(finding) for finding in report.findings],
    }


def _table(learners: list[Learner], reports: list[Report]) -> Any:
    from rich import box
    from rich.table import Table

    from discreet.experts.titles import title

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("learner", "claimed\nepsilon", "worst loss,\ncomputed", "certified\nby samples", "verdict"):
        table.add_column(heading, justify="left" if heading in ("learner", "verdict") else "right", no_wrap=True)
    for learner, report in zip(learners, reports, strict=True):
        claimed = getattr(report.claim, "epsilon", None)
        table.add_row(
            title(learner).replace(" (", "\n("),
            "nothing" if not isinstance(claimed, float) else f"{claimed:g}",
            _worst(report),
            "" if report.bound is None else f"{report.bound.epsilon:.3f}",
            verdict(report),
        )
    return table


def _worst(report: Report) -> str:
    """The largest computed loss, and the bound above it where it was not gone through to the end."""
    if not report.worst:
        return "–"
    low = max(found.lower for found in report.worst.values())
    high = max(found.upper for found in report.worst.values())
    return f"{low:.4f}" if high - low < 1e-6 else f"{low:.4f} to {high:.4f}"


def verdict(report: Report) -> str:
    """In a word."""
    if not report.passed:
        return "VIOLATED"
    return "holds" if report.worst else "claims nothing"


def _explain(console: Console, reports: list[Report]) -> None:
    for report in reports:
        for finding in report.failures:
            console.print(f"VIOLATED: {report.learner}, {finding.check}: {finding.said}", soft_wrap=True)
    sizes = sorted({size for report in reports for size in report.worst})
    tried = "; ".join(f"{actions} actions, {rounds} rounds" for actions, rounds in sizes)
    if tried:
        console.print(
            f"Worst losses: all neighboring tables of losses 0 and 1 ({tried}); where two numbers stand, tables were "
            "too many, and the loss lies between what a search found and what is proved."
        )
    console.print(
        "Certified by samples: with 95% confidence, no smaller epsilon is true. Every learner's code played; small "
        "sizes can hide mistakes that larger ones show."
    )
