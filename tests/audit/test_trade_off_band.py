"""`audit.trade_off_band`: above the true curve everywhere at once, and close to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet import audit
from discreet.guarantees import ApproxDP, GaussianDP, Guarantee, NoGuarantee, PureDP, TradeOff
from tests.audit.samplers import assert_at_most, counted, normal, response

CASES = [(lambda seed: response(1.0, seed), 0, 1, PureDP(1.0)), (normal, 0.0, 1.0, GaussianDP(1.0))]


@pytest.mark.parametrize(("draw", "losses", "neighbor", "true"), CASES)
def test_a_true_guarantee_is_hardly_ever_contradicted(draw: Any, losses: Any, neighbor: Any, true: Guarantee) -> None:
    bands = [audit.trade_off_band(draw(seed), losses, neighbor, 600, 0.9) for seed in range(200)]
    wrong = sum(band.contradicts(true) for band in bands)
    assert_at_most(wrong, 200, 0.1)
    below = [(band.upper < true.trade_off(band.alphas) - 1e-12).any() for band in bands]
    assert wrong == sum(below)  # contradiction is what it says, at every point of the grid
    assert all((band.lower <= band.upper).all() for band in bands)


def test_the_lower_side_covers_the_curve_of_randomized_response() -> None:
    # There is one test worth making, so the tests' curve is the true one.
    true, failures = PureDP(1.0), 0
    for seed in range(200):
        band = audit.trade_off_band(response(1.0, seed), 0, 1, 600, 0.9)
        failures += bool((band.lower > true.trade_off(band.alphas) + 1e-12).any())
    assert_at_most(failures, 200, 0.1)


@pytest.mark.parametrize(("draw", "losses", "neighbor", "true"), CASES)
def test_the_band_is_close_to_the_truth(draw: Any, losses: Any, neighbor: Any, true: Guarantee) -> None:
    band = audit.trade_off_band(draw(1), losses, neighbor, 200_000)
    curve = true.trade_off(band.alphas)
    assert (band.upper >= curve).all()
    assert (band.upper - curve).max() < 0.03
    assert np.mean(curve - band.lower) < 0.03  # steps, one for each of 32 tests


def test_false_claims_of_every_kind_are_contradicted_and_true_ones_are_not() -> None:
    band = audit.trade_off_band(normal(1), 0.0, 1.0, 200_000)
    epsilon = GaussianDP(1.0).epsilon(0.01)
    false = [GaussianDP(0.9), ApproxDP(0.8 * epsilon, 0.01), PureDP(2.0), TradeOff((0, 1), (1, 0))]
    assert [band.contradicts(claim) for claim in false] == [True] * 4
    assert band.contradicts(0.5)
    true = [GaussianDP(1.0), ApproxDP(epsilon, 0.01), PureDP(30.0), NoGuarantee("seeded"), TradeOff((0, 1), (0, 0))]
    assert [band.contradicts(claim) for claim in true] == [False] * 5
    assert 0.9 < band.mu < 1.0
    assert 0.8 * epsilon < band.epsilon(0.01) < epsilon
    assert band.contradicts(GaussianDP(0.999 * band.mu))
    assert not band.contradicts(GaussianDP(1.001 * band.mu))
    assert "misses in at most" in str(band)


def test_a_sampler_that_tells_nothing_contradicts_nothing() -> None:
    chance = np.random.default_rng(1)
    band = audit.trade_off_band(lambda losses, runs: chance.integers(0, 3, runs), 0, 1, 1000)
    assert not band.contradicts(PureDP(0.0))
    assert (band.mu, band.epsilon()) == (0.0, 0.0)
    constant = audit.trade_off_band(lambda losses, runs: np.zeros(runs, dtype=int), 0, 1, 1000)
    assert not constant.contradicts(0.0)
    assert constant.upper.tolist() == pytest.approx((1 - constant.alphas).tolist())


def test_runs_count_everything_that_is_drawn() -> None:
    sampler, asked = counted(response(1.0, 1))
    assert audit.trade_off_band(sampler, 0, 1, 1001).runs == sum(asked) == 1000


def test_the_picture_shows_the_band_and_the_claim() -> None:
    band = audit.trade_off_band(normal(1), 0.0, 1.0, 2000)
    axes = band.plot(guarantee=GaussianDP(1.0))
    labels = axes.get_legend_handles_labels()[1]
    assert labels == ["nothing revealed", "a test as good as this exists", "precision of the tests", "promised"]
    assert np.array_equal(np.asarray(axes.get_lines()[1].get_ydata()), band.upper)
    assert band.plot(axes) is axes


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="confidence is 0"):
        audit.trade_off_band(response(1.0, 1), 0, 1, 1000, 0)
    with pytest.raises(ValueError, match="runs is 3"):
        audit.trade_off_band(response(1.0, 1), 0, 1, 3)
