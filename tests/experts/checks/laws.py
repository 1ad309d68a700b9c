"""What is learned, and by which law; and what is promised."""

from __future__ import annotations

import json

import numpy as np

from discreet.guarantees import NoGuarantee
from tests.chances import assert_fits, assert_same_law, counts_of
from tests.experts.checks.playing import K, Make, losses


def extreme_losses_are_borne(make: Make) -> None:
    """300 rounds of zeros, of ones, of one loss for all, and of one action always right: no warning, still lawful."""
    for row in ([0.0] * K, [1.0] * K, [0.3] * K, [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1e-7, 0.0, 1e-7]):
        with np.errstate(all="warn", under="ignore"):
            for runs in (None, 3):
                learner = make(seed=2, runs=runs)
                actions = learner.play(np.tile(row, (300, 1)))
                assert 0 <= actions.min() <= actions.max() < K
                learner.update(row)
                json.dumps(learner.state_dict(), allow_nan=False)


def equal_losses_leave_all_actions_equally_likely(make: Make) -> None:
    """With nothing to choose between, the choice is uniform, in the first round and later (chi-square, 1e-6)."""
    learner = make(seed=12, runs=10_000)
    for rounds in (0, 1, 2, 40):
        if rounds:
            learner.play(np.full((rounds, K), 0.4))
        assert_fits(counts_of(learner.act(), K), np.full(K, 1 / K))


def an_easy_stream_is_learnt(make: Make) -> None:
    """A perfect action among bad ones: no mistake after 3072 rounds, whichever it is (by accident: below 1e-12)."""
    for best in range(K):
        row = np.ones(K)
        row[best] = 0.0
        learner = make(seed=20 + best, runs=10)
        actions = learner.play(np.tile(row, (4096, 1)))
        assert (actions[3072:] == best).all()


def permuting_the_actions_permutes_the_law(make: Make) -> None:
    """Frequencies over many runs at fixed rounds, against those on permuted columns (chi-square, 1e-6 each)."""
    table = losses(60, seed=5) * [0.5, 0.8, 1.0]
    order = [2, 0, 1]
    straight = make(seed=31, runs=10_000)
    permuted = make(seed=32, runs=10_000)
    for start, end in ((0, 7), (7, 20), (20, 60)):
        straight.play(table[start:end])
        permuted.play(table[start:end, order])
        assert_same_law(counts_of(straight.act(), K)[order], counts_of(permuted.act(), K))


def runs_are_independent(make: Make) -> None:
    """Neighboring runs with nothing to choose between agree as often as chance has it (chi-square, 1e-6)."""
    learner = make(seed=12, runs=20_000)
    learner.play(np.full((3, K), 0.4))
    actions = learner.act()
    assert_fits(counts_of(actions[::2] * K + actions[1::2], K * K), np.full(K * K, 1 / K**2))


def a_seed_promises_nothing(make: Make) -> None:
    """And says why; without one the guarantee is the claim."""
    seeded = make(seed=1)
    assert isinstance(seeded.guarantee, NoGuarantee)
    assert "seed" in str(seeded.guarantee).lower() or "repeat" in str(seeded.guarantee)
    unseeded = make()
    assert unseeded.guarantee == unseeded.claim == seeded.claim
    unseeded.play(losses(5))
    assert unseeded.guarantee == seeded.claim
