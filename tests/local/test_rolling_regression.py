"""RollingRegression: running sums against least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.local import RollingRegression
from tests.experts.checks import refuses


@pytest.mark.parametrize("window", [1, 2, 3, 8, 64])
@pytest.mark.parametrize("penalty", [0.0, 0.7, 1e6])
def test_forecasts_are_those_of_ridge_regression(window: int, penalty: float) -> None:
    """The intercept of centered time is free, the slope is penalized."""
    table = np.random.default_rng(window).standard_normal((150, 4)) * 3
    learner = RollingRegression(window, penalty, n_actions=4, scale=3.0, seed=1)
    for t, row in enumerate(table, start=1):
        learner.update(row)
        last = table[max(0, t - window) : t]
        time = np.arange(len(last)) - (len(last) - 1) / 2
        slope = time @ last / (time @ time + penalty) if len(last) > 1 else 0 * row
        forecast = last.mean(axis=0) + slope * (time[-1] + 1)
        assert learner.forecasts()[0] == pytest.approx(forecast, abs=1e-5)
        assert learner.act() == forecast.argmin()


def test_runs_keep_windows_of_their_own() -> None:
    table = np.random.default_rng(1).standard_normal((40, 3, 2))
    together = RollingRegression(5, runs=3, seed=1)
    for row in table:
        together.update(row)
    for run in range(3):
        alone = RollingRegression(5, seed=1)
        alone.play(table[:, run])
        assert alone.forecasts()[0].tolist() == together.forecasts()[run].tolist()


def test_the_first_action_is_any() -> None:
    first = RollingRegression(5, n_actions=3, runs=3000, seed=1).act()
    assert (np.bincount(first, minlength=3) > 800).all()


def test_bad_windows_and_penalties_are_refused() -> None:
    windows: tuple[Any, ...] = (0, -1, 1.5, True, None, 1025)
    for bad in windows:
        assert "window" in refuses(RollingRegression, bad)
    penalties: tuple[Any, ...] = (-1, float("nan"), True, "1", None)
    for bad in penalties:
        assert "penalty" in refuses(RollingRegression, 5, bad)
