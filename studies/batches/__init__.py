"""Adaptive batches cost nothing, and hide more where data are easy."""

from __future__ import annotations

from joblib import Parallel, delayed

from studies.batches.cases import Setting, play
from studies.batches.figure import figure
from studies.batches.findings import findings
from studies.batches.hidden import at_gap, on_stream
from studies.batches.results import Results
from studies.batches.streams import STREAMS
from studies.batches.tables import tables
from studies.batches.tight import changes
from studies.page import Page

ABOUT = """
`AdaptiveBatchLeader` adds reports in batches, each as long as `RandomWalkLeader` is almost sure to keep its action, so
it should play the same actions and lose the same, and hide each round among those of its batch (Jacobsen & Fawaz
2025, section 3.1). Does it, on which data, and how well are rounds hidden there?

**Choices.** Both learners start with the same noise and get the same reports, in all runs of a setting. A batch that
begins after t reports and waits for B of them may differ in its B rounds with chance tolerance · sqrt(log n / (t + B))
(theorem 1, algorithm 4), so the mean number of rounds with different choices is at most the mean of the sum of B times
that over the batches that were made ("tolerated"), and that is at most the sum over all rounds of tolerance · sqrt(log
n / t) ("at most"). Losses are tables, fixed in advance: all zero; one action better by 1/10; near ties, actions a
little apart, at most 1/sqrt(T); fair coins; a swing, cosines that change places; a reversal, where one action wins all
for a quarter of the time and loses all from then on, so that gaps shrink as fast as losses let them; a see-saw, which
undoes leaders that have no noise. Regret is against the best single action of the table. ± is 1.96 standard errors.

**Hiding.** The law of the size of the batch around one round, estimated from runs at the paper's sizes (n = 25, mu = 1,
sensitivity 5, tolerance 0.01). **These numbers are estimates for the losses at hand, not promises**: what holds
whatever the losses is `amplified_trade_off`, and is in the study of amplification. Delta is the mean of the deltas that
each size would have by itself, the size being known to whoever tests. For losses that never change the law comes from
`simulated_batch_law`, for others from the learner itself.

**Theorem 1.** It bounds the chance that the leader changes in B steps. Beside it: how often that was so in walks
without drift, all others at the same distance behind the leader, and the sum of the chances that each of the others
catches up ("union"), a bound as valid: the difference of two actions is a walk of variance 2 scale² a step, and by
reflection it ever exceeds the gap k with chance at most 2 Phi(-k/(scale sqrt(2B))).

Reports are made by `GaussianReport`, with seeds: this is a simulation, and promises nothing.
"""

LONG, RUNS = 10_000, 100
#: Stream, actions, scale, tolerance, rounds, runs.
SETTINGS = (
    *(Setting(stream, 10, scale, 0.01, LONG, RUNS) for stream in STREAMS for scale in (0.5, 5.0)),
    *(Setting(stream, k, 5.0, 0.01, LONG, 40) for k in (2, 100) for stream in ("zeros", "one gap", "reversal")),
    *(Setting(stream, k, 1.0, 0.99, LONG, RUNS) for k in (2, 10) for stream in ("zeros", "fair coins", "reversal")),
)
QUICK = tuple(Setting(stream, 3, 1.0, tolerance, 60, 3) for stream in STREAMS for tolerance in (0.01, 0.99))
GAPS, GAPS_QUICK = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0), (0.0, 1.0)
CHANGES = ((2, 10, 100), (0.5, 0.1, 0.01), 64, 50_000)
CHANGES_QUICK = ((2, 10), (0.5,), 8, 200)


def study(quick: bool, jobs: int) -> Page:
    """Play all settings, estimate the laws, count changes."""
    run = Parallel(jobs)
    played = list(run(delayed(play)(setting) for setting in (QUICK if quick else SETTINGS)))
    t, runs = (50, 30) if quick else (10_000, 1_000)
    gaps = list(run(delayed(at_gap)(gap, t, runs) for gap in (GAPS_QUICK if quick else GAPS)))
    t = 50 if quick else 1_000
    streams = list(run(delayed(on_stream)(name, t, 2 * t, runs) for name in STREAMS))
    results = Results(played, gaps, streams, changes(*(CHANGES_QUICK if quick else CHANGES)))
    caption = (
        "Left: rounds with different choices that the tolerance allows for, each setting a mark; marks on the lower "
        "edge had none. Middle: delta at epsilon 1 for one round by the gap of the data, estimated, with 95 % "
        "intervals. Right: how often a leader changes, beside theorem 1 and the union bound."
    )
    return Page("Adaptive batches", ABOUT, tables(results), figure(results), caption, findings(results))
