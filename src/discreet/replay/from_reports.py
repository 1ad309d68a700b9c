"""Replaying reports: one pass over the file, every learner playing as the rounds go by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from discreet.experts.base import Actions
from discreet.local import ReportLearner
from discreet.local.grid import to_grid, unit_for
from discreet.losses import MAX_ROUNDS, Units
from discreet.replay.estimates import Counts, Estimates, Floats, Play
from discreet.replay.opened import BadLog, Progress
from discreet.replay.reports import Reports
from discreet.replay.result import Timeline
from discreet.replay.scoring import horizons

_ROOM = 1 << 61
#: Numbers that are less likely than this, were they reports, are none.
_HARDLY = 1e-12


def replay_reports(
    reports: Reports,
    learner: ReportLearner,
    others: Sequence[tuple[ReportLearner, int]] = (),
    progress: Progress | None = None,
) -> Estimates:
    """Play a learner over recorded reports, and estimate from them alone what its actions cost.

    Learners are cloned: their parameters are what counts. others: those to stand beside it, each with a number of
    rounds after which it is left out. All of it is made from reports, so it costs no privacy beyond theirs.
    """
    _check_kinds(reports, learner, *(other for other, _ in others))
    players = [_Player(learner.clone()), *(_Player(other.clone(), most) for other, most in others)]
    chosen, record, rounds = players[0], _Record(reports), 0
    for first, rows in reports.chunks():
        units = to_grid(rows, reports.n_actions, reports.scale)
        for player in players:
            if player.rounds < player.most:
                player.watch(rows, units)
        record.watch(first, units, chosen.latest)
        rounds = first + len(rows)
        if progress is not None:
            progress(rounds)
    return record.estimates(rounds, tuple(player.play() for player in players))


def _check_kinds(reports: object, *learners: object) -> None:
    """Refuse losses, and learners that learn from them."""
    if not isinstance(reports, Reports):
        raise ValueError(
            f"reports are wanted, not {type(reports).__name__}; open_reports opens them, replay is for losses"
        )
    for learner in learners:
        if not isinstance(learner, ReportLearner):
            raise ValueError(f"{learner!r} does not learn from reports; learners of discreet.local do")


@dataclass
class _Player:
    """A learner at play, and what has come of it."""

    learner: ReportLearner
    most: int = MAX_ROUNDS
    spent: int = 0
    switches: int = 0
    counts: Counts = field(init=False)
    latest: Actions = field(init=False)

    def __post_init__(self) -> None:
        self.counts = np.zeros(self.learner.n_actions, dtype=np.int64)
        self.latest = np.empty(0, dtype=np.int64)

    @property
    def rounds(self) -> int:
        return self.learner.rounds

    def watch(self, rows: Floats, units: Units) -> None:
        """Play some rounds: the learner sees the reports of a round after its action."""
        actions = self.learner.play(rows)
        self.spent += int(_taken(units, actions).sum())
        self.switches += int(np.count_nonzero(np.diff(actions, prepend=self.latest[-1:])))
        self.counts += np.bincount(actions, minlength=len(self.counts))
        self.latest = actions

    def play(self) -> Play:
        """What it has come to."""
        return Play(self.learner, self.rounds, self.spent * self.learner.unit, self.counts, self.switches)


class _Record:
    """The way of the chosen learner: its stretches, and sums of reports at some rounds."""

    def __init__(self, reports: Reports) -> None:
        self.reports = reports
        self.wanted = horizons()
        self.starts: list[Counts] = []
        self.actions: list[Actions] = []
        self.last = -1
        self.sums = np.zeros(reports.n_actions + 1, dtype=np.int64)  # the last for what was played
        self.kept: list[Units] = []
        self.marks: list[Counts] = []
        self.spread = 0.0  # of the reports of each round around their mean, in squared scales of the noise

    def watch(self, first: int, units: Units, actions: Actions) -> None:
        apart = (units - units.mean(axis=1, keepdims=True)) * (unit_for(self.reports.scale) / self.reports.scale)
        self.spread += float((apart * apart).sum())
        changed = np.flatnonzero(np.diff(actions, prepend=self.last))
        self.starts.append(first + changed)
        self.actions.append(actions[changed])
        self.last = int(actions[-1])
        sums = np.cumsum(np.column_stack([units, _taken(units, actions)]), axis=0) + self.sums
        self.sums = sums[-1].copy()
        if np.abs(self.sums).max() >= _ROOM:
            raise BadLog(f"{self.reports.log.path}: sums of its reports do not fit; is the scale of the noise right?")
        ends = self.wanted[(self.wanted > first) & (self.wanted <= first + len(units))]
        self._keep(ends, sums[ends - first - 1])

    def _keep(self, marks: Counts, sums: Units) -> None:
        self.marks.append(marks)
        self.kept.append(sums)

    def _check_noise(self, rounds: int) -> None:
        """Refuse numbers that lie closer together than any with such noise: they are hardly reports.

        Whatever the losses are, the spread is at least as large as a chi-square variable, in the stochastic order.
        """
        from scipy.special import chdtr

        if chdtr(rounds * (self.reports.n_actions - 1), self.spread) < _HARDLY:
            raise BadLog(
                f"{self.reports.log.path}: its numbers lie closer together than noise of scale {self.reports.scale:g} "
                "lets any; they are losses, or reports with less noise than is said"
            )

    def estimates(self, rounds: int, plays: tuple[Play, ...]) -> Estimates:
        """All of it, once the last round is over."""
        self._check_noise(rounds)
        if not len(self.marks[-1]) or self.marks[-1][-1] != rounds:
            self._keep(np.array([rounds]), self.sums[None])
        timeline = Timeline(np.concatenate(self.starts), np.concatenate(self.actions), rounds, True)
        unit, best = plays[0].learner.unit, int(self.sums[:-1].argmin())
        marks, sums = np.concatenate(self.marks), np.concatenate(self.kept)
        return Estimates(
            reports=self.reports,
            rounds=rounds,
            totals=np.asarray(self.sums[:-1] * unit),
            plays=plays,
            timeline=timeline,
            marks=marks,
            lead=np.asarray((sums[:, -1] - sums[:, best]) * unit),
            apart=marks - _played(timeline, best, marks),
        )


def _taken(units: Units, actions: Actions) -> Units:
    """The reports of the actions that were played, one a round."""
    taken: Units = np.take_along_axis(units, actions[:, None], axis=1)[:, 0]
    return taken


def _played(timeline: Timeline, action: int, rounds: Counts) -> Counts:
    """In how many of the first rounds an action was played, for some numbers of rounds."""
    ends = np.append(timeline.starts, timeline.rounds)
    times = np.append(0, np.cumsum(np.diff(ends) * (timeline.actions == action)))
    played: Counts = np.rint(np.interp(rounds, ends, times)).astype(np.int64)
    return played
