"""Learners, bound and eigenvalues of the study of theorem 3, against independent calculation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.local import MetaLeader
from discreet.local.decorrelation import decorrelated
from studies.meta_bound.cases import LOSSES, Case, bound, play
from studies.meta_bound.learners import FIXED, RIVALS, Rival, Scripted, team
from studies.meta_bound.partitions import partitions, top, worst
from studies.meta_bound.results import Results, power
from studies.reports import reports


def test_scripts_are_followed_in_chunks_and_rounds() -> None:
    table = np.zeros((7, 3))
    whole = Scripted([2, 0, 1], 3, seed=1).play(table).tolist()
    assert whole == [2, 0, 1, 2, 0, 1, 2]
    learner, found = Scripted([2, 0, 1], 3, seed=1), []
    for row in table:
        found.append(learner.act())
        learner.update(row)
    assert found == whole
    assert learner.act() == 0


@pytest.mark.parametrize(
    ("kind", "groups"), [("all agree", 1), ("all differ", 8), ("two cliques", 2), ("one apart", 2)]
)
def test_teams_agree_as_they_are_called(kind: str, groups: int) -> None:
    learner = MetaLeader(8, 1.0, team(kind, 8), seed=1)
    for row in np.zeros((5, 8)):
        assert len(set(learner.suggestions()[0].tolist())) == groups
        learner.update(row)


def test_rivals_know_who_leads() -> None:
    """Of two rivals the one whose reports add up to less suggests action 1; MetaLeader mostly follows that one."""
    scale, runs = 5.0, 30
    meta = MetaLeader(2, scale, team(RIVALS, 2), seed=4, runs=runs)
    sums, followed = np.zeros((runs, 2)), []
    for rows in reports(LOSSES["one bad"](300, 2), scale, runs, 5):
        suggested = meta.suggestions()
        assert suggested.argmax(axis=1).tolist() == np.round(sums, 3).argmin(axis=1).tolist()
        assert (suggested.sum(axis=1) == 1).all()
        followed.append(meta.act())
        sums += np.take_along_axis(rows, suggested, axis=1)
        meta.update(rows)
    assert np.mean(followed) > 0.6
    alone = Rival(1, 2, 2, scale, seed=1)
    assert alone.play(np.array([[0.0, -9.0], [0.0, 2.0]])).tolist() == [0, 0]


def test_the_bound_is_that_of_theorem_3() -> None:
    assert bound(8, 1000, 25_000.0) == pytest.approx((5 + math.sqrt(2)) * math.sqrt(2000 * math.log(8)))
    assert bound(8, 1000, 10.0) == pytest.approx(2 * math.sqrt(2) * math.sqrt(2000 * math.log(8)))


def test_learners_that_agree_leave_no_regret() -> None:
    played = play(Case("all agree", "hard gap", 4, 5.0, 30, 3))
    assert (played.regret.value, played.lost.value) == (0.0, 0.0)
    assert played.eigenvalue.value == pytest.approx(1 / 30)


def test_rivals_break_the_bound_and_scripts_do_not() -> None:
    """By 4.5 standard errors: regret grows like T / 2 less what it takes to be sure who leads."""
    rivals = play(Case(RIVALS, "one bad", 2, 5.0, 1_000, 10))
    assert rivals.above() > 4.5
    assert rivals.regret.value > 0.35 * 1_000
    assert all(play(Case(kind, "hard gap", 4, 5.0, 100, 5)).above() < 0 for kind in FIXED)


def test_eigenvalues_of_cliques_are_those_of_the_whole_matrix() -> None:
    for cliques in partitions(7):
        groups = np.repeat(np.arange(len(cliques)), cliques)
        counts = 1000 * (groups[:, None] == groups).astype(np.int64)
        value = float(np.linalg.eigvalsh(decorrelated(counts, 2.0))[-1])
        # The initial noise adds between 0 and 1: all of it on vectors that sum to zero.
        assert 4000 * top(cliques) - 1e-8 <= value <= 4 + 4000 * top(cliques) + 1e-8


def test_all_ways_to_agree_are_counted_and_none_has_more_than_half() -> None:
    assert [len(list(partitions(m))) for m in range(1, 13)] == [1, 2, 3, 5, 7, 11, 15, 22, 30, 42, 56, 77]
    assert len(set(partitions(12))) == 77
    for m in range(2, 13):
        value, cliques = worst(m)
        assert value <= m / 2 + 1e-9
        assert m % 2 or (value == pytest.approx(m / 2) and cliques == (m // 2, m // 2))


def test_agreement_that_changes_in_time_has_no_more() -> None:
    random = np.random.default_rng(2)
    for m in (4, 7, 8):
        for _ in range(100):
            groups = random.integers(0, random.integers(2, m + 1), (20, m))
            if random.random() < 0.5:
                groups[5:] = groups[:15]
            counts = (groups[:, :, None] == groups[:, None, :]).sum(axis=0)
            assert np.linalg.eigvalsh(decorrelated(counts, 1.0))[-1] <= 20 * m / 2 + 1 + 1e-9


def test_the_power_of_a_power_is_found() -> None:
    row = [play(Case("two cliques", "hard gap", 4, 5.0, rounds, 3)) for rounds in (20, 80)]
    results = Results(row, {})
    assert results.growth("two cliques", "hard gap") == row
    slope, _ = power(row)
    assert slope == pytest.approx(math.log(row[1].regret.value / row[0].regret.value) / math.log(4))
