"""What a replay of reports found: estimates from noisy numbers, each with how far off it may be."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.guarantees import Guarantee
from discreet.local import AdaptiveBatchLeader, ReportLearner
from discreet.replay.reports import Reports
from discreet.replay.result import Timeline

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

#: All intervals of a replay hold at once with this probability.
LEVEL = 0.95
_SHARE = 0.1  # of the rounds: where the radius is narrowest beside its best


@dataclass(frozen=True)
class Play:
    """What one learner played, and the sum of the reports of the actions that it played."""

    learner: ReportLearner
    rounds: int  # fewer than all where it was left out after so many
    total: float
    counts: Counts  # how often each action was played
    switches: int


@dataclass(frozen=True)
class Estimates:
    """A replayed table of reports. `plays[0]` is the chosen learner. Nothing here was made from losses.

    **What is estimated.** A report is a loss plus N(0, scale^2), and an action is chosen before the reports of its
    round are seen. So the sum of the reports of a fixed action, or of those played, is the total loss plus a normal
    error of standard deviation scale sqrt(rounds): the estimate is unbiased. That needs losses that do not react to
    the noise.

    **Regret.** The smallest of n noisy totals is too small, by at most scale sqrt(2 rounds log n) on average, because
    noise helped it to be the smallest. So the regret against it is estimated too high on average, and `regret` gives
    an interval that allows for the choice.
    """

    reports: Reports
    rounds: int
    totals: Floats  # the sum of each action's reports
    plays: tuple[Play, ...]
    timeline: Timeline  # of the chosen learner
    marks: Counts  # rounds at which the chosen learner was compared with the action that is best in the end
    lead: Floats  # its sum less that action's, up to each mark
    apart: Counts  # in how many of these rounds it played another one

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions."""
        return self.reports.log.names

    @property
    def best(self) -> int:
        """The action with the smallest sum of reports."""
        return int(self.totals.argmin())

    @property
    def error(self) -> float:
        """The standard error of an estimated mean loss."""
        return self.reports.scale / math.sqrt(self.rounds)

    def regret(self, play: Play) -> tuple[float, float, float]:
        """Estimated regret against the best fixed action, and an interval that holds the true one.

        The intervals of all learners and actions hold at once, each learner's with probability `LEVEL`.
        """
        behind = play.total - self.totals
        low, high = self.between(behind, play.rounds - play.counts)
        return float(behind.max()), float(low.max()), float(high.max())

    def band(self) -> tuple[Floats, Floats]:
        """The ends between which the true `lead` stays, in all rounds at once with probability `LEVEL`."""
        return self.between(self.lead, self.apart)

    def between(self, differences: Floats, apart: Counts) -> tuple[Floats, Floats]:
        """The ends for estimated differences; no round in which two play differently adds more than one loss."""
        radius = self.radius(apart)
        return np.clip(differences - radius, -apart, apart), np.clip(differences + radius, -apart, apart)

    def radius(self, apart: Counts) -> Floats:
        """How far an estimated difference may be off after so many rounds in which two played differently.

        The error is a sum of independent N(0, 2 scale^2), one for each such round, and the number of these depends on
        earlier noise. With n such rounds and r fixed, sqrt(r/(n + r)) exp(error^2 / (4 scale^2 (n + r))) is a
        martingale that begins at 1 (Robbins' mixture), so with probability 1 - delta it stays below 1/delta in all
        rounds. delta is (1 - LEVEL) / n_actions: this holds for all rounds and actions at once, hence for the best.
        """
        r = max(1.0, _SHARE * self.rounds)
        delta = (1 - LEVEL) / len(self.totals)
        steps = apart + r
        squares = 2 * self.reports.scale**2 * steps * (np.log(steps / r) - 2 * math.log(delta))
        radius: Floats = np.where(apart > 0, np.sqrt(squares), 0.0)
        return radius

    def amplified(self, t: int) -> Guarantee | None:
        """What the chosen learner's actions alone reveal of round t to who sees nothing else; None for no more."""
        learner = self.plays[0].learner
        if not isinstance(learner, AdaptiveBatchLeader):
            return None
        promised = learner.amplified(t)
        return None if promised == learner.guarantee else promised
