"""Losses in spans: totals are overlaps, one action stays perfect, and the order is drawn for each run."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.environments import Environment, Spans, halving, late_loss, one_by_one
from discreet.losses import UNITS
from tests.chances import assert_fits

REALIZABLE = [late_loss(7, 0.1, 40), one_by_one(7, 40), halving(7, 40), halving(8, 40), halving(9, 40)]


@pytest.mark.parametrize("world", [*REALIZABLE, Spans([0, 9, 30], [9, 40, 40])], ids=repr)
def test_totals_are_rounds_added_up(world: Environment) -> None:
    k = world.n_actions
    assert k is not None
    starts, counts = np.array([0, 3, 17, 39]), np.array([40, 0, 12, 1])
    one, other = (world.stream(k, 40, 4, np.random.default_rng(2)) for _ in range(2))
    units = one.rounds(0, 40)
    wanted = [
        units[start : start + n, run].sum(axis=0) for run, (start, n) in enumerate(zip(starts, counts, strict=True))
    ]
    assert other.totals(starts, counts).tolist() == np.array(wanted).tolist()
    assert set(np.unique(units)) <= {0, UNITS}


@pytest.mark.parametrize("world", REALIZABLE, ids=repr)
def test_one_action_is_perfect_and_stands_anywhere(world: Environment) -> None:
    k, runs = world.n_actions, 20_000
    assert k is not None
    totals = world.stream(k, 40, runs, np.random.default_rng(3)).totals(0, np.full(runs, 40))
    assert ((totals == 0).sum(axis=1) == 1).all()
    assert_fits(np.bincount(totals.argmin(axis=1), minlength=k), np.full(k, 1 / k))


def test_half_of_those_left_go_bad_in_each_phase() -> None:
    losses = halving(8, 40).still().losses(40, seed=1)
    assert losses.sum(axis=1)[[0, 9, 10, 19, 20, 29, 30, 39]].tolist() == [0, 0, 4, 4, 6, 6, 7, 7]


def test_actions_go_bad_one_after_the_other() -> None:
    losses = one_by_one(5, 50).still().losses(50, seed=1)
    assert losses.sum(axis=1).tolist() == np.repeat(np.arange(5), 10).tolist()


def test_late_losses_are_as_many_as_the_theorem_says() -> None:
    losses = late_loss(50, 0.1, 100).still().losses(100, seed=1)
    assert losses.sum(axis=1).tolist() == [0] * 81 + [49] * 19  # log(50) / 0.2 = 19.56


def test_the_law_of_a_fixed_order() -> None:
    law = Spans([0, 2], [2, 9], shuffled=False).total_law(1, range(1, 4))
    assert dict(zip(map(tuple, (law.totals // UNITS).tolist()), law.chances.tolist(), strict=True)) == pytest.approx(
        {(0, -1): 1 / 3, (0, 0): 1 / 3, (0, 1): 1 / 3}
    )
    with pytest.raises(ValueError, match="cannot be written down"):
        one_by_one(3, 9).total_law(0, range(1, 2))
