"""`discreet compare`: several learners at several epsilons, in the same environment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli.comparison import show
from discreet.cli.files import CsvOption, Files, JsonOption, PlotOption, printing
from discreet.cli.learners import PANEL as LEARNER
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
from discreet.cli.session import one_sentence, progress_bar
from discreet.cli.standings import Standing, standings
from discreet.cli.telling import facts, heading, to_json
from discreet.cli.variants import chosen, variants
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
from discreet.cli.worlds import make_world, numbers

if TYPE_CHECKING:
    from discreet.experts import Learner
    from discreet.simulate import RegretCurve


def compare(
    epsilon: Annotated[
        str,
        typer.Option(
            metavar="NUMBERS",
            help="How much the actions may reveal about any one round; several with commas between them.",
            rich_help_panel=LEARNER,
        ),
    ] = "1",
    learners: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Which learners, with commas between them: private-leader, prefix-softmax, prefix-softmax-uncapped, "
            "noisy-leader-NOISE (laplace, exponential, exponential-paper or gumbel; noisy-leader-NOISE-resampled "
            "too), sparse-vector, adaptive-sparse-vector, potential (each with -paper for the printed constants), "
            "tree-experts, tree-leader, tree-leader-least-regret, follow-the-leader, hedge, ada-hedge. Unless named: "
            "the private ones without resampling, "
            "each at the epsilon that is asked for.",
            rich_help_panel=LEARNER,
        ),
    ] = None,
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
    as_json: JsonOption = False,
    table: CsvOption = None,
    plot: PlotOption = None,
) -> None:
    """Compare learners: a table for each epsilon, from the same environment and seed.

    The guarantee in the table is the true one: prefix-softmax spends 1/4 at most unless it is uncapped, and the
    exponential noise that its paper prints reveals twice the epsilon asked for. Tree leaders have Gaussian noise, with
    the largest mu that proves the epsilon at delta 10^-6.

    Examples:

    discreet compare --actions 100 --gap 0.1 --epsilon 0.1,1,4 --rounds 1e6

    discreet compare --learners private-leader,noisy-leader-laplace,noisy-leader-laplace-resampled --epsilon 0.5,1

    discreet compare --environment hard-for-privacy --actions 1000 --gap 0.01 --epsilon 1 --plot regret.svg
    """
    with one_sentence():
        names, epsilons = chosen(learners), _levels(epsilon)
        files = Files(table, plot, shared=log is None)
        files.check(log)
        labels = None if index is None else tuple(index)
        made_up = (actions, gap, low, high, means, strength, low_losses, high_losses, chances, hard_epsilon)
        of_log = (log, labels, gains or None, scale, clip or None)
        world = make_world(Wish(environment, *made_up, *of_log, rounds or USUAL_ROUNDS))
        plan = make_plan(world, rounds, runs, seed, jobs, engine, kind)
        groups = [variants(names, world.n_actions, level, plan.rounds) for level in epsilons]
        curves = _curves(groups, plan)
        tables = [standings(*group, plan) for group in zip(groups, curves, strict=True)]
        _write(epsilons, curves, plan, files)
        with printing(files.wanted):
            if as_json:
                typer.echo(to_json(_facts(epsilons, tables, plan)))
            else:
                show(epsilons, tables, plan, files.wanted)


def _levels(text: str) -> list[float]:
    from discreet.experts.parameters import privacy_level

    levels = [privacy_level(level) for level in numbers("--epsilon", text)]
    if len(set(levels)) < len(levels):
        raise ValueError(f"--epsilon is {text!r}; it names a number twice")
    return levels


def _curves(groups: Sequence[Sequence[Learner]], plan: Plan) -> list[list[RegretCurve]]:
    """The curves of all learners; the same learner at two epsilons is simulated once."""
    distinct = {repr(learner): learner for learners in groups for learner in learners}
    plan.check(list(distinct.values()))
    found: dict[str, RegretCurve] = {}
    with progress_bar("runs", plan.runs * len(distinct)) as progress:
        for place, (name, learner) in enumerate(distinct.items()):
            found[name] = plan.curve(learner, _after(place * plan.runs, progress))
    return [[found[repr(learner)] for learner in learners] for learners in groups]


def _after(before: int, progress: Callable[[int], None]) -> Callable[[int], None]:
    return lambda done: progress(before + done)


def _write(epsilons: list[float], curves: list[list[RegretCurve]], plan: Plan, files: Files) -> None:
    if not files.wanted:
        return
    from discreet.report.simulation import draw

    rows = []
    for level, group in zip(epsilons, curves, strict=True):
        for curve in group:
            columns = [column.tolist() for column in curve.columns().values()]
            rows += [(level, curve.learner, *row) for row in zip(*columns, strict=True)]
    headings = ["epsilon", "learner", *curves[0][0].columns()]
    panels = [(f"epsilon = {level:g}", group) for level, group in zip(epsilons, curves, strict=True)]
    files.write(headings, rows, draw(panels, heading(plan)))


def _facts(epsilons: list[float], tables: list[list[Standing]], plan: Plan) -> dict[str, Any]:
    groups = [
        {"epsilon": level, "learners": [standing.facts() for standing in table]}
        for level, table in zip(epsilons, tables, strict=True)
    ]
    return facts(plan) | {"epsilons": groups}
