"""Theorem 3 of Jacobsen & Fawaz, the bound on the regret of following the best of several learners."""

from __future__ import annotations

from joblib import Parallel, delayed

from studies.meta_bound.cases import Case, play
from studies.meta_bound.figure import figure
from studies.meta_bound.findings import findings
from studies.meta_bound.learners import FIXED, REACTING, RIVALS
from studies.meta_bound.partitions import worst
from studies.meta_bound.results import Results
from studies.meta_bound.tables import tables
from studies.page import Page

ABOUT = """
`MetaLeader` follows the best of m learners, all on the same reports. Theorem 3 of Jacobsen & Fawaz (2025) bounds its
regret against the best learner by [max(sqrt 2, sqrt(L/T)) + sqrt 2] sqrt(2 T log m), L the largest eigenvalue of Sigma*
after T rounds, for any learners that map past reports to actions. Its proof takes their suggestions as fixed. Does the
bound hold where they are fixed, where learners react to the reports' noise, and where they do so on purpose?

**Learners.** Fixed in advance: all agree; all differ; taking turns (all differ, each changes every round); two cliques
and four, of equal size; one apart from all others; by lot (each round each learner suggests any action). Reacting:
copies of `RandomWalkLeader`, which differ only by their initial noise; "walks and trends", a `RandomWalkLeader`, an
`AdaptiveBatchLeader` and `RollingRegression`s of several windows, with little ridge and with much. Rivals: two learners
that both keep account of MetaLeader's scores, which are functions of past reports but for its initial noise; the one
that MetaLeader will follow suggests an action that loses 1, the other one that loses nothing. So each of them loses
half of the time, and whoever follows the predicted one loses always.

**Losses** are tables, fixed in advance, with m actions: a hard gap, one action better by 5 sqrt(log m / T); a reversal,
where one action wins all for a quarter of the time and loses all from then on; fair coins; and for the rivals the two
actions that never and always lose. Regret is realized, against the learner that was best in the same run; ± is 1.96
standard errors over runs, each with reports and noise of its own. "At most" allows for 4.5 standard errors.

**Eigenvalues** are calculated here from who agreed with whom. Over all ways to agree: in a round learners fall into
groups, so all sums that write m are looked at; the largest eigenvalue is convex, so no mixture over rounds has more.

Reports are made by `GaussianReport`, with seeds: this is a simulation, and promises nothing.
"""

LOSSES, SCALES = ("hard gap", "reversal", "fair coins"), (1.0, 5.0)
LONG = (250, 1_000, 4_000)
CASES = (
    *(Case(kind, name, 8, scale, 1_000, 20) for kind in (*FIXED, *REACTING) for name in LOSSES for scale in SCALES),
    *(Case(kind, "hard gap", 8, 5.0, rounds, 20) for kind in ("all differ", "two cliques") for rounds in (250, 4_000)),
    *(Case(kind, "hard gap", 64, 5.0, 500, 8) for kind in ("all differ", "two cliques")),
    *(Case(RIVALS, "one bad", 2, scale, rounds, 20) for scale in (5.0, 1.0) for rounds in LONG),
)
QUICK = (
    *(Case(kind, name, 4, 5.0, 20, 3) for kind in (*FIXED, *REACTING) for name in LOSSES),
    *(Case(kind, "hard gap", 4, 5.0, 40, 3) for kind in ("all differ", "two cliques")),
    *(Case(RIVALS, "one bad", 2, scale, rounds, 3) for scale in SCALES for rounds in (20, 40)),
)
#: Numbers of learners for which all ways to agree are looked at.
SIZES, SIZES_QUICK = range(2, 25), range(2, 9)


def study(quick: bool, jobs: int) -> Page:
    """Play all cases, and look at all ways to agree."""
    played = list(Parallel(jobs)(delayed(play)(case) for case in (QUICK if quick else CASES)))
    results = Results(played, {m: worst(m) for m in (SIZES_QUICK if quick else SIZES)})
    caption = (
        "Left: regret over the bound of theorem 3, both scales. Middle: regret over rounds, with 95 % intervals; thin "
        "lines: the bounds. Right: the largest eigenvalue of Sigma* by the number of learners."
    )
    return Page("Following the best learner", ABOUT, tables(results), figure(results), caption, findings(results))
