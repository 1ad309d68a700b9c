"""Replaying a log: one pass over the file, then every learner from its totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.experts import FollowTheLeader, Hedge, NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from discreet.experts.titles import title
from discreet.losses import UNITS
from discreet.replay.log import Log, UnitColumns
from discreet.replay.proved import bound_for
from discreet.replay.result import Curve, Result, Timeline
from discreet.replay.scoring import Expected, Played, horizons, regrets
from discreet.replay.sums import Totals, Watcher, add_up
from discreet.schedules import Counts

#: Told after each chunk how many rounds have been read.
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Replay:
    """A finished replay: the owner's result, and the release, which alone is private."""

    result: Result
    release: Timeline | None


def replay(
    log: Log,
    learner: BlockLearner,
    runs: int = 200,
    seed: int = 1,
    release: bool = False,
    compare: bool = True,
    progress: Progress | None = None,
) -> Replay:
    """Run a learner over a log, beside others at the same epsilon and two that are not private.

    learner: its parameters are what counts; it is cloned. runs: seeded runs of each private learner, for the
    owner's view. release: also make one run on system entropy; that run alone may be shown to others.
    """
    simulated = [Played(_with(made, log, runs, s)) for made, s in _seeded(learner, compare, seed)]
    released = [Played(_with(learner, log, None, None))] if release else []
    expected = [Expected(kind(log.n_actions, seed=seed), horizons()) for kind in (FollowTheLeader, Hedge) if compare]
    players = simulated + released
    by_rounds = [played for played in players if played.learner.needs_rounds]
    watchers: list[Watcher] = [seen.watch for seen in expected]
    watchers += [played.watch for played in by_rounds]
    watchers += [_reporter(progress)] if progress else []
    totals = add_up(log, _cuts(players, log.rows), watchers)
    for played in players:
        if not played.learner.needs_rounds:
            played.from_totals(totals)
    return _summary(log, learner, totals, simulated, released, expected, seed)


def _seeded(learner: BlockLearner, compare: bool, seed: int) -> list[tuple[BlockLearner, np.random.SeedSequence]]:
    """The chosen learner and those to compare it with, each with a seed of its own that the others do not change."""
    epsilon, k = learner.epsilon, learner.n_actions
    others: list[BlockLearner] = [PrivateLeader(k, epsilon), PrefixSoftmax(k, epsilon)]
    others += [NoisyLeader(k, epsilon, noise=noise) for noise in ("exponential", "gumbel", "laplace")]
    mine = learner.get_params() | {"seed": None, "runs": None}
    others = [other for other in others if not (type(other) is type(learner) and other.get_params() == mine)]
    chosen = [learner, *others] if compare else [learner]
    return list(zip(chosen, np.random.SeedSequence(seed).spawn(len(chosen)), strict=True))


def _with(learner: BlockLearner, log: Log, runs: int | None, seed: np.random.SeedSequence | None) -> BlockLearner:
    return type(learner)(**(learner.get_params() | {"n_actions": log.n_actions, "runs": runs, "seed": seed}))


def _cuts(players: Sequence[Played], rows: int | None) -> Counts:
    """Every round up to which some learner, or a curve, needs the totals."""
    limit = min(played.learner.max_rounds for played in players) if rows is None else rows
    cuts = np.unique(np.concatenate([horizons(), *(played.learner.cuts(limit) for played in players)]))
    return cuts[cuts <= limit]


def _reporter(progress: Progress) -> Watcher:
    def watch(first: int, units: UnitColumns) -> None:
        progress(first + units.shape[1])

    return watch


def _summary(
    log: Log,
    learner: BlockLearner,
    totals: Totals,
    simulated: Sequence[Played],
    released: Sequence[Played],
    expected: Sequence[Expected],
    seed: int,
) -> Replay:
    reached = horizons()[horizons() < totals.rounds]
    rounds = np.append(reached, totals.rounds)
    curves = [_curve(played, totals, rounds) for played in simulated]
    for seen in expected:
        losses = seen.losses(totals.rounds)
        name = type(seen.learner).__name__
        regret = regrets(losses, totals, rounds)
        curves.append(Curve(name, name, False, rounds, regret, losses[:, -1] / UNITS, exact=True))
    bound, bound_words = bound_for(simulated[0].learner, totals)
    shown = (released or simulated)[0]
    timeline = shown.timeline(totals, released=bool(released))
    claim = learner.clone().set_params(seed=None).claim
    result = Result(
        log=log.path.name,
        actions=log.names,
        rounds=totals.rounds,
        totals=totals.before[-1] / UNITS,
        learner=title(learner),
        guarantee=repr(claim),
        guarantee_words=f"{claim.words()} For a person whose losses are in k rounds, epsilon is k times that.",
        bound=bound,
        bound_words=bound_words,
        curves=tuple(curves),
        timeline=timeline,
        released=_curve(released[0], totals, rounds) if released else None,
        seed=seed,
        reading=log.reading(),
        parameters=repr(learner),
    )
    return Replay(result, timeline if released else None)


def _curve(played: Played, totals: Totals, rounds: Counts) -> Curve:
    losses = played.losses(totals, rounds)
    name = type(played.learner).__name__
    return Curve(name, title(played.learner), True, rounds, regrets(losses, totals, rounds), losses[:, -1] / UNITS)
