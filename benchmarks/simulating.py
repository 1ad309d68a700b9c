"""Simulating from totals against simulating round by round, and the cost of a long horizon."""

from __future__ import annotations

import numpy as np

from benchmarks.timing import seconds
from discreet import environments, experts, simulate
from tools.table import Table

#: A run from totals is at least so many times faster than a loop over its rounds; and 10^12 rounds cost at most so
#: many times what 10^3 rounds cost.
FASTER, LONGER = 1000, 10
K, GAP, RUNS = 100, 0.1, 1000


def measure(quick: bool = False) -> Table:
    """`PrefixSoftmax` at K = 100, gap 0.1, epsilon 1, 1,000 runs: time of a run."""
    columns = ["rounds", "how", "milliseconds a run", "ratio", "wanted", "met"]
    table = Table(f"Simulation: {K} actions, gap {GAP}, {RUNS:,} runs", columns)
    rounds = 10**4 if quick else 10**6
    loop = seconds(lambda: _loop(rounds), 1, repeats=1 if quick else 3)
    ours = _time(rounds)
    table.rows.append([f"{rounds:.0e}", "NumPy loop over the rounds of one run", loop * 1e3, 1.0, "", ""])
    met = "yes" if loop / ours >= FASTER else "NO"
    table.rows.append([f"{rounds:.0e}", "simulate.regret", ours * 1e3, loop / ours, f">= {FASTER}", met])
    short, long = _time(10**3), _time(10**12)
    table.rows.append(["1e+03", "simulate.regret", short * 1e3, 1.0, "", ""])
    met = "yes" if long / short <= LONGER else "NO"
    table.rows.append(["1e+12", "simulate.regret", long * 1e3, long / short, f"<= {LONGER}", met])
    table.notes.append(
        "The ratio of the second row is how many times faster it is than the first; that of the last how many times "
        "longer it takes than the third."
    )
    return table


def _time(rounds: int) -> float:
    """Seconds a run."""
    learner, world = experts.PrefixSoftmax(K, epsilon=1.0), environments.one_gap(K, GAP)
    return seconds(lambda: simulate.regret(learner, world, rounds, RUNS, seed=1), 1) / RUNS


def _loop(rounds: int) -> float:
    """What one would write with NumPy: the same rule over one run, a round at a time."""
    rng = np.random.default_rng(1)
    means = environments.one_gap(K, GAP).means
    assert means is not None
    action, totals, seen, spent = int(rng.integers(K)), np.zeros(K), 0, 0.0
    length, prefix = 1, 1
    for _ in range(rounds):
        losses = rng.random(K) < means
        spent += means[action] - means[0]
        if seen < prefix:
            totals += losses
        seen += 1
        if seen == length:
            weights = np.exp(-(totals - totals.min()) / 8)
            action = int(rng.choice(K, p=weights / weights.sum()))
            totals, seen, length = np.zeros(K), 0, 2 * length
            prefix = int(rng.integers(length // 2 + 1, length + 1))
    return spent
