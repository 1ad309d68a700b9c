"""`discreet audit`: is what a learner claims true?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.audit_names import NAMES, REPORT, audited_name, in_the_local_model
from discreet.cli.learners import (
    PANEL,
    CalibrationOption,
    NoiseOption,
    ResampleOption,
    UncappedOption,
    any_learner,
    is_private,
    parameters,
)
from discreet.cli.report_learners import ReportLearnerName
from discreet.cli.session import one_sentence, progress_bar

if TYPE_CHECKING:
    from discreet.experts import Learner
    from discreet.guarantees import PureDP
    from discreet.local import GaussianReport

#: The horizon of learners that must know one.
_ROUNDS = 1000
_EPSILONS = (0.1, 1.0, 4.0)
_LOCAL = (REPORT, *ReportLearnerName)


def audit(
    learner: Annotated[
        str | None,
        typer.Option(
            parser=audited_name,
            metavar=f"[{'|'.join(NAMES)}]",
            help="The learner to audit; every learner and variant unless named. gaussian-report is the reports alone; "
            "those after it learn from reports.",
            rich_help_panel=PANEL,
        ),
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
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the table in Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compute, and not only argue, how much learners reveal; exit code 1 when a guarantee is violated.

    For each learner: what it claims; its worst privacy loss, computed over all neighboring tables of losses 0 and 1
    at small sizes, by its own code; what samples certify beyond doubt; and checks of how it draws. "holds" means that
    nothing was found at these sizes; "not refuted" that nothing was found by samples, where no worst loss can be
    computed, which is less; "VIOLATED" that a claim is false.

    Examples:

    discreet audit

    discreet audit --learner noisy-leader --noise exponential --calibration paper --epsilon 1 --claim 1
    """
    with one_sentence():
        if as_json and as_markdown:
            raise ValueError("--json and --markdown are two ways to print; choose one")
        learners = _learners(learner, epsilon, parameters(learner or "", noise, calibration, resample, uncapped))
        promised = _promised(claim, learner)
        from discreet.audit import check
        from discreet.cli.audited import Audited, as_facts, in_markdown, show

        done = []
        with progress_bar("auditing learners", len(learners)) as progress:
            for place, one in enumerate(learners):
                progress(place)
                done.append(Audited(one, check(one, promised, runs, seed)))
        if as_json:
            typer.echo(as_facts(done))
        elif as_markdown:
            typer.echo(in_markdown(done))
        else:
            show(done)
    raise typer.Exit(0 if all(one.report.passed for one in done) else 1)


def _learners(name: str | None, epsilon: float | None, options: dict[str, object]) -> list[Learner | GaussianReport]:
    """The learner that was named, or every one at some epsilons."""
    if name is not None and name in _LOCAL:
        return [in_the_local_model(name, 3, 1.0 if epsilon is None else epsilon)]
    if name is not None:
        if epsilon is not None and not is_private(name):
            raise ValueError(f"{name} is not private and has no --epsilon")
        return [any_learner(name, 3, 1.0 if epsilon is None else epsilon, options, _ROUNDS)]
    from discreet.cli.variants import VARIANTS, variants

    made: list[Learner | GaussianReport] = []
    for level in _EPSILONS if epsilon is None else (epsilon,):
        made += [one for one in variants(list(VARIANTS), 3, level, _ROUNDS) if one not in made]
        made += [in_the_local_model(local, 3, level) for local in _LOCAL]
    return made


def _promised(claim: float | None, name: str | None) -> PureDP | None:
    from discreet.guarantees import PureDP

    if claim is None:
        return None
    if name is None:
        raise ValueError("--claim goes with --learner: one claim does not fit all learners")
    return PureDP(claim)
