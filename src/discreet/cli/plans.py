"""What is to be simulated, checked before it starts: does it fit, how long would it take, is the engine there."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.amounts import whole_number
from discreet.cli.wishes import USUAL_ROUNDS

if TYPE_CHECKING:
    from discreet.cli.worlds import World
    from discreet.experts import Learner
    from discreet.simulate import RegretCurve
    from discreet.simulate.curve import Kind

PANEL = "Simulation"
#: Losses that one command looks at, at most: about a quarter of an hour on one processor.
MOST = 5 * 10**10
#: Recorded numbers, runs times horizons, at most.
MOST_KEPT = 10**8
_STEP = 1 << 12  # losses that cost as much as a learner's step through one round in Python
_DRAW = 8  # losses that cost as much as a Gaussian number, of which a learner needs one or two for each loss
_PACKAGES = {"loky": "joblib", "dask": "distributed", "ray": "ray"}


class KindName(StrEnum):
    """The kinds of regret."""

    PSEUDO = "pseudo"
    REALIZED = "realized"


class EngineName(StrEnum):
    """Whose processes do the work."""

    LOKY = "loky"
    DASK = "dask"
    RAY = "ray"


RoundsOption = Annotated[
    int | None,
    typer.Option(
        parser=whole_number,
        metavar="N",
        help="How many rounds, such as 1e6 or 2^20; 1e6 unless given, or all of a log.",
        rich_help_panel=PANEL,
    ),
]
RunsOption = Annotated[
    int | None,
    typer.Option(
        parser=whole_number,
        metavar="N",
        help="Independent runs of each learner; 1000 unless given.",
        rich_help_panel=PANEL,
    ),
]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of all runs.", rich_help_panel=PANEL)]
JobsOption = Annotated[
    int,
    typer.Option(
        min=1, max=256, help="Processes that share the work; the answer does not depend on it.", rich_help_panel=PANEL
    ),
]
EngineOption = Annotated[
    EngineName,
    typer.Option(
        help="Whose processes: loky of this machine, or a Dask or Ray cluster, started here. The answer does not "
        "depend on it.",
        rich_help_panel=PANEL,
    ),
]
KindOption = Annotated[
    KindName | None,
    typer.Option(
        help="pseudo: expected losses of the actions played, less those of the best. realized: losses suffered, less "
        "those of the best fixed action in hindsight. pseudo unless named, for a log realized.",
        rich_help_panel=PANEL,
    ),
]


@dataclass(frozen=True)
class Plan:
    """A simulation but for its learner."""

    world: World
    rounds: int
    runs: int
    seed: int
    jobs: int
    engine: str
    kind: Kind

    def check(self, learners: Sequence[Learner]) -> None:
        """Refuse what could not be simulated, or not in time, before any of it is."""
        from discreet.experts.titles import title
        from discreet.simulate.curve import spaced

        _check_engine(self.engine)
        for learner in learners:
            self._check_rounds(learner)
        room = MOST_KEPT // (len(spaced(self.rounds)) * len(learners))
        if self.runs > room:
            raise ValueError(f"{self.runs:,} runs are too many to be kept; at most {room:,} are, over so many rounds")
        work = [self._work(learner) for learner in learners]
        if sum(work) > MOST:
            largest = max(range(len(work)), key=work.__getitem__)
            raise ValueError(
                f"{self.rounds:,} rounds in {self.runs:,} runs are too many for {title(learners[largest])} with "
                f"{self.world.n_actions:,} actions: about {_order(sum(work))} losses to look at, of {_order(MOST)} at "
                f"most; ask for about {_order(sum(work) / MOST)} times fewer rounds or runs"
            )

    def curve(self, learner: Learner, progress: Callable[[int], None]) -> RegretCurve:
        """The regret of a learner."""
        from discreet.simulate import regret

        return regret(
            learner,
            self.world.environment,
            self.rounds,
            self.runs,
            self.seed,
            self.jobs,
            kind=self.kind,
            engine=self.engine,
            progress=progress,
        )

    def _check_rounds(self, learner: Learner) -> None:
        from discreet.experts.blocks import BlockLearner
        from discreet.losses import MAX_ROUNDS

        most = learner.max_rounds if isinstance(learner, BlockLearner) else MAX_ROUNDS
        if self.rounds > most:
            raise ValueError(f"at most {most:,} rounds fit; {self.rounds:,} were asked for")
        if self.world.rounds is not None and self.rounds > self.world.rounds:
            raise ValueError(f"the log has {self.world.rounds:,} rounds; {self.rounds:,} were asked for")

    def _work(self, learner: Learner) -> float:
        """About how many losses are looked at: those of every round, or of two totals a block."""
        import numpy as np

        from discreet.experts import TreeLeader
        from discreet.simulate.monte_carlo import Task

        task = Task(type(learner), learner.get_params(), self.world.environment, np.array([self.rounds]), self.kind)
        if task.seen(learner) is not None:
            return 2.0 * self.rounds.bit_length() * self.runs * learner.n_actions
        losses = float(self.rounds) * self.runs * learner.n_actions * (_DRAW if isinstance(learner, TreeLeader) else 1)
        if losses > MOST or not _steps(learner):
            return losses
        return max(losses, float(_STEP) * self.rounds * len(task.chunks(self.runs, self.seed)))


def make_plan(
    world: World, rounds: int | None, runs: int | None, seed: int, jobs: int, engine: str, kind: KindName | None
) -> Plan:
    """The plan, with what was not said filled in."""
    known = world.environment.means is not None
    if kind is KindName.PSEUDO and not known:
        raise ValueError("these losses have no known expectations, so only their realized regret is defined")
    chosen: Kind = "realized" if kind is KindName.REALIZED or not known else "pseudo"
    return Plan(world, rounds or world.rounds or USUAL_ROUNDS, runs or 1000, seed, jobs, engine, chosen)


def _steps(learner: Learner) -> bool:
    """Whether the learner goes through rounds one at a time."""
    from discreet.experts import Learner

    return type(learner).play_units is Learner.play_units


def _check_engine(engine: str) -> None:
    if importlib.util.find_spec(_PACKAGES[engine]) is None:
        extra = "command" if engine == "loky" else engine
        raise ValueError(f"the engine {engine} is not installed; install it with: pip install 'discreet[{extra}]'")


def _order(number: float) -> str:
    """A number by its size.

    >>> _order(10**11), _order(3.2), _order(4.2e15)
    ('10^11', '4', '4·10^15')
    """
    if number < 1000:
        return f"{math.ceil(number)}"
    power = math.floor(math.log10(number))
    front = math.floor(number / 10**power)
    return f"10^{power}" if front == 1 else f"{front}·10^{power}"
