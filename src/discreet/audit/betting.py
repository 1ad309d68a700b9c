"""A test of a privacy claim that may look at its data as often as it likes: by betting against the claim."""

from __future__ import annotations

import math
from collections.abc import Iterable

from discreet.audit.claims import as_guarantee, lines
from discreet.audit.classifiers import Classifier
from discreet.audit.samples import Sampler, inside, whole
from discreet.audit.stocks import stocked
from discreet.audit.suspects import Plan, Suspect
from discreet.audit.verdict import Verdict, Witness
from discreet.guarantees import Guarantee

#: Runs that there must be for each table, so that anything can be learned about it.
LEAST = 16
_FIRST = 32


def bet_against(
    sampler: Sampler,
    pairs: Iterable[tuple[object, object]],
    claim: Guarantee | float,
    runs: int = 10_000,
    false_alarm: float = 0.05,
    *,
    classifier: Classifier | None = None,
) -> Verdict:
    """`audit.test`: test a claim on many pairs of neighbors at once, stopping as soon as it is refuted.

    `pairs` are tuples (losses, neighbor); `sampler(losses, runs)` returns an array with one independent outcome a run.
    `claim` is a guarantee or, for pure privacy, epsilon. `runs` counts all that is ever drawn: both sides, all pairs,
    and what was only used to look around; the verdict says how many were needed. Pairs that have a table in common
    share its runs, which makes the search cheaper.

    The test starts with one unit of money and bets it, again and again, that some event is likelier under one table
    than the claim allows. Each time it looks at everything drawn so far, picks the pair that promises most, the event,
    its direction and a stake, and only then draws fresh runs of this pair, which decide what the bet pays.

    **Why a true claim is safe.** Given the past, a bet is fixed before its runs are drawn, and by the claim each pair
    of fresh runs multiplies the money by at most 1 on average (`bets.Bet` has the proof, for any event, any stake, both
    directions, and each supporting line of a claim with delta or a curve). So the money is a non-negative
    supermartingale, *however* pairs, events, stakes, batches and the time to stop depend on the past. By Ville's
    inequality it ever reaches 1/false_alarm with probability at most false_alarm: no correction for the number of
    pairs, of events or of looks. Runs must be independent of one another; nothing else is assumed.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> def truth_in_three_of_four(losses, runs):
    ...     return np.where(rng.random(runs) < 0.75, losses, 1 - losses)
    >>> verdict = bet_against(truth_in_three_of_four, [(0, 0), (0, 1)], claim=0.5)
    >>> verdict.rejected, verdict.runs < 1000, verdict.witness.event
    (True, True, Event({0}))
    >>> bet_against(truth_in_three_of_four, [(0, 0), (0, 1)], claim=math.log(3)).rejected
    False
    """
    promised = as_guarantee(claim)
    promised_lines = lines(promised)
    suspects = [Suspect(*pair, promised_lines, classifier) for pair in stocked(pairs)]
    if not suspects:
        raise ValueError("there must be at least one pair of neighbors to test the claim on")
    return _Game(sampler, suspects, runs, inside("false_alarm", false_alarm)).play(promised)


#: The public name, `audit.test`. It is no `def` of that name, which pytest would take for a test of this package.
test = bet_against


class _Game:
    """The money, the runs that are left, and the pairs to bet on."""

    def __init__(self, sampler: Sampler, suspects: list[Suspect], budget: int, false_alarm: float) -> None:
        self.sampler, self.suspects, self.budget = sampler, suspects, budget
        self.goal = -math.log(false_alarm)
        self.money = self.most = 0.0  # logarithms
        self.used = 0
        self.last: tuple[Suspect, Plan] | None = None

    def play(self, claim: Guarantee) -> Verdict:
        """Look at every table once, then go where most is to be hoped for, in batches that grow."""
        stocks = list({id(stock): stock for one in self.suspects for stock in (one.left, one.right)}.values())
        first = min(_FIRST, whole("runs", self.budget, least=LEAST * len(stocks)) // (4 * len(stocks)))
        for stock in stocks:
            stock.draw(self.sampler, first)
        self.used = first * len(stocks)
        while self.money < self.goal and self.used + 2 <= self.budget:
            suspect = self.choose()
            self.bet(suspect, min(max(first, int(suspect.runs) // 8), (self.budget - self.used) // 2))
        evidence, p_value = math.exp(min(self.money, 700.0)), math.exp(-self.most)
        return Verdict(self.money >= self.goal, claim, self.used, evidence, p_value, self.witness())

    def choose(self) -> Suspect:
        """The pair to draw from next."""
        for suspect in self.suspects:
            suspect.update()
        average = sum(suspect.runs for suspect in self.suspects) / len(self.suspects)
        return max(self.suspects, key=lambda suspect: suspect.hope(average))

    def bet(self, suspect: Suspect, runs: int) -> None:
        """Bet on fresh runs of one pair."""
        if suspect.plan:
            self.last = suspect, suspect.plan
        self.money += suspect.draw(self.sampler, runs)
        self.most = max(self.most, self.money)
        self.used += 2 * runs

    def witness(self) -> Witness | None:
        """The pair, in the order of the bet, and the event of the last bet."""
        if self.last is None:
            return None
        suspect, plan = self.last
        here, there = (suspect.right, suspect.left) if plan.swapped else (suspect.left, suspect.right)
        shares = [plan.event.count(side.outcomes) / side.runs for side in (here, there)]
        place = self.suspects.index(suspect)
        return Witness(place, here.losses, there.losses, plan.event, shares[0], shares[1], here.runs + there.runs)
