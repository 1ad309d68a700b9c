"""Regret by simulation: many runs of a learner in an environment, in chunks that anyone may work on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from discreet.environments import Environment
from discreet.environments.sequence import Maker
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.experts.parameters import whole
from discreet.experts.titles import title
from discreet.losses import MAX_ROUNDS
from discreet.simulate.curve import KINDS, Kind, RegretCurve, spaced
from discreet.simulate.engines import in_order
from discreet.simulate.meters import METERS
from discreet.simulate.samples import Floats
from discreet.simulate.worlds import world_for

#: Told after each chunk how many runs are done.
Progress = Callable[[int], None]

_WORK = 1 << 22  # losses drawn in a chunk, about: some tenths of a second
_CELLS = 1 << 17  # runs of a chunk times actions, at most


def regret(
    learner: Learner,
    environment: Environment | Maker,
    rounds: int,
    runs: int = 1000,
    seed: int = 1,
    jobs: int = 1,
    *,
    kind: Kind | None = None,
    horizons: Sequence[int] | None = None,
    engine: str = "loky",
    progress: Progress | None = None,
) -> RegretCurve:
    """The regret of a learner over some rounds, in so many independent runs.

    learner: its parameters are what counts; it is cloned, with seeds of the simulation's own.
    environment: an `Environment`, or a function `make(rounds, rng)` that gives the losses (rounds, K) of a run.
    kind: "pseudo" or "realized" regret; pseudo-regret unless the environment has no known means.
    horizons: the rounds at which regret is recorded; spaced geometrically unless given, and always the last one.
    jobs, engine: how many processes, and whose: "loky" (this machine), "dask" or "ray" (a cluster that is connected
    to). The answer depends on neither: runs are cut into chunks by the size of the task alone, and each chunk has a
    seed for its learner and one for its losses, spawned from `seed`.

    >>> from discreet import environments, experts
    >>> curve = regret(experts.PrefixSoftmax(4, epsilon=1.0), environments.one_gap(4, 0.5), rounds=10**6, runs=50)
    >>> curve.horizons[-1].item(), curve.regret.shape[0], bool(10 < curve.mean[-1] < 50)
    (1000000, 50, True)
    """
    world = world_for(learner, environment)
    rounds, runs = whole("rounds", rounds, least=1), whole("runs", runs, least=1)
    _check(learner, rounds, horizons)
    chosen = _kind(world, kind)
    wanted = _horizons(rounds, horizons)
    task = Task(type(learner), learner.get_params(), world, wanted, chosen)
    chunks = task.chunks(runs, whole("seed", seed, least=0))
    parts = []
    for part in in_order(run_chunk, chunks, whole("jobs", jobs, least=1), engine):
        parts.append(part)
        if progress is not None:
            progress(sum(map(len, parts)))
    return RegretCurve(wanted, np.concatenate(parts), chosen, repr(learner), repr(world), title(learner))


@dataclass(frozen=True)
class Task:
    """What is to be simulated."""

    kind_of_learner: type[Learner]
    parameters: dict[str, Any]
    environment: Environment
    horizons: NDArray[np.int64]
    kind: Kind

    def make(self, runs: int, seed: SeedSequence) -> Learner:
        """The learner for some runs."""
        return self.kind_of_learner(**(self.parameters | {"runs": runs, "seed": seed}))

    def seen(self, learner: Learner) -> Environment | None:
        """The environment whose totals the learner chooses from; None where it must see every round.

        A learner that resamples chooses from totals of losses of 0 and 1; drawing those directly leaves out the
        losses themselves, which pseudo-regret does not need.
        """
        if not (isinstance(learner, BlockLearner) and self.environment.draws_totals):
            return None
        if not learner.needs_rounds:
            return self.environment
        return self.environment.resampled() if self.kind == "pseudo" else None

    def chunks(self, runs: int, seed: int) -> list[Chunk]:
        """The runs in chunks of a size that depends on the task alone, each with its own seeds."""
        learner = self.make(1, SeedSequence(0))
        rounds = int(self.horizons[-1])
        draws = rounds if self.seen(learner) is None else 2 * rounds.bit_length()
        size = max(1, min(_WORK // (draws * learner.n_actions), _CELLS // learner.n_actions))
        starts = range(0, runs, size)
        return [Chunk(self, min(size, runs - start), (seed, place)) for place, start in enumerate(starts)]


@dataclass(frozen=True)
class Chunk:
    """Some runs of a task. `seed` is that of the simulation and the place of the chunk in it."""

    task: Task
    runs: int
    seed: tuple[int, int]


def run_chunk(chunk: Chunk) -> Floats:
    """Simulate the runs of a chunk: their regret at the horizons, (runs, horizons)."""
    seed, place = chunk.seed
    for_learner, for_losses = (SeedSequence(seed, spawn_key=(place, role)) for role in range(2))
    task = chunk.task
    learner = task.make(chunk.runs, for_learner)
    seen = task.seen(learner)
    world = seen or task.environment
    stream = world.stream(learner.n_actions, int(task.horizons[-1]), chunk.runs, np.random.default_rng(for_losses))
    meter = METERS[task.kind](learner, stream, task.horizons, chunk.runs)
    return meter.by_rounds() if seen is None else meter.by_totals()


def _check(learner: Learner, rounds: int, horizons: Sequence[int] | None) -> None:
    most = learner.max_rounds if isinstance(learner, BlockLearner) else MAX_ROUNDS
    if rounds > most:
        raise ValueError(f"at most {most} rounds fit; {rounds} were asked for")
    bad = [horizon for horizon in horizons or () if not 1 <= horizon <= rounds]
    if bad:
        raise ValueError(f"the horizon {bad[0]} is not among the rounds 1 to {rounds}")


def _kind(world: Environment, kind: Kind | None) -> Kind:
    if kind is None:
        return "realized" if world.means is None else "pseudo"
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; it must be 'pseudo' or 'realized'")
    if kind == "pseudo" and world.means is None:
        raise ValueError(f"{world!r} has no known expected losses, so only its realized regret is defined")
    return kind


def _horizons(rounds: int, given: Sequence[int] | None) -> NDArray[np.int64]:
    if given is None:
        return spaced(rounds)
    wanted = [whole("horizon", horizon, least=1) for horizon in given]
    return np.unique(np.array([*wanted, rounds], dtype=np.int64))
