"""What the study of the six variants calculates of its own."""

from __future__ import annotations

import pytest

from discreet.experts import NoisyLeader
from discreet.experts.noisy_leader import Noise
from studies.noisy_variants.calibration import calibrated, revealed
from studies.noisy_variants.learners import NOISES, Estimate, all_learners
from studies.noisy_variants.losses import changes
from studies.noisy_variants.orders import Growth, gaps_at_scales, quoted


@pytest.mark.parametrize("noise", NOISES)
def test_neighbors_reveal_no_more_than_the_guarantee(noise: Noise) -> None:
    learner = NoisyLeader(2, 0.7, noise=noise)
    assert 0 < revealed(learner) <= learner.claim.epsilon * (1 + 1e-9)


def test_printed_noise_reveals_twice_what_it_claims() -> None:
    found = calibrated(0.7)
    assert found.revealed == pytest.approx(1.4)
    assert found.claimed == pytest.approx(1.4)
    assert found.same_selection
    assert found.same_actions
    assert found.believed < found.proved == found.halved


def test_every_learner_of_a_row_promises_the_same() -> None:
    claims = {name: learner.claim.epsilon for name, learner in all_learners(3, 0.3).items()}
    assert len(claims) == 8
    assert set(claims.values()) == {0.3}


def test_growth_tells_logs_from_squares() -> None:
    like_log = Growth("dependent", "", "", [16, 256], [Estimate(4.0, 0.0), Estimate(8.0, 0.0)])
    like_square = Growth("dependent", "", "", [16, 256], [Estimate(4.0, 0.3), Estimate(16.0, 0.9)])
    assert like_log.over_log == pytest.approx(1)
    assert like_square.over_log == pytest.approx(like_square.square) == 2
    assert like_log.error == 0
    assert like_square.error == pytest.approx(2 * ((0.3 / 4) ** 2 + (0.9 / 16) ** 2) ** 0.5)


def test_gaps_at_scales_are_shared_evenly() -> None:
    assert gaps_at_scales(7, 3) == [0.0, 1.0, 1.0, 0.5, 0.5, 0.25, 0.25]
    assert quoted("dependent", "gumbel, resampled") == quoted("dependent", "laplace, resampled")


def test_changes_are_in_standard_deviations() -> None:
    row = {
        f"{noise}{mark}": Estimate(10.0, 1.96)
        for noise in ("laplace", "exponential", "gumbel")
        for mark in ("", ", resampled")
    }
    row["gumbel, resampled"] = Estimate(20.0, 1.96)
    found = {change.noise: change for change in changes({("never change", 1.0): row})}
    assert found["gumbel"].ratio == 2
    assert found["gumbel"].sigmas == pytest.approx(10 / 2**0.5)
    assert found["laplace"].sigmas == 0
