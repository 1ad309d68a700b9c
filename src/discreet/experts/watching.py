"""Watching learners: they keep an action while a private test finds nothing wrong with it, then draw another.

The rule is written once, here; a subclass says what the test looks at, and with which constants.

Why a watching learner is private. What is played is a function of when tests halt, which actions are drawn and which
checks pass. Take one course of these events, and two tables that differ in one round. In that course the round lies
in one phase, between two draws, and the probability of the course is a product of what happened phase by phase:

- Only the test of that phase sees the round, if queries are made of the rounds of their phase. It halts where the
  course says, with a probability that changes by a factor of e^level at most, and all other tests do as before. (A
  learner whose queries go further back pays for the later tests too: `PotentialExperts`.) Where the queries are sums
  of losses since the phase began, the round is in all that come after it alike, and `SumAboveThreshold` will do.
- Every draw and every check after the round sees it, and changes by e^(its level) at most. There are never more of
  them than the stages allow, and no test is made when they are used up.

The factors multiply: the level of one test, and the levels of all draws and checks. Which phase the round lies in is
not known in advance, but it is the same for both tables once the course is given. That is all that is needed, since
for pure privacy a bound for every single course is a bound for every set of them.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.experts.base import Actions, Learner
from discreet.experts.stages import Stage
from discreet.losses import MAX_ROUNDS, Units
from discreet.mechanisms import AboveThreshold

Runs = NDArray[np.int64]
#: Losses, or queries, looked at in one go, at most.
_CELLS = 1 << 18


class WatchingLearner(Learner):
    """The rule of all watching learners; a subclass says which test and stages."""

    _state: tuple[str, ...] = ("_action", "_totals", "_lost", "_thresholds", "_stage", "_switches")

    #: The test of every phase, with threshold 0: thresholds are the stages'.
    test: AboveThreshold
    stages: tuple[Stage, ...]
    #: Whether a stage whose draws are used up leaves to the next one; else nothing is watched any more.
    moves_on = False

    @property
    def max_rounds(self) -> int:
        """How many rounds fit: a total and a threshold must be comparable in int64."""
        return MAX_ROUNDS // 4

    @property
    def revealed(self) -> Fraction:
        """The level of one test, and of all draws and checks together."""
        return self.test.level + sum(stage.level for stage in self.stages)

    def _reset(self) -> None:
        self._totals = np.zeros((self._width, self.n_actions), dtype=np.int64)
        self._lost = np.zeros(self._width, dtype=np.int64)
        self._stage = np.zeros(self._width, dtype=np.int64)
        self._switches = np.zeros(self._width, dtype=np.int64)
        self._action = self._entropy.below_each(np.full(self._width, self.n_actions))
        self._thresholds = self._drawn_thresholds(self._stage)

    def _limits(self, name: str, rounds: int) -> tuple[Any, Any]:
        if name == "_thresholds":
            return -(2**62), 2**62
        if name == "_stage":
            return 0, len(self.stages)
        if name == "_switches":
            return 0, max(stage.switches for stage in self.stages)
        return super()._limits(name, rounds)

    def _drawn_thresholds(self, stages: Runs) -> Units:
        """Fresh noisy thresholds for runs in these stages."""
        levels = np.array([stage.threshold for stage in self.stages])
        return levels[stages] + self.test.thresholds(len(stages), self._entropy)

    def _learn(self, units: Units) -> None:
        self.play_units(units)

    def play_units(self, units: Units) -> Actions:
        """The actions of some rounds: as many at a time as pass without a test that halts."""
        actions, at = np.empty((len(units), self._width), dtype=np.int64), 0
        for rounds, action in self.stretches(units):
            actions[at : at + rounds] = action
            at += rounds
        return actions

    def stretches(self, units: Units) -> Iterator[tuple[int, Actions]]:
        """Learn some rounds, as many at a time as pass without a test that halts."""
        if self._rounds + len(units) > self.max_rounds:
            raise ValueError(f"at most {self.max_rounds} rounds fit; {self._rounds + len(units)} were asked for")
        rows = units if units.ndim == 3 else units[:, None]
        at, ahead, most = 0, 16, max(1, _CELLS // max(self._width, rows[:1].size))
        while at < len(rows):
            part = rows[at : at + min(ahead, most)]
            done, halted = self._watch(part)
            played = self._action
            self._advance(part[:done], halted)
            yield done, played
            at, ahead = at + done, 2 * done

    def _watch(self, rows: Units) -> tuple[int, NDArray[np.bool_]]:
        """How many rounds pass until some run's test may have halted, and which runs' did in the last of them."""
        halted = np.zeros(self._width, dtype=np.bool_)
        active = (self._stage < len(self.stages)).nonzero()[0]
        if not active.size:
            return len(rows), halted
        queries = self._queries(rows)[:, active]
        done, halted[active] = self.test.first_above(queries, self._thresholds[active], self._entropy)
        return done, halted

    def _queries(self, rows: Units) -> Units:
        """What the test looks at after each of the coming rounds, (rounds, runs), while the actions stay."""
        return self._lost + np.cumsum(self._suffered(rows), axis=0)

    def queries_from(self, totals: Units, rows: Units) -> Units:
        """What the test of a phase that begins at these totals (K,) looks at in each of the coming rounds, for each
        action that may be played in it: (rounds, K). For the audit."""
        made = copy.copy(self)
        made._width, made._action = self.n_actions, np.arange(self.n_actions)
        made._totals = np.tile(totals, (self.n_actions, 1))
        made._lost = np.zeros(self.n_actions, dtype=np.int64)
        made.__dict__.update(made._begun(made._totals, made._action))
        return made._queries(rows[:, None])

    def _suffered(self, rows: Units) -> Units:
        """The losses of the current actions, (rounds, runs)."""
        if rows.shape[1] == 1:
            return rows[:, 0, self._action]
        return rows[:, np.arange(self._width), self._action]

    def _advance(self, rows: Units, halted: NDArray[np.bool_]) -> None:
        """Learn rounds of which the last one halted the tests of some runs. All at once: see `BlockLearner.advance`."""
        after: dict[str, Any] = {
            "_totals": self._totals + rows.sum(axis=0),
            "_lost": self._lost + self._suffered(rows).sum(axis=0),
            "_rounds": self._rounds + len(rows),
        }
        if halted.any():
            self._switch(after, halted.nonzero()[0])
        self.__dict__.update(after)

    def _switch(self, after: dict[str, Any], runs: Runs) -> None:
        """Draw an action for these runs, and begin their next phases."""
        action, stage, switches = self._action.copy(), self._stage.copy(), self._switches.copy()
        totals = after["_totals"]
        for place in np.unique(stage[runs]).tolist():
            of_stage, rule = runs[self._stage[runs] == place], self.stages[place]
            action[of_stage] = rule.selection.sample(rule.scores(totals[of_stage]), self._entropy)
            stage[of_stage], switches[of_stage] = self._left(place, switches[of_stage] + 1, totals, action, of_stage)
        thresholds, lost = self._thresholds.copy(), after["_lost"].copy()
        watching = runs[stage[runs] < len(self.stages)]
        thresholds[watching], lost[runs] = self._drawn_thresholds(stage[watching]), 0
        changed = {"_action": action, "_stage": stage, "_switches": switches}
        after.update(changed, _thresholds=thresholds, _lost=lost, **self._begun(totals, runs))

    def _begun(self, totals: Units, runs: Runs) -> dict[str, Any]:
        """What else the state has to hold when phases of these runs begin at these totals."""
        return {}

    def _left(self, place: int, switches: Runs, totals: Units, action: Actions, runs: Runs) -> tuple[Runs, Runs]:
        """The stages and numbers of draws of these runs, which were in one stage, after a draw."""
        rule = self.stages[place]
        passed = np.zeros(len(runs), dtype=np.bool_)
        if rule.check:
            passed = rule.check.passed(totals[runs, action[runs]], self._entropy)
        return self.left(place, switches, passed)

    def left(self, place: int, switches: Runs, passed: NDArray[np.bool_]) -> tuple[Runs, Runs]:
        """The stage and the number of draws in it, after a draw that was the n-th in a stage and a check of it."""
        used_up = switches >= self.stages[place].switches
        end = place + 1 if self.moves_on else len(self.stages)
        stage = np.where(passed, place + 1, np.where(used_up, end, place))
        return stage, np.where(stage == place, switches, 0)
