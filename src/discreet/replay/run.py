"""Replaying a log: one pass over the file, then every learner from its totals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.experts import FollowTheLeader, Hedge, Learner, NoisyLeader, PrefixSoftmax, PrivateLeader
from discreet.experts.blocks import BlockLearner
from discreet.experts.titles import title
from discreet.guarantees import ApproxDP, GaussianDP, Guarantee, NoGuarantee, PureDP
from discreet.local import ReportLearner
from discreet.losses import MAX_ROUNDS, UNITS
from discreet.replay.log import Log
from discreet.replay.opened import Progress
from discreet.replay.proved import bound_for
from discreet.replay.result import Curve, Result, Timeline
from discreet.replay.scoring import Expected, Played, horizons, regrets
from discreet.replay.stepping import Stepped
from discreet.replay.sums import Totals, Watcher, add_up
from discreet.schedules import Counts

#: What a learner has played, however it was driven.
Player = Played | Stepped

#: The delta at which a mu is said as an epsilon, too.
_DELTA = 1e-6


@dataclass(frozen=True)
class Replay:
    """A finished replay: the owner's result, and the release, which alone is private."""

    result: Result
    release: Timeline | None


def replay(
    log: Log,
    learner: Learner,
    runs: int = 200,
    seed: int = 1,
    release: bool = False,
    compare: bool = True,
    progress: Progress | None = None,
) -> Replay:
    """Run a learner over a log, beside others at the same epsilon and two that are not private.

    learner: its parameters are what counts; it is cloned. One that must know the number of rounds takes it from
    `log.count()`. runs: seeded runs of each private learner, for the owner's view. release: also make one run on
    system entropy; that run alone may be shown to others.
    """
    _check_kinds(log, learner)
    claim = learner.clone().set_params(seed=None, runs=None).claim
    if release and isinstance(claim, NoGuarantee):
        raise ValueError(f"{type(learner).__name__} is not private, so there is nothing that it could release")
    simulated = [_player(_with(made, log, runs, s)) for made, s in _seeded(learner, compare, seed)]
    released = [_player(_with(learner, log, None, None))] if release else []
    expected = [Expected(kind(log.n_actions, seed=seed), horizons()) for kind in (FollowTheLeader, Hedge) if compare]
    from_totals = [played for played in simulated + released if isinstance(played, Played)]
    watchers: list[Watcher] = [seen.watch for seen in expected]
    watchers += [played.watch for played in simulated + released if isinstance(played, Stepped)]
    totals = add_up(log, _cuts(from_totals, log.rows), watchers, progress)
    for played in from_totals:
        played.from_totals(totals)
    return _summary(log, learner, totals, simulated, released, expected, seed)


def _check_kinds(log: object, learner: object) -> None:
    """Refuse reports, and learners that learn from them: they have a replay of their own."""
    if not isinstance(log, Log):
        raise ValueError(
            f"a log of losses is wanted, not {type(log).__name__}; open_log opens one, replay_reports is for reports"
        )
    if isinstance(learner, ReportLearner) or not isinstance(learner, Learner):
        raise ValueError(f"{learner!r} does not learn from losses; learners of discreet.experts do")


def _player(learner: Learner) -> Player:
    """What drives a learner: totals of blocks where they will do, else the rounds."""
    if isinstance(learner, BlockLearner) and not learner.needs_rounds:
        return Played(learner)
    return Stepped(learner)


def _seeded(learner: Learner, compare: bool, seed: int) -> list[tuple[Learner, np.random.SeedSequence]]:
    """The chosen learner and those to compare it with, each with a seed of its own that the others do not change.

    A learner whose promise is not an epsilon has no private ones to stand beside it at the same.
    """
    chosen: list[Learner] = [learner]
    epsilon = getattr(learner, "epsilon", None)
    if compare and epsilon is not None:
        mine = learner.get_params() | {"seed": None, "runs": None}
        others = _others(learner.n_actions, epsilon)
        chosen += [one for one in others if not (type(one) is type(learner) and one.get_params() == mine)]
    return list(zip(chosen, np.random.SeedSequence(seed).spawn(len(chosen)), strict=True))


def _others(n_actions: int, epsilon: float) -> list[Learner]:
    """Those that promise an epsilon for any losses and any number of rounds."""
    leaders = [NoisyLeader(n_actions, epsilon, noise=noise) for noise in ("exponential", "gumbel", "laplace")]
    return [PrivateLeader(n_actions, epsilon), PrefixSoftmax(n_actions, epsilon), *leaders]


def _with(learner: Learner, log: Log, runs: int | None, seed: np.random.SeedSequence | None) -> Learner:
    return type(learner)(**(learner.get_params() | {"n_actions": log.n_actions, "runs": runs, "seed": seed}))


def _cuts(players: Sequence[Played], rows: int | None) -> Counts:
    """Every round up to which some block learner, or a curve, needs the totals."""
    limit = min([MAX_ROUNDS, *(played.learner.max_rounds for played in players)]) if rows is None else rows
    cuts = np.unique(np.concatenate([horizons(), *(played.learner.cuts(limit) for played in players)]))
    return cuts[cuts <= limit]


def _summary(
    log: Log,
    learner: Learner,
    totals: Totals,
    simulated: Sequence[Player],
    released: Sequence[Player],
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
    claim = learner.clone().set_params(seed=None, runs=None).claim
    result = Result(
        log=log.path.name,
        actions=log.names,
        rounds=totals.rounds,
        totals=totals.before[-1] / UNITS,
        learner=title(learner),
        guarantee=repr(claim),
        guarantee_words=f"{claim.words()}{_for_people(claim)}",
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


def _for_people(claim: Guarantee) -> str:
    """What a round's guarantee is worth to a person who is in several."""
    if isinstance(claim, PureDP):
        return " For a person whose losses are in k rounds, epsilon is k times that."
    if isinstance(claim, ApproxDP):
        two = claim.for_group(2)
        return f" For a person whose losses are in two rounds, {two!r}; for more, for_group(k) says it."
    if isinstance(claim, GaussianDP):
        epsilon = math.ceil(1000 * claim.epsilon(_DELTA)) / 1000
        return (
            f" That is epsilon {epsilon:g} but for a delta of {_DELTA:g}. For a person whose losses are in k rounds, "
            "mu is k times that."
        )
    return ""


def _curve(played: Player, totals: Totals, rounds: Counts) -> Curve:
    losses = played.losses(totals, rounds)
    name, regret = type(played.learner).__name__, regrets(losses, totals, rounds)
    private = not isinstance(played.learner.claim, NoGuarantee)
    return Curve(name, title(played.learner), private, rounds, regret, losses[:, -1] / UNITS)
