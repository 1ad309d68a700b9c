"""Study 8: table 1 of Asi et al. for experts, measured: what a perfect action is worth under privacy."""

from __future__ import annotations

from studies.page import Page
from studies.realizable.cases import FAR, FAR_QUICK, FULL, QUICK, far, measured
from studies.realizable.figure import figure
from studies.realizable.findings import findings
from studies.realizable.grown import grown
from studies.realizable.lower import hard
from studies.realizable.nearly import near
from studies.realizable.results import Results
from studies.realizable.switches import switching
from studies.realizable.tables import tables

ABOUT = """
Asi, Feldman, Koren & Talwar (2023) say that regret need not grow with the number of rounds T where one of the K actions
never loses: with privacy it is about (log(K)² + log(T) log(K)) / epsilon (theorem 1), where all losses at once need
sqrt(T log K) + T^(1/3) log(K) / epsilon or more by the bounds that they compare with (table 1). How large is it, and
what does it depend on?

**How.** Realized regret at the end, by `simulate.regret`, actions in place (`still()`), which changes nothing for
learners that treat actions alike. Four sequences with a perfect action: all others lose 1 in the second half ("late
loss"); they turn bad one by one; half of the rest turn bad at a time ("halving"); each loss of the others is a fair
coin ("random, one zero"). ± is 1.96 standard errors; block learners have 400 runs, those that watch every round fewer
(`studies/realizable/cases.py`).

**Beside what.** `PrivateLeader` and `NoisyLeader` are made for losses of one law, and promise nothing where actions
turn bad: that their regret grows there says nothing about learners for losses of any kind. `TreeLeader` is one of those
(Agarwal & Singh 2017): it follows the leader of private sums, with the least noise that privacy allows, or with noise
of one law in all sums, for which a bound of order sqrt(T log K) is proved. It has the largest mu that proves epsilon at
delta 10^-6: an (epsilon, delta) promise beside pure ones. It draws a number for each action in each round, so its runs
are few, 8 of a million rounds and 2 with 1,000 actions, and it is left out of 10^7 rounds and of 10,000 actions. The
paper's own comparison, a private shrinking dartboard, is not in this package. For the same earlier bound the paper's
abstract has min(d, T^(1/3) log d) / epsilon and its table 1 the root of that d; only the growth with T is compared
here.

**Exponents.** Least squares of log regret on log T, on log log K and on log epsilon; ± is 1.96 standard errors by the
scatter around the line, which is not noise alone: regret is not a power, and block learners' regret depends on where
the last block began. For T the fit begins at 10,000 rounds: in fewer, some learners have not yet lost enough to switch
at all. Up to logarithms flat means here: from 10^4 to 10^6 rounds regret grows no more than log T does, 1.5 times.

**Nearly perfect.** With K = 10 and T = 100,000 the best action has a loss L* from 0 to sqrt(T): it pays in the first L*
rounds, while the others turn bad by halves; or it loses in each round with probability L*/T. Algorithm 1 is told L*
(`best_loss`), or that it is 0; algorithm 2 and `TreeLeader` are told nothing.

**Switches.** Draws of algorithm 1 in all, and Z_i, draws between the last round at which the potential of lemma 3.1 is
1/2^i of what it was and the last one at which it is half of that. The potential belongs to softmax at the rate that the
learner uses; for the tight constants permute-and-flip draws, of which the paper does not speak. The lemma says that Z_i
= k + 1 has at most probability (2/3)^k. The paper's m = ceil(log d) halvings reach the end only with a binary
logarithm, which is what is taken here; its K = 6 ceil(log d) + 24 log(1/beta) is printed with a natural one.

**Lower bound.** Theorem 5's constant is log(K) / (32 epsilon), for epsilon up to 1/10. `bounds.asi_theorem_5_sharp` is
about (log K - 1) / epsilon, for pure privacy and any epsilon. Each on its own instance: `late_loss` with as many losing
rounds as its proof has. Both bound the average over where the perfect action stands; for learners that treat actions
alike this is the regret in one place. On the four sequences above they say nothing. Theorem 5 allows a delta of up to
epsilon / K, so `TreeLeader` stands beside it; the sharper bound does not.
"""

#: K, rounds, L*, runs, runs of block learners, runs of `TreeLeader`.
NEAR = (10, 100_000, (0, 10, 32, 100, 316), 100, 400, 40)
NEAR_QUICK = (10, 3_000, (0, 55), 3, 3, 2)
#: K, epsilon, rounds and runs.
GROWN = (10, 10.0, ((1_000, 40), (10_000, 40), (100_000, 24), (1_000_000, 12)))
GROWN_QUICK = (10, 10.0, ((500, 3), (2_000, 3)))
#: K and runs; rounds.
SWITCHES, SWITCH_ROUNDS = ((10, 1000), (100, 600), (1000, 100)), 20_000
HARD = ((32, 256), (0.02, 0.1, 1.0), 300, 400)
HARD_QUICK = ((32,), (0.1, 1.0), 100, 20)


def study(quick: bool, jobs: int) -> Page:
    """Measure all of it."""
    sizes = QUICK if quick else FULL
    found = {what: [case for size in of for case in measured(size, jobs, seed=11)] for what, of in sizes.items()}
    further = far(FAR_QUICK if quick else FAR, jobs)
    more = grown(GROWN_QUICK if quick else GROWN, jobs)
    close = near(NEAR_QUICK if quick else NEAR, jobs)
    counted = [
        switching(sequence, k, constants, 2_000 if quick else SWITCH_ROUNDS, 60 if quick else runs)
        for k, runs in (SWITCHES[:1] if quick else SWITCHES)
        for constants in ("tight", "paper")
        for sequence in ("one by one", "halving")
    ]
    least = hard(HARD_QUICK if quick else HARD, jobs)
    results = Results(found, further, more, close, counted, least)
    caption = (
        "Left: regret over rounds on halving, K = 10, epsilon 1; black: the sharper lower bound, of another instance. "
        "Middle: over L* where the best action pays first. Right: the largest share of runs with k + 1 draws during "
        "one halving of the potential, against (2/3)^k."
    )
    return Page("A perfect action", ABOUT, tables(results), figure(results), caption, findings(results))
