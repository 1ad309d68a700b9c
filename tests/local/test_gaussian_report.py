"""Reports: their law, what they promise and of whom, and what is refused."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from discreet import local
from discreet.guarantees import GaussianDP, NoGuarantee
from discreet.local import GaussianReport, sensitivity_from_counts
from discreet.local.grid import to_grid
from tests.chances import MILLION_SIGMA, assert_fits

SEED = 20


def cells(values: Any, width: float) -> Any:
    """How many values fall into each of 40 intervals of this width around zero, and beyond on either side."""
    edges = np.concatenate([[-np.inf], width * np.arange(-20, 21), [np.inf]])
    return np.histogram(values, edges)[0], edges


@pytest.mark.parametrize(("mu", "sensitivity"), [(1.0, None), (0.25, 0.3), (4.0, 0.01)])
def test_reports_are_losses_plus_normal_noise(mu: float, sensitivity: float | None) -> None:
    """Chi-square at one in a million. A scale that is 1% off is seen by its variance below."""
    report = GaussianReport(4, mu, sensitivity, seed=SEED)
    losses = np.tile([0.0, 1.0, 0.123456789, 0.5], (100_000, 1))
    noise = report.privatize(losses) - losses
    counts, edges = cells(noise, report.scale / 4)
    assert_fits(counts, np.diff(ndtr(edges / report.scale)))
    spread = noise.var() / ((sensitivity or 2.0) / mu) ** 2
    assert abs(spread - 1) < MILLION_SIGMA * math.sqrt(2 / noise.size) < 0.012


def test_losses_are_not_rounded_before_the_noise() -> None:
    """Halfway between two cells and with hardly any noise a report is either of them, equally often."""
    report = GaussianReport(2, mu=1.0, sensitivity=2.0**-40, seed=SEED)
    above = report.privatize(np.full((10_000, 2), 0.5 + report.unit / 2)) > 0.5
    assert abs(above.mean() - 0.5) < MILLION_SIGMA * 0.5 / math.sqrt(above.size)


def test_reports_lie_on_the_grid_of_the_learners() -> None:
    report = GaussianReport(3, mu=0.7, seed=SEED)
    losses = np.random.default_rng(1).random((1000, 3))
    reports = report.privatize(losses)
    assert (to_grid(reports, 3, report.scale) * report.unit == reports).all()


def test_what_one_loss_can_give_another_can_give_too() -> None:
    """Of 0 and of 1 all reports are multiples of one unit: floats do not tell where noise was added."""
    report = GaussianReport(2, mu=math.sqrt(2), seed=SEED)
    reports = report.privatize(np.tile([0.0, 1.0], (10_000, 1)))
    assert (np.abs(reports / report.unit - np.rint(reports / report.unit)) == 0).all()
    plain = np.random.default_rng(1).normal([0.0, 1.0], size=(10_000, 2))
    whole = np.abs(plain * 2.0**53 - np.rint(plain * 2.0**53)) == 0  # 1 + noise is coarser than noise near zero
    assert whole[:, 1].mean() > whole[:, 0].mean() + 0.1


@pytest.mark.parametrize("n_actions", [2, 3, 24, 25, 1000])
def test_the_scale_is_never_below_what_the_promise_needs(n_actions: int) -> None:
    for mu in (0.1, 1 / 3, 1.0, 7.0):
        scale = Fraction(GaussianReport(n_actions, mu).scale)
        assert n_actions <= (scale * Fraction(mu)) ** 2 < n_actions * (1 + Fraction(1, 10**14))
        scale = Fraction(GaussianReport(n_actions, mu, sensitivity=0.3).scale)
        assert Fraction(0.3) <= scale * Fraction(mu) < Fraction(0.3) * (1 + Fraction(1, 10**14))


def test_the_guarantee_says_of_whom_it_is_true() -> None:
    assert GaussianReport(4, 0.5).guarantee == GaussianDP(0.5)
    assert GaussianReport(3, 0.5, sensitivity=math.sqrt(3)).guarantee == GaussianDP(0.5)
    assert GaussianReport(3, 0.5, sensitivity=2.0).guarantee == GaussianDP(0.5)
    claimed = GaussianReport(4, 0.5, sensitivity=0.3).guarantee
    assert claimed == GaussianDP(0.5, within=0.3)
    assert "differ by at most 0.3" in claimed.words()


@pytest.mark.parametrize("n_actions", [2, 3, 4, 5, 25, 100])
def test_an_unconditional_promise_has_all_the_noise_that_it_needs(n_actions: int) -> None:
    """A claim some roundings short of all losses is taken to be all of them, and noise is made for that."""
    near = math.sqrt(n_actions)
    for _ in range(6):
        report = GaussianReport(n_actions, mu=1.0, sensitivity=near)
        within = getattr(report.claim, "within", None)
        assert report.noise.reveals(math.sqrt(n_actions) if within is None else within).mu <= 1.0
        assert n_actions <= Fraction(report.sensitivity) ** 2 or within is not None
        near = math.nextafter(near, 0.0)


def test_a_seed_promises_nothing() -> None:
    seeded = GaussianReport(4, 0.5, seed=1)
    assert isinstance(seeded.guarantee, NoGuarantee)
    assert seeded.claim == GaussianDP(0.5)
    again = GaussianReport(4, 0.5, seed=1)
    assert (seeded.privatize([0.1] * 4) == again.privatize([0.1] * 4)).all()
    assert (seeded.privatize([0.1] * 4) != again.clone().privatize([0.1] * 4)).any()


def test_without_a_seed_every_call_draws_anew() -> None:
    report = GaussianReport(4, 0.5)
    assert (report.privatize([0.1] * 4) != report.privatize([0.1] * 4)).all()


def test_vectors_tables_and_nothing() -> None:
    report = GaussianReport(2, 1.0, seed=1)
    assert report.privatize([0, 1]).shape == (2,)
    assert report.privatize(np.zeros((3, 2), dtype=np.float32)).shape == (3, 2)
    assert report.privatize(np.zeros((0, 2))).shape == (0, 2)


@pytest.mark.parametrize(
    ("losses", "sentence"),
    [
        ([0.1, 1.5], "the loss of action 1 is 1.5"),
        ([[0.1, 0.2], [0.3, math.nan]], "the loss of round 1, action 1 is nan"),
        ([0.1, 0.2, 0.3], "2 actions want 2 losses a round"),
        (["a", "b"], "not text"),
    ],
)
def test_bad_losses_are_refused_and_draw_nothing(losses: Any, sentence: str) -> None:
    report, untouched = GaussianReport(2, 1.0, seed=1), GaussianReport(2, 1.0, seed=1)
    with pytest.raises(ValueError, match=sentence):
        report.privatize(losses)
    assert (report.privatize([0.1, 0.2]) == untouched.privatize([0.1, 0.2])).all()


@pytest.mark.parametrize(
    "parameters",
    [{"n_actions": 1}, {"mu": 0.0}, {"mu": math.inf}, {"mu": "1"}, {"sensitivity": 0.0}, {"sensitivity": -1.0}],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(parameters))):
        GaussianReport(**{"n_actions": 2, "mu": 1.0} | parameters)


def test_representations_evaluate_and_pickles_go_on() -> None:
    report = GaussianReport(3, 0.5, sensitivity=0.3, seed=2)
    assert eval(repr(report), dict(vars(local))) == report
    again = pickle.loads(pickle.dumps(report))
    assert (again.privatize([0.5] * 3) == report.privatize([0.5] * 3)).all()


def test_a_person_in_one_of_two_places() -> None:
    beds = [12.0, 10.5, 300.0]
    sensitivity = sensitivity_from_counts(beds)
    moved = math.hypot(1 / 12.0, 1 / 10.5)
    assert moved <= sensitivity == pytest.approx(math.sqrt(2) / 10.5, rel=1e-15)
    assert (Fraction(sensitivity) * Fraction(10.5)) ** 2 >= 2
    assert sensitivity_from_counts([beds, [20.0, 4.0, 300.0]]) == pytest.approx(math.sqrt(2) / 4)


@pytest.mark.parametrize("counts", [[], [10.0, 0.0], [10.0, -1.0], [10.0, math.nan], [math.inf, 1.0], ["a"], None])
def test_counts_are_numbers_above_zero(counts: Any) -> None:
    with pytest.raises(ValueError, match="count"):
        sensitivity_from_counts(counts)
