"""Follow the best of several learners, all of which learn from the same reports."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.experts.base import Actions
from discreet.local import decorrelation
from discreet.local.base import ReportLearner
from discreet.local.grid import ROOM
from discreet.local.noise import normals
from discreet.losses import Units

Floats = NDArray[np.float64]


class MetaLeader(ReportLearner):
    """Plays what the learner with the smallest noisy total suggests (RW-Meta, algorithm 3).

    `learners` are patterns: any learners on reports, of which clones are made with this learner's number of actions,
    scale, runs and chance. None of them spends privacy: all see the same reports.

    **Rule.** Each of m learners has a score: N(0, scale^2) plus the reports of the actions that it suggested. Before
    round t draw y ~ N(0, v - Sigma*), where Sigma* is the covariance of the scores' noise less what all share
    (`decorrelation`), and v = max(2t, its largest eigenvalue); follow the learner with the smallest score + y. Then
    score + y has the noise of m independent N(0, v) and a shift of all.

    **Guarantee.** Local: what the report says, `GaussianDP(mu)` where `mu` is given. Central: the same. All is a
    function of reports, and of chance that owes nothing to the losses.

    **Regret.** Against the best *learner*, at most [max(sqrt 2, sqrt(L/T)) + sqrt 2] sqrt(2 T log m) in expectation, L
    the largest eigenvalue of Sigma* after T rounds (theorem 3): about scale^2 T where learners always differ, about
    scale^2 T m/2 at most, where they fall into two cliques. The proof takes what is suggested as fixed. For learners
    that react to the reports' noise it is false: where they foresee whom this learner follows, regret can grow like T
    (docs/studies/meta-bound.md). With those of this package it is seen to stay below; we know no proof.

    **Cost.** Besides the learners O(m^2) memory; a round takes a few Cholesky factors of m x m.

    >>> from discreet.local import RandomWalkLeader, RollingRegression
    >>> learner = MetaLeader(3, 5.0, [RandomWalkLeader(3, 5.0), RollingRegression(8)], mu=0.4, seed=1)
    >>> learner.guarantee, learner.play([[-9.5, 8.0, 7.5]] * 60)[-3:].tolist()
    (GaussianDP(mu=0.4), [0, 0, 0])

    Reference: Jacobsen & Fawaz, Prediction with Expert Advice under Local Differential Privacy, 2025, algorithm 3.
    """

    _choice: Actions
    _state = ("_action", "_choice", "_scores", "_agreements", "_directions")

    def __init__(
        self,
        n_actions: int,
        scale: float,
        learners: Sequence[ReportLearner],
        mu: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        if not isinstance(learners, list | tuple) or not learners:
            raise ValueError(f"learners is {learners!r}; it must be a list of at least one learner on reports")
        strangers = [learner for learner in learners if not isinstance(learner, ReportLearner)]
        if strangers:
            raise ValueError(f"learners has {strangers[0]!r}, which does not learn from reports")
        self.learners = tuple(learner.clone() for learner in learners)
        self._begin_reports(n_actions, scale, mu, seed, runs)

    def _reset(self) -> None:
        m = len(self.learners)
        self._members = [self._member(learner) for learner in self.learners]
        self._scores: Units = np.rint(normals((self._width, m), self._entropy) * (self.scale / self.unit)).astype(
            np.int64
        )
        self._agreements = np.zeros((self._width, m, m), dtype=np.int64)
        self._directions = np.tile(decorrelation.start(m), (self._width, 1))
        self.__dict__.update(self._chosen(self._members, self._scores, self._agreements, 0))

    def _member(self, pattern: ReportLearner) -> ReportLearner:
        shared = {"n_actions": self.n_actions, "scale": self.scale, "seed": self._entropy, "runs": self._width}
        return type(pattern)(**(pattern.get_params() | shared))

    @property
    def choice(self) -> Any:
        """Which learner is followed in this round: its place in the list, or one for each run."""
        return int(self._choice[0]) if self.runs is None else self._choice.copy()

    def suggestions(self) -> Actions:
        """What each learner suggests for this round, (runs, m)."""
        return _suggestions(self._members)

    def _largest(self) -> int:
        return int(max(self._scores.max(), -self._scores.min()))

    def _play_chunk(self, rows: Units) -> Actions:
        actions = np.empty((len(rows), self._width), dtype=np.int64)
        for i, row in enumerate(rows):
            actions[i] = self._action
            self._step(row)
        return actions

    def _step(self, row: Units) -> None:
        """Learn one round, all at once: copies of the learners learn it, so that an interruption changes nothing."""
        suggested, members = self.suggestions(), [copy.copy(member) for member in self._members]
        scores = self._scores + np.take_along_axis(
            np.broadcast_to(row, (self._width, self.n_actions)), suggested, axis=1
        )
        agreements = self._agreements + (suggested[:, :, None] == suggested[:, None, :])
        for member in members:
            member._learn(row[None])
        chosen = self._chosen(members, scores, agreements, self._rounds + 1)
        self.__dict__.update(chosen, _members=members, _scores=scores, _agreements=agreements, _rounds=self._rounds + 1)

    def _chosen(self, members: list[ReportLearner], scores: Units, agreements: Units, rounds: int) -> dict[str, Any]:
        """The learner that each run follows after some rounds, and the action that it suggests."""
        choice, directions = np.empty(self._width, dtype=np.int64), np.empty_like(self._directions)
        measure = max(self.scale, 1.0)  # so that no square leaves the floats
        for run in range(self._width):
            matrix = decorrelation.decorrelated(agreements[run], self.scale / measure)
            top, directions[run] = decorrelation.largest_eigenvalue(matrix, self._directions[run])
            variance = max(2.0 * (rounds + 1) / measure**2 if measure < 1e100 else 0.0, top)
            noise = decorrelation.draw(matrix, variance, self._entropy)
            choice[run] = (scores[run] + noise * (measure / self.unit)).argmin()
        action = _suggestions(members)[np.arange(self._width), choice]
        return {"_choice": choice, "_action": action, "_directions": directions}

    def state_dict(self) -> dict[str, Any]:
        """The state as plain data, that of the learners included."""
        return super().state_dict() | {"members": [member.state_dict() for member in self._members]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state, learners and all."""
        members = self._loaded(state)
        super().load_state_dict(state)
        for member in members:
            member.draw_from(self._entropy)
        self._members = members

    def draw_from(self, entropy: Entropy) -> None:
        """Take chance from there, the learners too."""
        super().draw_from(entropy)
        for member in self._members:
            member.draw_from(entropy)

    def _loaded(self, state: Any) -> list[ReportLearner]:
        """Copies of the learners, gone on from their parts of a state."""
        if not isinstance(state, dict) or not isinstance(parts := state.get("members"), list):
            raise ValueError("the state has no list of the learners' states, 'members'")
        members = copy.deepcopy(self._members)
        if len(parts) != len(members):
            raise ValueError(f"the state has {len(parts)} learners, not {len(members)}")
        for member, part in zip(members, parts, strict=True):
            member.load_state_dict(part)
            if member.rounds != state.get("rounds"):
                raise ValueError(f"the state's learners have seen {member.rounds} rounds, not {state.get('rounds')}")
        return members

    def _array(self, name: str, state: dict[str, Any], rounds: int) -> NDArray[Any]:
        loaded = super()._array(name, state, rounds)
        own = loaded.diagonal(axis1=1, axis2=2) if name == "_agreements" else np.array(rounds)
        if (own != rounds).any() or (name == "_agreements" and (loaded != loaded.swapaxes(1, 2)).any()):
            raise ValueError(f"the state's agreements are not those of {rounds} rounds")
        return loaded

    def _limits(self, name: str, rounds: int) -> tuple[Any, Any]:
        m = len(self.learners)
        limits = {"_choice": (0, m - 1), "_scores": (-ROOM, ROOM), "_agreements": (0, rounds), "_directions": (-2, 2)}
        return limits.get(name) or super()._limits(name, rounds)


def _suggestions(members: list[ReportLearner]) -> Actions:
    return np.stack([member._action for member in members], axis=1)
