"""The candidates are what they say, and the ratio is regret over the rate."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.environments import Bernoulli
from discreet.experts import NoisyLeader
from discreet.simulate import exact_regret
from studies.hardest import exponent
from studies.hardest.instances import LEAST_GAP, Candidate, Kind, families
from studies.hardest.search import ROUNDS, Effort, Task, ratio, search

KINDS: tuple[Kind, ...] = ("never change", "0 or 1", "best never changes")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [2, 3, 8])
def test_candidates_have_the_gaps_they_name(k: int, kind: Kind) -> None:
    rng = np.random.default_rng(1)
    for start in families(k, kind, rng, random=3):
        for one in (start, start.moved(2.0, rng)):
            means = one.environment().means
            assert means is not None
            assert np.diff(means).min() >= 0
            assert (means - means[0])[1:] == pytest.approx(one.gaps, abs=2**-19)
            assert one.gaps[0] >= LEAST_GAP
            assert one.n_actions == k


def test_where_only_the_best_never_changes_it_alone_does_not() -> None:
    world = Candidate("", (0.25, 0.5), "best never changes", base=0.25).environment()
    assert world.losses(200, seed=1)[:, 0].tolist() == [0.25] * 200
    assert set(world.losses(200, seed=1)[:, 1:].ravel().tolist()) == {0.0, 1.0}


def test_ratio_of_losses_that_vary_agrees_with_the_exact_one() -> None:
    one, task = Candidate("", (0.5,), "0 or 1", base=0.25), Task("NoisyLeader (gumbel)", 2, 1.0, still=False)
    learner = NoisyLeader(2, 1.0, "gumbel")
    exact = exact_regret(learner, Bernoulli([0.25, 0.75]), 2**10) / (math.log(2) * (1 / 0.5 + 1 / 1.0))
    mean, low, high = ratio(task, one, runs=4000, seed=5)
    assert ROUNDS > 2**10  # by then the exact regret has stopped growing
    assert abs(mean - exact) < 4.8916 * (high - low) / (2 * 1.96)


def test_a_search_finds_no_less_than_its_starts() -> None:
    task = Task("NoisyLeader (gumbel)", 4, 0.1, still=True)
    found = search(task, Effort(0, 5, 0, 0, 0), seed=1)
    starts = families(4, "never change", np.random.default_rng(0), random=0)
    assert found.ratio == found.searched == found.low == found.high
    assert found.ratio >= max(ratio(task, one, 0, 0)[0] for one in starts)


def test_exponent_of_powers_of_log() -> None:
    sizes = (2, 4, 8, 16)
    slope, half = exponent(sizes, [3 * math.log(k) ** 0.7 for k in sizes])
    assert slope == pytest.approx(0.7)
    assert half == pytest.approx(0, abs=1e-6)
    assert exponent((2, 8), [1.0, 2.0])[1] == math.inf
