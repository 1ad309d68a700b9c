"""What is as much as epsilon, and the costs of the two models, against independent calculation."""

from __future__ import annotations

from math import exp, log, sqrt
from pathlib import Path

import mpmath
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.guarantees import GaussianDP, PureDP
from discreet.local import GaussianReport
from studies.central_local import study
from studies.central_local.cases import EPSILONS, Compared, Cost, _reports, central, compared
from studies.central_local.equivalent import (
    epsilon_by_delta,
    epsilon_by_guess,
    mu_by_delta,
    mu_by_guess,
)
from studies.central_local.forecasters import Forecasters, read
from studies.central_local.results import Results
from studies.recorded import ELSEWHERE
from tests.chances import MILLION_SIGMA


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_equal_guesses_are_equally_often_right(epsilon: float) -> None:
    mu = mu_by_guess(epsilon)
    right = mpmath.ncdf(mpmath.mpf(mu) / 2)
    assert float(right) == pytest.approx(exp(epsilon) / (1 + exp(epsilon)), rel=1e-12)
    assert epsilon_by_guess(mu) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_every_private_learner_has_the_mu_of_equal_guesses_and_no_smaller_one(epsilon: float) -> None:
    mu, alphas = mu_by_guess(epsilon), np.linspace(1e-6, 1 - 1e-6, 2_001)
    pure = np.array([PureDP(epsilon).trade_off(alpha) for alpha in alphas.tolist()])
    assert all(GaussianDP(mu).trade_off(alpha) <= b + 1e-9 for alpha, b in zip(alphas.tolist(), pure, strict=True))
    corner = 1 / (1 + exp(epsilon))
    assert GaussianDP(0.99 * mu).trade_off(corner) > PureDP(epsilon).trade_off(corner) + 1e-6


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_equal_delta_is_that_of_many_digits(epsilon: float) -> None:
    mu = mu_by_delta(epsilon)
    with mpmath.workdps(40):
        m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
        delta = mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)
    assert float(delta) == pytest.approx(1e-6, rel=1e-8)
    assert epsilon_by_delta(mu) == pytest.approx(epsilon, rel=1e-8)
    assert mu < mu_by_guess(epsilon)


LOSSES = np.array([[0.1, 0.5, 0.9], [0.3, 0.2, 1.0], [0.0, 0.6, 0.2]])


def test_regret_is_worked_out_by_hand() -> None:
    data = Forecasters(("a", "b", "c"), LOSSES)
    assert data.best == pytest.approx(0.4)
    assert data.by_lot == pytest.approx(3.8 / 3 - 0.4)
    assert data.regret(np.array([[0, 2], [1, 2], [0, 1]])) == pytest.approx([0.3 - 0.4, 2.5 - 0.4])
    assert data.first(2).best == pytest.approx(0.4)


