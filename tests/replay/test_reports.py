"""Replaying reports: how they are read, what is estimated from them, and how far off that may be."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from discreet.experts import PrivateLeader
from discreet.guarantees import GaussianDP, NoGuarantee, TradeOff
from discreet.local import AdaptiveBatchLeader, RandomWalkLeader, ReportLearner, RollingRegression
from discreet.local.grid import to_grid, unit_for
from discreet.replay import BadLog, Estimates, Reports, open_log, open_reports, replay, replay_reports, save_reports
from tests.chances import FALSE_ALARM, MILLION_SIGMA
from tests.replay.logs import FORMATS, losses, write

Floats = NDArray[np.float64]


def foreign(path: Path, rounds: int = 20_000, scale: float = 0.5, seed: int = 1) -> tuple[Path, Floats]:
    """Reports in a file that says nothing of them."""
    random = np.random.default_rng(seed)
    table = losses(rounds) * [0.5, 0.6, 1.0] + scale * random.standard_normal((rounds, 3))
    return write(path, np.round(table, 9)), np.round(table, 9)


def made(name: str, seed: int | None = 3) -> ReportLearner:
    if name == "rolling":
        return RollingRegression(8, 10.0, 3, 0.5, seed=seed)
    kind = AdaptiveBatchLeader if name == "batch" else RandomWalkLeader
    return kind(3, 0.5, seed=seed)


@pytest.mark.parametrize("ending", FORMATS)
def test_reports_of_every_format_are_read_alike(tmp_path: Path, ending: str) -> None:
    path, table = foreign(tmp_path / f"reports{ending}")
    reports = open_reports(path, scale=0.5)
    read = [(first, rows) for first, rows in reports.chunks()]
    assert [first for first, _ in read] == [sum(len(rows) for _, rows in read[:i]) for i in range(len(read))]
    assert (np.concatenate([rows for _, rows in read]) == table).all()


@pytest.mark.parametrize("name", ["walk", "batch", "rolling"])
def test_what_is_told_is_that_of_the_learner_at_play(tmp_path: Path, name: str) -> None:
    """Actions, sums, counts, switches, stretches and the lead, each worked out anew from the whole table."""
    path, table = foreign(tmp_path / "reports.parquet")
    done = replay_reports(open_reports(path, scale=0.5), made(name))
    actions = made(name).play(table)
    units = to_grid(table, 3, 0.5)
    play, rows = done.plays[0], np.arange(len(table))
    assert np.repeat(done.timeline.actions, np.diff([*done.timeline.starts, 20_000])).tolist() == actions.tolist()
    assert play.counts.tolist() == np.bincount(actions, minlength=3).tolist()
    assert play.switches == np.count_nonzero(np.diff(actions)) == len(done.timeline.starts) - 1
    assert play.total == units[rows, actions].sum() * unit_for(0.5)
    assert done.totals.tolist() == (units.sum(axis=0) * unit_for(0.5)).tolist()
    lead = np.cumsum(units[rows, actions] - units[:, done.best]) * unit_for(0.5)
    assert done.lead.tolist() == lead[done.marks - 1].tolist()
    assert done.apart.tolist() == np.cumsum(actions != done.best)[done.marks - 1].tolist()
    assert done.marks[-1] == done.rounds == 20_000


def test_slow_learners_are_left_out_of_long_comparisons(tmp_path: Path) -> None:
    reports = open_reports(foreign(tmp_path / "reports.parquet")[0], scale=0.5)
    done = replay_reports(reports, made("walk"), [(made("batch"), 10_000), (made("batch"), 99_999)])
    assert [play.rounds < 20_000 for play in done.plays] == [False, True, False]
    assert done.plays[2].total == replay_reports(reports, made("batch")).plays[0].total


def test_the_file_says_what_the_reports_promise(tmp_path: Path) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses(), label="day"), index="day")
    promise = save_reports(log, tmp_path / "r.parquet", mu=0.5, sensitivity=0.3, keep_index=True)
    reports = open_reports(tmp_path / "r.parquet")
    assert (reports.scale, reports.mu, reports.promise) == (promise.scale, 0.5, promise)
    assert reports.log.index == ("day",)
    assert reports.guarantee == GaussianDP(0.5, within=0.3)
    assert open_reports(tmp_path / "r.parquet", scale=0.6, mu=0.5).scale == promise.scale
    foreign(tmp_path / "f.csv")
    assert isinstance(open_reports(tmp_path / "f.csv", scale=0.5).guarantee, NoGuarantee)
    told = open_reports(tmp_path / "f.csv", scale=0.5, mu=2.0)
    assert told.guarantee == GaussianDP(2.0, within=1.0)  # three actions can move by more than mu · scale
    assert open_reports(tmp_path / "f.csv", scale=1.0, mu=2.0).guarantee == GaussianDP(2.0)
    assert told.guarantee == RandomWalkLeader(3, 0.5, mu=2.0).guarantee
    assert "N(0, 0.5^2)" in told.assumed()[0]


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_numbers_that_no_such_noise_could_have_made_are_no_reports(tmp_path: Path, scale: float) -> None:
    """Raw losses, called reports: nothing is estimated from them, or called fit for anyone."""
    path = tmp_path / "losses.csv"
    write(path, losses(200))
    with pytest.raises(BadLog, match="lie closer together than noise of scale"):
        replay_reports(open_reports(path, scale=scale, mu=1.0), RandomWalkLeader(3, scale))


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"scale": 0.4}, "its noise has the scale 0.6, not 0.4"),
        ({"mu": 1.0}, "made for mu 0.5, not 1"),
        ({"index": "a"}, "says that it has 3 actions, and 2 columns could be one"),
        ({"index": "x"}, "no column 'x'"),
    ],
)
def test_contradictions_are_refused(tmp_path: Path, told: dict[str, Any], sentence: str) -> None:
    log = open_log(write(tmp_path / "log.parquet", losses()))
    save_reports(log, tmp_path / "r.parquet", mu=0.5, sensitivity=0.3)
    with pytest.raises(BadLog, match=sentence):
        open_reports(tmp_path / "r.parquet", **told)


def test_losses_are_no_reports(tmp_path: Path) -> None:
    path = write(tmp_path / "log.parquet", losses())
    with pytest.raises(BadLog, match="does not say with which noise"):
        open_reports(path)
    for scale in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="scale"):
            open_reports(path, scale=scale)


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e9])
def test_what_no_report_can_be_is_named(tmp_path: Path, bad: float) -> None:
    table = losses(20_000)
    table[12_345, 1] = bad
    path = write(tmp_path / "reports.parquet", table)
    with pytest.raises(BadLog, match="row 12346, column 'b' is"):
        replay_reports(open_reports(path, scale=0.5), made("walk"))


def estimates(seed: int, rounds: int, truth: Floats, tmp_path: Path, scale: float = 0.5) -> Estimates:
    random = np.random.default_rng(seed)
    path = tmp_path / "reports.npy"
    np.save(path, truth + scale * random.standard_normal(truth.shape))
    reports = open_reports(path, scale=scale)
    return replay_reports(reports, RandomWalkLeader(truth.shape[1], scale, seed=seed))


def test_estimates_are_unbiased_with_the_error_that_is_stated(tmp_path: Path) -> None:
    """300 streams of reports. A loss of the smallest noisy action, taken for its own, would be off by far more."""
    runs, truth = 300, losses(300)
    off, smallest = np.empty(runs), np.empty(runs)
    for seed in range(runs):
        done = estimates(seed, 300, truth, tmp_path)
        starts = [*done.timeline.starts, 300]
        actions = np.repeat(done.timeline.actions, np.diff(starts))
        lost = truth[np.arange(300), actions].sum()
        off[seed] = (done.plays[0].total - lost) / 300 / done.error
        smallest[seed] = (done.totals.min() - truth.sum(axis=0)[done.best]) / 300 / done.error
    assert abs(off.mean()) < MILLION_SIGMA / math.sqrt(runs)
    assert abs(off.var() - 1) < MILLION_SIGMA * math.sqrt(2 / runs)
    assert smallest.mean() < -MILLION_SIGMA / math.sqrt(runs)


def test_intervals_hold_the_true_regret(tmp_path: Path) -> None:
    """With equal actions, where luck matters most; more misses than this have a chance below one in a million.

    The estimate itself is too high, as is said of it, and by no more than is said.
    """
    runs, truth = 200, np.full((400, 4), 0.5)
    missed = inside = 0
    estimated = np.empty(runs)
    for seed in range(runs):
        done = estimates(1000 + seed, 400, truth, tmp_path, scale=0.2)
        estimated[seed], low, high = done.regret(done.plays[0])
        missed += not low <= 0.0 <= high
        low_band, high_band = done.band()
        inside += bool(((low_band <= 0) & (high_band >= 0)).all())
    most = int(binom.isf(FALSE_ALARM, runs, 0.05))
    error = MILLION_SIGMA * estimated.std() / math.sqrt(runs)
    assert error < estimated.mean() < 0.2 * math.sqrt(2 * 400 * math.log(4)) - error
    assert missed <= most
    assert runs - inside <= most


def test_the_radius_is_crossed_as_rarely_as_stated_and_not_much_more_rarely(tmp_path: Path) -> None:
    """Walks of differences, at the share of the error that each action has; with half the radius most would cross."""
    done = estimates(1, 500, np.zeros((500, 2)), tmp_path, scale=0.5)
    radius = done.radius(np.arange(1, 501))
    walks = np.cumsum(np.random.default_rng(2).standard_normal((8000, 500)) * 0.5 * math.sqrt(2), axis=1)
    crossed = (np.abs(walks) > radius).any(axis=1)
    assert binom.isf(1 - FALSE_ALARM, 8000, 0.003) < crossed.sum() <= binom.isf(FALSE_ALARM, 8000, 0.025)
    assert (np.abs(walks) > radius / 2).any(axis=1).mean() > 0.1
    assert done.radius(np.array([0])).tolist() == [0.0]


def test_differences_are_no_larger_than_losses_can_make_them(tmp_path: Path) -> None:
    done = estimates(1, 50, np.zeros((50, 2)), tmp_path, scale=50.0)
    low, high = done.between(np.array([0.0, 100.0, -100.0]), np.array([3, 3, 0]))
    assert (low.tolist(), high.tolist()) == ([-3.0, -3.0, 0.0], [3.0, 3.0, 0.0])


def test_batches_promise_more_of_the_actions_alone(tmp_path: Path) -> None:
    path, _ = foreign(tmp_path / "reports.parquet", rounds=1000)
    reports = open_reports(path, scale=0.5, mu=1.0)
    told = replay_reports(reports, AdaptiveBatchLeader(3, 0.5, mu=1.0))
    assert isinstance(told.amplified(500), TradeOff)
    for learner in (
        AdaptiveBatchLeader(3, 0.5, mu=1.0, seed=1),
        AdaptiveBatchLeader(3, 0.5),
        RandomWalkLeader(3, 0.5, mu=1.0),
    ):
        assert replay_reports(reports, learner).amplified(500) is None


def test_an_empty_file_has_no_rounds(tmp_path: Path) -> None:
    path = write(tmp_path / "reports.parquet", np.empty((0, 3)))
    reports: Reports = open_reports(path, scale=0.5)
    with pytest.raises(BadLog, match="has no rounds"):
        replay_reports(reports, made("walk"))


def test_losses_and_reports_have_replays_of_their_own(tmp_path: Path) -> None:
    log = open_log(write(tmp_path / "losses.parquet", losses()))
    save_reports(log, tmp_path / "reports.parquet", mu=1.0)
    reports = open_reports(tmp_path / "reports.parquet")
    on_losses: Any = PrivateLeader(3, 1.0)
    on_reports: Any = RandomWalkLeader(3, reports.scale)
    wrong: Any = [
        (replay, (reports, on_losses), "a log of losses is wanted, not Reports; open_log opens"),
        (replay, (log, on_reports), "RandomWalkLeader.* does not learn from losses; learners of discreet.experts do"),
        (replay_reports, (log, on_reports), "reports are wanted, not Log; open_reports opens them"),
        (
            replay_reports,
            (reports, on_losses),
            "PrivateLeader.* does not learn from reports; learners of",
        ),
        (replay_reports, (reports, on_reports, [(on_losses, 9)]), "PrivateLeader.* does not learn from reports"),
    ]
    for function, arguments, sentence in wrong:
        with pytest.raises(ValueError, match=sentence):
            function(*arguments)
