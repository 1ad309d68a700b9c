"""Streams, choices and chances of the study of adaptive batches, against independent calculation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.guarantees import GaussianDP
from discreet.local import RandomWalkLeader
from discreet.local.delays import Delays
from studies.batches.cases import Setting, play
from studies.batches.findings import _choices, _union
from studies.batches.hidden import at_gap, on_stream
from studies.batches.results import Results
from studies.batches.streams import STREAMS, reversal, see_saw
from studies.batches.tight import Change, changes, union
from studies.reports import reports
from tests.chances import MILLION_SIGMA


@pytest.mark.parametrize("name", STREAMS)
def test_streams_are_losses(name: str) -> None:
    table = STREAMS[name](400, 5)
    assert table.shape == (400, 5)
    assert 0 <= table.min() <= table.max() <= 1


def test_some_streams_come_back_to_equal_totals() -> None:
    assert np.ptp(reversal(400, 5)[:200].sum(axis=0)) == 0
    assert np.ptp(see_saw(401, 5).cumsum(axis=0), axis=1).max() <= 0.5


def test_regret_is_that_of_a_loop() -> None:
    setting = Setting("fair coins", 4, 1.5, 0.3, 200, 6)
    played = play(setting, seed=8)
    table, walk = STREAMS["fair coins"](200, 4), RandomWalkLeader(4, 1.5, seed=8, runs=6)
    lost = np.zeros(6)
    for row, rows in zip(table, reports(table, 1.5, 6, 9), strict=True):
        lost += row[walk.act()]
        walk.update(rows)
    regrets = lost - table.sum(axis=0).min()
    assert played.walk.value == pytest.approx(regrets.mean())
    assert played.walk.error == pytest.approx(regrets.std(ddof=1) / math.sqrt(6))
    assert played.batch.value == pytest.approx(played.walk.value + played.extra.value)
    assert played.tolerated.value <= setting.allowed


def test_batches_that_are_too_long_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty times the delays: choices differ far more often than the tolerance allows."""
    setting = Setting("zeros", 3, 1.0, 0.01, 500, 20)
    honest = play(setting)
    assert _choices(Results([honest], [], [], []), 0.01).agrees
    longest = Delays.each
    monkeypatch.setattr(Delays, "each", lambda self, gaps, t: 30 * (longest(self, gaps, t) + 1))
    late = play(setting)
    assert late.walk == honest.walk
    assert late.different.value > 20
    # What is tolerated is counted by the delays that there are, and still choices differ in more rounds.
    assert not _choices(Results([late], [], [], []), 0.01).agrees


def test_one_step_changes_the_leader_as_often_as_the_normal_law_says() -> None:
    """Two actions, one step: the difference moves by N(0, 2). One false alarm in a million."""
    for one in changes((2,), (0.9, 0.5), 1, 40_000):
        exact = union(2, 1, math.sqrt(2) * _margin(one.bound)) / 2
        assert abs(one.seen - exact) < MILLION_SIGMA * math.sqrt(exact / 40_000)


def _margin(bound: float) -> float:
    from discreet.local.change import least_margin

    return least_margin(bound) + math.sqrt(math.log(2))


def test_a_bound_that_is_too_small_is_seen() -> None:
    good = changes((2, 5), (0.5,), 64, 20_000)
    assert _union(Results([], [], [], good)).agrees
    bad = [Change(one.n_actions, one.steps, one.bound, one.seen / 2, one.seen, one.walks) for one in good]
    assert not _union(Results([], [], [], bad)).agrees


def test_what_is_hidden_is_a_mean_over_sizes() -> None:
    first = at_gap(0.0, 1, 50)
    assert (first.size.value, first.size.error) == (1.0, 0.0)
    assert first.delta.value == pytest.approx(GaussianDP(1.0).delta(1.0))
    assert on_stream("reversal", 1, 10, 5).epsilon == pytest.approx(GaussianDP(1.0).epsilon(1e-5), abs=5e-3)
    easy = at_gap(1.0, 3000, 50)
    assert easy.size.value > 100
    assert easy.delta.value < first.delta.value / 10
