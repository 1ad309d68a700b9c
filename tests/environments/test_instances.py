"""Environments say what they are, and refuse what they cannot be."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from discreet.environments import (
    Bernoulli,
    Correlated,
    Deterministic,
    Made,
    Sequence,
    Spans,
    TwoPoint,
    halving,
    hard_for_privacy,
    late_loss,
    one_by_one,
    one_gap,
    spread,
)

BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: one_gap(1, 0.1), "at least 2 actions and a gap"),
    (lambda: one_gap(3, 0.0), "gap in \\(0, 1\\]; got k=3, gap=0.0"),
    (lambda: one_gap(3, 1.5), "gap=1.5"),
    (lambda: one_gap(3, math.nan), "gap=nan"),
    (lambda: hard_for_privacy(2, 0.5), "at least 3 actions"),
    (lambda: hard_for_privacy(8, 4e-7), "gap is 4e-07; losses are whole units"),
    (lambda: spread(3, 0.9, 0.3), "low < high"),
    (lambda: Bernoulli([0.5]), "at least two numbers"),
    (lambda: Bernoulli([0.5, 1.5]), "means\\[1\\] is 1.5"),
    (lambda: Bernoulli([0.5, math.nan]), "means\\[1\\] is nan"),
    (lambda: Bernoulli(["a", "b"]), "not a list of numbers"),
    (lambda: Deterministic([[0.1, 0.2]]), "one an action; got shape \\(1, 2\\)"),
    (lambda: TwoPoint([0, 0], [1, 1], [0.5, 0.5, 0.5]), "their lengths differ"),
    (lambda: Correlated([0.5, 0.6], strength=2.0), "strength\\[0\\] is 2.0"),
    (lambda: Correlated([0.5, 0.6], strength=[0.1, 0.1, 0.1]), "strength has 3 numbers; there are 2 actions"),
    (lambda: Sequence([0.1, 0.2]), "a table of rounds"),
    (lambda: Sequence([[0.1, 2.0]]), "the loss of round 0, action 1 is 2.0"),
    (lambda: Sequence([[0.1, 0.2]]).losses(rounds=2, seed=1), "has 1 rounds; 2 were asked for"),
    (lambda: Spans([0, 1], [1, 2, 3]), "first has 2 actions and last has 3"),
    (lambda: Spans([0.5, 1], [1, 2]), "first is a list of whole numbers"),
    (lambda: Spans([0, 1], [-1, 2]), "last is a list of whole numbers of rounds, 0 or more"),
    (lambda: late_loss(100, epsilon=0.01, rounds=100), "the last 230 rounds are those with losses; there are only 100"),
    (lambda: late_loss(100, epsilon=math.nan, rounds=100), "epsilon is nan"),
    (lambda: one_by_one(1, rounds=100), "needs two actions and a round; got k=1"),
    (lambda: halving(4, rounds=0), "rounds=0"),
    (lambda: Made(lambda rounds, rng: rng.random((rounds, 2))).losses(3, 1), "name one with n_actions"),
    (lambda: Made(lambda rounds, rng: rng.random((rounds, 2))).losses(3, 1, n_actions=3), "of shape \\(3, 2\\), not"),
    (lambda: Made(lambda rounds, rng: 2 + rng.random((rounds, 3))).losses(3, 1, n_actions=3), "the loss of round 0"),
]


@pytest.mark.parametrize(("make", "said"), BAD)
def test_bad_parameters_are_refused_in_one_sentence(make: Callable[[], object], said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_the_named_instances() -> None:
    assert one_gap(4, 0.2).means == pytest.approx([0.4, 0.6, 0.6, 0.6])
    assert spread(4, 0.2, 0.8).means == pytest.approx([0.2, 0.4, 0.6, 0.8])
    assert hard_for_privacy(5, 0.5).means == pytest.approx([0, 0.5, 1, 1, 0.5])
    assert repr(one_gap(4, 0.2)) == "one_gap(4, 0.2)"


def test_equal_parameters_are_equal_environments() -> None:
    assert Bernoulli([0.1, 0.2]) == Bernoulli(np.array([0.1, 0.2]))
    assert Bernoulli([0.1, 0.2]) != Bernoulli([0.1, 0.3])
    assert Bernoulli([0.1, 0.2]) != Deterministic([0.1, 0.2])
    assert hard_for_privacy(4, 0.1) == hard_for_privacy(4, 0.1) != hard_for_privacy(4, 0.2)
    assert Sequence([[0.0, 1.0]]) == Sequence([[0.0, 1.0]]) != Sequence([[1.0, 0.0]])


def test_parameters_cannot_be_changed_behind_the_back_of_an_environment() -> None:
    given = np.array([0.1, 0.2])
    world = Bernoulli(given)
    given[0] = 0.9
    assert world.means.tolist() == [0.1, 0.2]
    with pytest.raises(ValueError, match="read-only"):
        world.means[0] = 0.9


def test_correlation_by_hand() -> None:
    # Heads: 0.6 and 0.25; tails: 0.2 and 0.75. E[xy] = (0.6·0.25 + 0.2·0.75) / 2 = 0.15; means 0.4 and 0.5.
    world = Correlated([0.4, 0.5], strength=[0.5, -0.5])
    assert world.covariance() == pytest.approx(np.array([[0.24, 0.15 - 0.2], [0.15 - 0.2, 0.25]]))
    assert dict(zip(map(tuple, world.round_law().totals.tolist()), world.round_law().chances, strict=True)) == (
        pytest.approx({(0, 0): 0.15 + 0.25, (0, 1 << 20): 0.35, (0, -(1 << 20)): 0.25})
    )
