"""Privacy that anyone can check: of the learners in this package, and of any sampler at all.

The exact tools play a learner's own code on small tables and compute what it reveals: `law`, `worst_loss`. The
statistical tools take any `sampler(losses, runs)` that returns one outcome a run: `lower_bound`, `test`, `matches`,
`trade_off_band`. They draw no chance of their own: a sampler with a seed gives the same answer again. `check` does
all of it for one learner.

What is found is certain, or certain up to a stated false alarm; what is not found may still be there.

>>> from discreet import audit, experts
>>> learner = experts.NoisyLeader(2, epsilon=1.0, noise="exponential")
>>> round(audit.worst_loss(learner, rounds=7, grid=[0, 1]).upper, 6)
1.0
>>> pair = [[0.0, 1.0]], [[1.0, 0.0]]
>>> audit.test(audit.sampler(learner), [pair], claim=0.25).rejected
True
"""

from discreet.audit.adaptive import law_against, loss_against
from discreet.audit.betting import test
from discreet.audit.check import check
from discreet.audit.events import Event
from discreet.audit.findings import Finding, Report
from discreet.audit.goodness import Match, matches
from discreet.audit.law import law
from discreet.audit.lower_bound import LowerBound, lower_bound
from discreet.audit.playing import sampler
from discreet.audit.reach import reached
from discreet.audit.trade_off_band import TradeOffBand, trade_off_band
from discreet.audit.verdict import Verdict, Witness
from discreet.audit.worst import WorstLoss, WorstPair, worst_loss

__all__ = [
    "Event",
    "Finding",
    "LowerBound",
    "Match",
    "Report",
    "TradeOffBand",
    "Verdict",
    "Witness",
    "WorstLoss",
    "WorstPair",
    "check",
    "law",
    "law_against",
    "loss_against",
    "lower_bound",
    "matches",
    "reached",
    "sampler",
    "test",
    "trade_off_band",
    "worst_loss",
]
