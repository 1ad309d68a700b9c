"""A pair of neighbors under suspicion: what its runs suggest so far, and the next bet on it."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from discreet.audit.bets import Bet, best, growth
from discreet.audit.cells import learned
from discreet.audit.claims import Lines
from discreet.audit.classifiers import Classifier
from discreet.audit.events import Event, Prefixes, prefixes
from discreet.audit.samples import Outcomes, Sampler, check_alike
from discreet.audit.stocks import Stock


@dataclass(frozen=True)
class Plan:
    """What the past suggests: an event, which side hits it more, and a bet."""

    event: Event
    swapped: bool
    bet: Bet

    def log_pay(self, left: Outcomes, right: Outcomes) -> float:
        """What fresh runs of both sides pay."""
        likelier, other = (right, left) if self.swapped else (left, right)
        return self.bet.log_pay(len(left), self.event.count(likelier), self.event.count(other))


class Suspect:
    """One pair of neighbors; its plan rests on what has been drawn before, never on the runs it is used for."""

    def __init__(self, left: Stock, right: Stock, lines: Lines, classifier: Classifier | None) -> None:
        self.left, self.right = left, right
        self.plan: Plan | None = None
        self.signal = 0.0  # square root of the evidence seen: about 1 by chance, growing with the root of the runs
        self._lines, self._classifier = lines, classifier
        self._seen = (0, 0)

    @property
    def runs(self) -> float:
        """Runs of either side; the harmonic mean where other pairs have added to one of them."""
        left, right = self.left.runs, self.right.runs
        return 2 * left * right / (left + right)

    def hope(self, average: float) -> float:
        """The growth that may be hoped for, as a square root; more where runs are fewer than the average of all pairs.

        The form is that of the minimax strategy for bandits (Audibert & Bubeck 2009). Half its bonus is enough, because
        the best of many events already looks better than it is.
        """
        bonus = 0.5 * sqrt(max(0.0, log(average / self.runs)))
        return (self.signal + bonus) / sqrt(self.runs)

    def draw(self, sampler: Sampler, runs: int) -> float:
        """Draw fresh runs of both sides; returns the logarithm of what the bet of the plan pays."""
        left, right = self.left.draw(sampler, runs), self.right.draw(sampler, runs)
        check_alike(left, right)
        return self.plan.log_pay(left, right) if self.plan else 0.0

    def update(self) -> None:
        """Plan anew if there are new runs."""
        seen = self.left.runs, self.right.runs
        if seen != self._seen:
            left, right = self.left.outcomes, self.right.outcomes
            check_alike(left, right)
            found = prefixes(learned(left, right, self._classifier), left, right)
            self.plan = self._planned(found) if found.hits.size else None
            self._seen = seen

    def _planned(self, found: Prefixes) -> Plan | None:
        """The event, direction and line that would have grown fastest, and a stake as bold as the evidence.

        The best of many events looks good by chance alone, the more so the more cells there are. So much of the
        evidence is taken off, and the stake shrunk accordingly; where nothing is left there is no bet.
        """
        runs = np.array([[[self.left.runs]], [[self.right.runs]]])
        p = (found.hits[..., None] + 0.5) / (runs + 1)
        q = (found.strays[..., None] + 0.5) / (runs[::-1] + 1)
        grows = growth(p, q, self._lines.factors, self._lines.deltas)
        row, column, line = (int(i) for i in np.unravel_index(int(np.argmax(grows)), grows.shape))
        evidence = 2 * self.runs * float(grows[row, column, line])
        self.signal = sqrt(evidence)
        by_chance = 2 * (1 + found.cells.size / 3)
        if evidence <= by_chance:
            return None
        factor, delta = float(self._lines.factors[line]), float(self._lines.deltas[line])
        chances = float(p[row, column, 0]), float(q[row, column, 0])
        bet = best(*chances, factor, delta, boldness=1 - by_chance / evidence)
        return Plan(found.event(row, column), bool(row), bet)