def write(path: Path, losses: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Path:
    columns = {"reference_date": ["2023-10-28"] * len(losses), "location": [f"{row:02}" for row in range(len(losses))]}
    teams = {f"team {place}": losses[:, place].astype(np.float32) for place in range(losses.shape[1])}
    pq.write_table(pa.table(columns | teams), path)
    return path


def test_teams_are_all_columns_but_those_that_say_which_round(tmp_path: Path) -> None:
    found = read(write(tmp_path / "some.parquet", LOSSES))
    assert found.teams == ("team 0", "team 1", "team 2")
    assert found.losses == pytest.approx(LOSSES, abs=1e-7)


@pytest.mark.parametrize("bad", [1.5, -0.1, float("nan")])
def test_a_loss_that_is_none_is_named(tmp_path: Path, bad: float) -> None:
    losses = LOSSES.copy()
    losses[1, 2] = bad
    with pytest.raises(ValueError, match=r"some.parquet: the loss of team 2 in row 1 is .*, not in \[0, 1\]"):
        read(write(tmp_path / "some.parquet", losses))


def some(rounds: int = 150, teams: int = 4) -> Forecasters:
    rng = np.random.default_rng(4)
    return Forecasters(tuple("abcd"[:teams]), rng.uniform(0, 1, (rounds, teams)) * np.linspace(0.6, 1, teams))


def test_reports_have_noise_of_each_runs_own() -> None:
    data, runs = some(), 60
    report = GaussianReport(4, mu=0.5, seed=2)
    noise = np.concatenate(list(_reports(data, report, runs))) - data.losses[:, None]
    assert noise.shape == (150, runs, 4)
    # sqrt(4) / 0.5 = 4; 36,000 squares of variance 2, and correlations of as many pairs. One false alarm in a million.
    assert abs(((noise / 4) ** 2).mean() - 1) < MILLION_SIGMA * sqrt(2 / 36_000)
    for a, b in ((noise[1:], noise[:-1]), (noise[:, 1:], noise[:, :-1]), (noise[..., 1:], noise[..., :-1])):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < MILLION_SIGMA / sqrt(a.size)


def test_with_hardly_any_noise_both_follow_the_leader() -> None:
    data = some()
    leaders = np.array([data.losses[:week].sum(axis=0).argmin() for week in range(1, 150)])
    after = float(data.losses[np.arange(1, 150), leaders].sum())
    found = compared(data, 1e9, runs=3, seed=1)
    # The first action is that of the initial noise.
    first = data.losses[0] + after - data.best
    assert all(min(abs(first - regret)) < 1e-9 for regret in found.walk.regrets.tolist())
    assert found.batch.regrets == pytest.approx(found.walk.regrets)
    assert (found.differing, found.choices) == (0, 450)


def test_noise_is_that_of_the_whole_range_of_losses() -> None:
    data, runs = Forecasters(("a", "b"), np.array([[0.0, 1.0], [0.0, 1.0]])), 4_000
    found = compared(data, 2.0, runs, seed=1)
    # Scale sqrt(2)/2. The first choice is a fair coin; the second is wrong where the noise of two totals of two draws,
    # of variance 4 · 1/2, passes 1. One false alarm in a million.
    expected = 1 / 2 + float(mpmath.ncdf(-1 / sqrt(2)))
    assert abs(found.walk.mean - expected) < MILLION_SIGMA * found.walk.error


def test_central_costs_are_those_of_play() -> None:
    data = some()
    costs = central(data, 3, seed=1, jobs=1)
    assert [one.learner for one in costs] == ["PrivateLeader"] * 6 + ["NoisyLeader"] * 6 + ["TreeLeader"] * 12
    assert [one.level for one in costs[:6]] == list(EPSILONS)
    assert [one.level for one in costs[12:]] == [
        *(mu_by_guess(epsilon) for epsilon in EPSILONS),
        *(mu_by_delta(epsilon) for epsilon in EPSILONS),
    ]
    assert all(len(one.regrets) == 3 for one in costs)
    assert max(one.mean for one in costs) < 150 * 0.6


def test_the_price_of_a_power_is_found() -> None:
    def cost(mu: float) -> Compared:
        walk = Cost("RandomWalkLeader", mu, np.full(2, 30 / mu**1.5))
        return Compared(walk, walk, 0, 1)

    results = Results(some(), [], [cost(mu) for mu in (8.0, 0.5, 2.0)])
    assert results.mu_for(30 / 3**1.5) == pytest.approx(3.0)
    assert results.mu_for(1000.0) is None
    assert results.mu_for(0.01) is None


def test_a_cost_says_how_sure_it_is() -> None:
    one = Cost("any", 1.0, np.array([1.0, 3.0]))
    assert (one.mean, one.error) == (2.0, 1.0)
    assert str(one) == "2.0 ± 2.0"


def test_the_whole_study_is_made_from_a_small_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ELSEWHERE, str(tmp_path))
    write(tmp_path / "flu_forecasters_losses.parquet", some(40, 4).losses)
    page = study(quick=True, jobs=1)
    assert len(page.findings) == 7
    assert [len(table.rows) for table in page.tables] == [6, 6, 6, 6, 5]
    bound = page.tables[0].rows[2]
    assert bound[0] == 1.0
    assert bound[2] == mu_by_guess(1.0)
    assert log(bound[5]) < 0  # by best guess the mu of equal deltas is worth less than epsilon 1
