"""Checks of learners on reports: what their actions give away of losses that were reported, and how they draw."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.audit import online
from discreet.audit.betting import test
from discreet.audit.findings import Finding
from discreet.audit.lower_bound import LowerBound, lower_bound
from discreet.audit.noise import kept
from discreet.audit.playing import reported
from discreet.guarantees import Guarantee, NoGuarantee
from discreet.guarantees.rounding import root_up, up
from discreet.local import AdaptiveBatchLeader, MetaLeader, ReportLearner
from discreet.mechanisms import GaussianNoise

Floats = NDArray[np.float64]

#: What is looked at of a learner on reports at work. It may draw from a seed: noise was added before.
LOOKS = {
    "act twice": online.draws_once,
    "one rule": online.acts_as_it_plays,
    "resume": online.keeps_its_choice,
}
#: Rounds after the one that is replaced, two by two; rounds in which learners are looked at.
_MORE, _ROUNDS = 3, 20
_FALSE_ALARM = 1e-6


def of_learner(learner: ReportLearner, promised: Guarantee, runs: int, seed: int) -> Iterator[Finding]:
    """What can be checked of a learner on reports: what it releases of losses that were reported, and how it draws."""
    if learner.scale:
        yield Finding("noise", *kept(promised, GaussianNoise(learner.scale, learner.unit), learner.n_actions))
    told = learner.mu is not None and learner.scale > 0
    claims = not isinstance(learner.claim, NoGuarantee)
    yield Finding("promise", claims == told, "as it should be" if claims == told else f"it promises {learner.claim!r}")
    few = for_two(learner)
    if told and not isinstance(promised, NoGuarantee):
        verdict = test(reported(few, seed), _pairs(), promised, _bearable(few, runs), _FALSE_ALARM)
        yield Finding("statistics", not verdict.rejected, str(verdict))
    looks = LOOKS | ({"batches": waits_for_batches} if isinstance(few, AdaptiveBatchLeader) else {})
    for name, look in looks.items():
        seen = look(few, _ROUNDS)
        yield Finding(name, seen is None, seen or "as it should be")


def certified(learner: ReportLearner, runs: int, seed: int) -> LowerBound | None:
    """What samples of released actions certify with 95% confidence, of losses reported at the learner's mu."""
    if learner.mu is None or not learner.scale:
        return None
    draw, pairs = reported(for_two(learner), seed + 1), _pairs()
    each, sure = _bearable(learner, runs) // len(pairs), 1 - 0.05 / len(pairs)  # sure of all of them at once
    return max((lower_bound(draw, *pair, each, sure) for pair in pairs), key=lambda found: found.epsilon)


def _bearable(learner: ReportLearner, runs: int) -> int:
    """How many runs are drawn: a learner over learners goes through them one by one."""
    return runs // 10 if isinstance(learner, MetaLeader) else runs


def waits_for_batches(learner: AdaptiveBatchLeader, rounds: int) -> str | None:
    """An action that changes within a batch, when another one has long been better. None if there is none.

    What batches add to the promise rests on this: within one, nothing that comes in is looked at.
    """
    made = type(learner)(**(learner.get_params() | {"runs": None, "seed": 1}))
    lead = np.array([-1.0, 1.0]) * 50 * max(1.0, made.scale)
    for _ in range(rounds):
        made.play(np.tile(lead, (1 + int(made._delay[0]), 1)))  # to the end of a batch, where the next one is chosen
        if made._delay[0] > rounds:
            break
    action = made.act()
    for place in range(min(rounds, int(made._delay[0]))):
        made.update(-lead * 40)
        if made.act() != action:
            return f"the action changed {place + 1} rounds into a batch"
    return None


def _pairs() -> list[tuple[Floats, Floats]]:
    """Neighboring tables of two actions, whose first round is turned round: that alone, and with rounds after it."""
    table = np.tile([[0.0, 1.0], [1.0, 0.0]], (_MORE, 1))
    neighbor = np.concatenate([1 - table[:1], table[1:]])
    return [(table[:1], neighbor[:1]), (table, neighbor)]


def for_two(learner: ReportLearner) -> Any:
    """The same learner for two actions, with reports of losses that may turn round altogether."""
    scale = learner.scale if learner.mu is None else up(Fraction(root_up(Fraction(2))) / Fraction(learner.mu))
    shared = {"n_actions": 2, "scale": scale, "seed": None, "runs": None}
    return type(learner)(**(learner.get_params() | shared))
