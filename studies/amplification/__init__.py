"""Figure 1 of Jacobsen & Fawaz, what batches add to the privacy of reports."""

from __future__ import annotations

import numpy as np

from discreet.local import simulated_batch_law
from studies.amplification.curves import PAPERS, TWO, Ints, Model, Round
from studies.amplification.figure import figure
from studies.amplification.findings import findings
from studies.amplification.heuristic import guesses
from studies.amplification.tables import tables
from studies.page import Page

ABOUT = """
What the actions of `AdaptiveBatchLeader` reveal about the losses of one round: by the proof, whatever all losses are
(`amplified_trade_off`), and by runs on zeros, which should be the worst losses (figure 1 of Jacobsen & Fawaz 2025).
There mu = 1, n = 25, sensitivity 5, tolerance 0.01, T = 10,000, 1,000 runs.

**How.** 1,000 runs of the learner itself, on reports of zeros; the size of the batch around round t is read off the
delays that it shows. Both curves are mixtures over the size, which is known to whoever tests: at one threshold s of
the log-likelihood ratio for all sizes, false positives alpha and false negatives beta are means over sizes. Analytic:
over the law that is proved to be stochastically smaller (`least_batch_law`). Empirical: over the sizes of the runs, so
**the empirical curve is an estimate for zeros, not a promise**. ± and bands are 1.96 standard errors of beta + e^s
alpha over runs, for each point by itself; one run more is counted as if it had been of the other extreme, since rare
sizes may not have been seen. "Below" and "above" allow for 4.5 standard errors.

**Two actions.** The same at n = 2, mu = 1, sensitivity sqrt(2), where the rule of thumb of appendix A.11 begins. It
says by what factor mu falls but for some chance; "mended" is `heuristic_ratio`, with the slips of the derivation put
right (see the page on the local model), "as printed" is equation 15 with the n/2 of equation 19. Its curve, drawn
dotted, takes the mended rule at its word for every chance. **It is a heuristic: no such curve is guaranteed.**

Reports are made by `GaussianReport`, with seeds: this is a simulation, and promises nothing.
"""

ROUNDS, ROUNDS_QUICK = (100, 1_000, 10_000), (10, 60)
PAIRS, PAIRS_QUICK = (1_000, 10_000), (60,)
RUNS, SEED = 1_000, 101


def study(quick: bool, jobs: int) -> Page:
    """Run the learner on zeros, with 25 actions and with 2."""
    runs = 60 if quick else RUNS
    rounds = _rounds(PAPERS, ROUNDS_QUICK if quick else ROUNDS, runs, SEED)
    pairs = _rounds(TWO, PAIRS_QUICK if quick else PAIRS, runs, SEED + 2)
    guessed = [guess for one in (*pairs, rounds[-1]) for guess in guesses(one.model, one.t, one.sizes)]
    again = _again(rounds[-1], runs)
    caption = (
        "Solid: analytic; dash-dotted: empirical, with 95 % intervals; black: no batches. From the left: figure 1 of "
        "the paper, its trade-offs and its (epsilon, delta); the power of tests beside that without batches; the same "
        "for two actions, and, dotted, the rule of thumb of appendix A.11, which is no guarantee."
    )
    found = findings(rounds, pairs, guessed, again)
    return Page("Amplification", ABOUT, tables(rounds, pairs, guessed), figure(rounds, pairs), caption, found)


def _rounds(model: Model, places: tuple[int, ...], runs: int, seed: int) -> list[Round]:
    sizes = model.sampled(places, runs, seed)
    return [Round(model, t, model.least(t), sizes[t]) for t in places]


def _again(one: Round, runs: int) -> Ints:
    """Sizes by `simulated_batch_law`, one for each run."""
    law = simulated_batch_law(one.t, one.model.n_actions, one.model.scale, one.model.tolerance, runs, seed=SEED + 4)
    counts = np.rint(np.array(law.weights) * runs).astype(int)
    return np.repeat(np.array(law.sizes), counts)
