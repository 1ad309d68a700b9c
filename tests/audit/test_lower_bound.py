"""`audit.lower_bound`: hardly ever too high, close to the truth, for outcomes of every kind."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc

from discreet import audit
from discreet.audit.clopper_pearson import at_least, at_most
from discreet.guarantees import GaussianDP
from tests.audit.samplers import assert_at_most, counted, noisy_max, normal, response, worst_pair


@pytest.mark.parametrize("miss", [0.05, 1e-4, 1e-12])
def test_clopper_and_pearson_invert_binomial_tails(miss: float) -> None:
    hits = np.arange(31)
    low, high = at_least(hits, 30, miss), at_most(hits, 30, miss)
    assert bdtrc(hits[1:] - 1, 30, low[1:]) == pytest.approx(miss, rel=1e-6)
    assert bdtr(hits[:-1], 30, high[:-1]) == pytest.approx(miss, rel=1e-6)
    assert (low[0], high[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("confidence", [0.9, 0.5])
def test_the_bound_covers_the_truth(confidence: float) -> None:
    bounds = [audit.lower_bound(response(1.0, seed), 0, 1, 400, confidence).epsilon for seed in range(1000)]
    assert_at_most(sum(bound > 1.0 for bound in bounds), 1000, 1 - confidence)


def test_many_outcomes_do_not_make_the_bound_too_high() -> None:
    chance = np.random.default_rng(1)
    bounds = [
        audit.lower_bound(lambda losses, runs: chance.integers(0, 50, (runs, 2)), 0, 1, 2000, 0.9).epsilon
        for _ in range(200)
    ]
    assert_at_most(sum(bound > 0 for bound in bounds), 200, 0.1)


def test_noise_at_half_its_scale_is_bounded_beyond_its_claim() -> None:
    found = audit.lower_bound(noisy_max(1.0, 1), *worst_pair(), runs=100_000, confidence=0.99)
    true = math.log(0.4889 / math.exp(-1) * 5)  # of the event that the first action wins: about 1.893
    assert 1.8 < found.epsilon < true
    assert (found.likelier, 0 in found.event, 1 in found.event) == ("losses", True, False)
    assert "epsilon is at least" in str(found)


def test_either_order_of_the_neighbors_gives_the_same() -> None:
    low, high = worst_pair()
    there, back = (audit.lower_bound(noisy_max(1.0, 1), *pair, 40_000, 0.95) for pair in ((low, high), (high, low)))
    assert back.epsilon == pytest.approx(there.epsilon, rel=0.05)
    assert (there.likelier, back.likelier) == ("losses", "neighbor")


def test_delta_is_taken_off() -> None:
    chance = np.random.default_rng(1)

    def leaky(losses: int, runs: int) -> Any:
        return np.where(chance.random(runs) < 0.1, losses, chance.integers(2, 4, runs))

    assert audit.lower_bound(leaky, 0, 1, 20_000, 0.95).epsilon > 4
    assert audit.lower_bound(leaky, 0, 1, 20_000, 0.95, delta=0.05).epsilon > 3
    assert audit.lower_bound(leaky, 0, 1, 20_000, 0.95, delta=0.1).epsilon == 0


def test_sequences_of_actions() -> None:
    def twice(losses: Any, runs: int) -> Any:
        return np.column_stack([sampler(losses, runs), sampler(losses, runs)])

    sampler = response(1.0, 2)
    found = audit.lower_bound(twice, 0, 1, 200_000, 0.95)
    assert 1.85 < found.epsilon < 2.0
    assert repr(found.event) in ("Event({(0, 0)})", "Event({(1, 1)})")
    assert found.event([(0, 0), (1, 1), (0, 1), (5, 5)]).sum() == 1


@pytest.mark.parametrize("width", [(), (1,), (4,)])
def test_floats_in_one_and_in_many_columns(width: tuple[int, ...]) -> None:
    far = np.full(width, 1.0) / np.sqrt(max(1, *width, 1))
    found = audit.lower_bound(normal(1), np.zeros(width), far, 100_000, 0.95, delta=0.01)
    true = GaussianDP(1.0).epsilon(0.01)
    assert 0.8 * true < found.epsilon < true
    assert ("score" in repr(found.event)) == (width == (4,) or width == (1,))


def test_an_atom_among_floats_is_found() -> None:
    chance = np.random.default_rng(1)

    def sampler(losses: float, runs: int) -> Any:
        return np.where(chance.random(runs) < 0.01 * losses, 0.25, chance.random(runs))

    found = audit.lower_bound(sampler, 0.0, 1.0, 40_000, 0.95)
    assert found.epsilon > 2.5
    assert (0.25 in found.event, 0.2500001 in found.event) == (True, False)


class Norm:
    """A classifier that knows that only the length matters."""

    def fit(self, features: Any, labels: Any) -> Norm:
        self.seen = len(features)
        return self

    def predict_proba(self, features: Any) -> Any:
        share = 1 / (1 + (features**2).sum(axis=1))
        return np.column_stack([share, 1 - share])


def test_a_classifier_of_ones_own() -> None:
    chance = np.random.default_rng(1)
    model = Norm()
    found = audit.lower_bound(
        lambda losses, runs: chance.normal(0, losses, (runs, 3)), 1.0, 2.0, 40_000, 0.95, classifier=model
    )
    assert found.epsilon > 3
    assert not hasattr(model, "seen")  # it is a copy that learns


def test_runs_count_everything_that_is_drawn() -> None:
    sampler, asked = counted(response(1.0, 1))
    assert audit.lower_bound(sampler, 0, 1, 1001, 0.95).runs == sum(asked) == 1000


def test_a_sampler_that_tells_nothing_gives_nothing() -> None:
    found = audit.lower_bound(lambda losses, runs: np.zeros(runs, dtype=int), 0, 1, 1000, 0.95)
    assert found.epsilon == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"runs": 7}, "runs is 7; it must be a whole number, 8 or more"),
        ({"runs": 1e5}, "runs is 100000.0"),
        ({"confidence": 1.0}, "confidence is 1.0; it must be a number between 0 and 1"),
        ({"delta": 1}, "delta is 1; it must be a number from 0 to below 1"),
        ({"sampler": lambda losses, runs: 3}, r"returned shape \(\)"),
        ({"sampler": lambda losses, runs: [2**64 - 1] * runs}, "does not fit into 64 bits"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: dict[str, Any], complaint: str) -> None:
    usual: dict[str, Any] = {"sampler": response(1.0, 1), "losses": 0, "neighbor": 1, "runs": 100, "confidence": 0.9}
    with pytest.raises(ValueError, match=complaint):
        audit.lower_bound(**usual | arguments)
