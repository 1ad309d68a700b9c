"""`discreet simulate`: the regret of one learner over many runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli.files import CsvOption, Files, JsonOption, PlotOption, printing
from discreet.cli.learners import PANEL as LEARNER
from discreet.cli.learners import (
    AnyLearnerName,
    CalibrationOption,
    MuOption,
    NoiseOption,
    ResampleOption,
    UncappedOption,
    any_learner,
    is_private,
    of_mu,
    parameters,
)
from discreet.cli.logs import ClipOption, GainsOption, IndexOption, ScaleOption
from discreet.cli.plans import (
    EngineName,
    EngineOption,
    JobsOption,
    KindOption,
    Plan,
    RoundsOption,
    RunsOption,
    SeedOption,
    make_plan,
)
from discreet.cli.report_learners import name_on_losses
from discreet.cli.session import one_sentence, progress_bar
from discreet.cli.telling import facts, heading, introduce, promise, say, to_json
from discreet.cli.wishes import (
    USUAL_ROUNDS,
    ActionsOption,
    ChancesOption,
    EnvironmentName,
    EnvironmentOption,
    GapOption,
    HardEpsilonOption,
    HighLossesOption,
    HighOption,
    LogOption,
    LowLossesOption,
    LowOption,
    MeansOption,
    StrengthOption,
    Wish,
)
from discreet.cli.worlds import make_world

if TYPE_CHECKING:
    from discreet.cli.theory import Bound
    from discreet.experts import Learner
    from discreet.simulate import RegretCurve


def simulate(
    learner: Annotated[
        str,
        typer.Option(
            parser=name_on_losses,
            metavar=f"[{'|'.join(AnyLearnerName)}]",
            help="Which learner makes the choices. The last three are not private and go round by round, so that "
            "they take as long as their rounds.",
            rich_help_panel=LEARNER,
        ),
    ] = AnyLearnerName.PRIVATE_LEADER.value,
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="How much the actions may reveal about any one round; 1 unless given.", rich_help_panel=LEARNER
        ),
    ] = None,
    mu: MuOption = None,
    noise: NoiseOption = None,
    resample: ResampleOption = False,
    calibration: CalibrationOption = None,
    uncapped: UncappedOption = False,
    environment: EnvironmentOption = EnvironmentName.ONE_GAP,
    actions: ActionsOption = None,
    gap: GapOption = None,
    low: LowOption = None,
    high: HighOption = None,
    means: MeansOption = None,
    strength: StrengthOption = None,
    low_losses: LowLossesOption = None,
    high_losses: HighLossesOption = None,
    chances: ChancesOption = None,
    hard_epsilon: HardEpsilonOption = None,
    log: LogOption = None,
    index: IndexOption = None,
    gains: GainsOption = False,
    scale: ScaleOption = None,
    clip: ClipOption = False,
    rounds: RoundsOption = None,
    runs: RunsOption = None,
    seed: SeedOption = 1,
    jobs: JobsOption = 1,
    engine: EngineOption = EngineName.LOKY,
    kind: KindOption = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Sum the expected regret too, with no sampling error, where that is possible: losses that never "
            "change, or few actions.",
            rich_help_panel="Results",
        ),
    ] = False,
    as_json: JsonOption = False,
    table: CsvOption = None,
    plot: PlotOption = None,
) -> None:
    """Simulate a learner: its regret over many rounds, in many runs, beside what is proved about it.

    Losses are made up, so the numbers may be shown to anyone; only those of --environment log are somebody's, and
    what is computed from them is for their owner. Private learners play from totals of blocks: 10^12 rounds take
    little longer than 1000.

    Examples:

    discreet simulate --learner prefix-softmax --actions 100 --gap 0.1 --epsilon 1 --rounds 1e6 --runs 1000

    discreet simulate --environment bernoulli --means 0.2,0.3,0.3 --rounds 1e9 --plot regret.svg

    discreet simulate --environment hard-for-privacy --actions 64 --gap 0.01 --rounds 2^20 --exact

    discreet simulate --learner tree-leader-least-regret --mu 1 --actions 10 --rounds 1e4 --runs 100

    discreet simulate --learner hedge --environment spread --actions 10 --rounds 1e4 --runs 100 --csv regret.csv
    """
    with one_sentence():
        options = parameters(learner, noise, calibration, resample, uncapped) | of_mu(learner, mu, epsilon)
        if epsilon is not None and not is_private(learner):
            raise ValueError(f"--epsilon does not go with --learner {learner}, which is not private")
        files = Files(table, plot, shared=log is None)
        files.check(log)
        labels = None if index is None else tuple(index)
        made_up = (actions, gap, low, high, means, strength, low_losses, high_losses, chances, hard_epsilon)
        of_log = (log, labels, gains or None, scale, clip or None)
        world = make_world(Wish(environment, *made_up, *of_log, rounds or USUAL_ROUNDS))
        plan = make_plan(world, rounds, runs, seed, jobs, engine, kind)
        made = any_learner(learner, world.n_actions, 1.0 if epsilon is None else epsilon, options, plan.rounds)
        plan.check([made])
        done = _simulated(made, plan, exact)
        _write(done, files)
        with printing(files.wanted):
            typer.echo(to_json(_facts(done))) if as_json else _show(done, files)


@dataclass(frozen=True)
class _Done:
    learner: Learner
    plan: Plan
    curve: RegretCurve
    bound: Bound | None
    lower: Bound | None
    exact: float | None


def _simulated(learner: Learner, plan: Plan, exact: bool) -> _Done:
    from discreet.cli.theory import bound_for, exactly, lower_bound_for

    summed = exactly(learner, plan) if exact else None
    with progress_bar("runs", plan.runs) as progress:
        curve = plan.curve(learner, progress)
    return _Done(learner, plan, curve, bound_for(learner, plan), lower_bound_for(learner, plan), summed)


def _write(done: _Done, files: Files) -> None:
    if not files.wanted:
        return
    from discreet.report.simulation import draw

    columns = {name: column.tolist() for name, column in done.curve.columns().items()}
    files.write(list(columns), zip(*columns.values(), strict=True), draw([("", [done.curve])], heading(done.plan)))


def _facts(done: _Done) -> dict[str, Any]:
    facts_of = facts(done.plan) | {
        "learner": done.curve.title,
        "parameters": done.curve.learner,
        "guarantee": done.learner.claim.describe(),
        "bound": None if done.bound is None else vars(done.bound),
        "lower_bound": None if done.lower is None else vars(done.lower),
        "exact": done.exact,
    }
    return facts_of | {"curve": {name: column.tolist() for name, column in done.curve.columns().items()}}


def _show(done: _Done, files: Files) -> None:
    from rich.console import Console

    from discreet.report.simulation import decimals, fitting, shown, span, written

    columns, console = done.curve.columns(), Console()
    places = decimals(done.curve.mean.tolist())
    rows = [
        [
            f"{columns['horizon'][i]:,}",
            written(columns["mean"][i], places),
            span(columns["low"][i], columns["high"][i], places) if done.curve.runs > 1 else "–",
            *(written(columns[quantile][i], places) for quantile in ("q5", "q50", "q95")),
        ]
        for i in shown(done.curve)
    ]
    headings = ("rounds", "mean\nregret", "95% interval\nof the mean", "5% of\nruns", "50% of\nruns", "95% of\nruns")
    introduce(console, done.plan)
    say(console, "Learner", done.curve.learner)
    say(console, "Guarantee", promise(done.learner))
    console.print()
    console.print(fitting(headings, rows, console))
    console.print()
    if done.exact is not None:
        say(console, "Exactly", f"{written(done.exact, places)} expected over {done.plan.rounds:,} rounds, summed")
    bounds = [("at most", done.bound), ("at least", done.lower)]
    for side, bound in bounds:
        if bound is not None:
            say(console, "Bound", f"expected regret is {side} {bound.shown()} {bound.words} ({bound.by})")
    if done.bound is None:
        say(console, "Bound", "no upper bound is known for this regret here")
    for path in files.wanted:
        say(console, "Written", str(path))
