"""Learners on reports whose suggestions are fixed in advance, and learners that make the most of what they know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.experts.base import Actions
from discreet.local import AdaptiveBatchLeader, RandomWalkLeader, ReportLearner, RollingRegression
from discreet.losses import Units


class Scripted(ReportLearner):
    """Suggests the actions of a script, again and again, whatever is reported."""

    def __init__(
        self,
        script: Sequence[int],
        n_actions: int = 2,
        scale: float = 1.0,
        mu: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.script = tuple(script)
        self._begin_reports(n_actions, scale, mu, seed, runs)

    def _reset(self) -> None:
        self._action = np.full(self._width, self.script[0])

    def _play_chunk(self, rows: Units) -> Actions:
        places = np.arange(self._rounds, self._rounds + len(rows) + 1) % len(self.script)
        actions = np.array(self.script)[places]
        self.__dict__.update(_action=np.full(self._width, actions[-1]), _rounds=self._rounds + len(rows))
        return np.broadcast_to(actions[:-1, None], (len(rows), self._width)).copy()


class Rival(ReportLearner):
    """One of some learners that know how `MetaLeader` chooses: whoever it will follow suggests action 1, a bad one.

    All of them add up the scores of all, as `MetaLeader` does but for its initial noise and for y; the one with the
    smallest score suggests action 1, the others action 0. A function of past reports alone, as theorem 3 asks.
    """

    def __init__(
        self,
        place: int,
        rivals: int,
        n_actions: int = 2,
        scale: float = 1.0,
        mu: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.place, self.rivals = place, rivals
        self._begin_reports(n_actions, scale, mu, seed, runs)

    def _reset(self) -> None:
        self._sums: NDArray[np.int64] = np.zeros((self._width, self.rivals), dtype=np.int64)
        self._action = self._suggested(self._sums)[:, self.place]

    def _suggested(self, sums: NDArray[np.int64]) -> Actions:
        """What all rivals suggest, (runs, rivals)."""
        suggested: Actions = (np.arange(self.rivals) == sums.argmin(axis=1)[:, None]).astype(np.int64)
        return suggested

    def _play_chunk(self, rows: Units) -> Actions:
        actions, sums = np.empty((len(rows), self._width), dtype=np.int64), self._sums
        for i, row in enumerate(rows):
            suggested = self._suggested(sums)
            actions[i] = suggested[:, self.place]
            sums = sums + np.take_along_axis(np.broadcast_to(row, (self._width, self.n_actions)), suggested, axis=1)
        last = self._suggested(sums)[:, self.place]
        self.__dict__.update(_sums=sums, _action=last, _rounds=self._rounds + len(rows))
        return actions


FIXED = ("all agree", "all differ", "taking turns", "two cliques", "four cliques", "one apart", "by lot")
REACTING = ("copies", "walks and trends")
RIVALS = "rivals"


def team(kind: str, m: int) -> list[ReportLearner]:
    """So many learners; those with scripts want m actions."""
    if kind == "copies":
        return [RandomWalkLeader(2, 1.0) for _ in range(m)]
    if kind == "walks and trends":
        trends = [RollingRegression(4 << i // 2, 1.0 if i % 2 else 1e6) for i in range(m - 2)]
        return [RandomWalkLeader(2, 1.0), AdaptiveBatchLeader(2, 1.0), *trends]
    if kind == RIVALS:
        return [Rival(i, m) for i in range(m)]
    return [Scripted(_script(kind, i, m)) for i in range(m)]


def _script(kind: str, i: int, m: int) -> list[int]:
    """What one learner suggests, fixed in advance."""
    lots: list[int] = np.random.default_rng([23, i]).integers(0, m, 997).tolist()
    scripts = {
        "all agree": [0],
        "all differ": [i],
        "taking turns": [(i + t) % m for t in range(m)],
        "two cliques": [i % 2],
        "four cliques": [i % 4],
        "one apart": [min(i, 1)],
        "by lot": lots,
    }
    return scripts[kind]
