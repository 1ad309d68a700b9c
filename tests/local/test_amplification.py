"""The smallest law of the batch around a round: against section 3.1.2 in many digits, and against runs."""

from __future__ import annotations

import time
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from discreet.guarantees import GaussianDP
from discreet.local import amplified_trade_off, heuristic_ratio, least_batch_law, simulated_batch_law
from tests.chances import MILLION_SIGMA
from tests.experts.checks import refuses
from tests.guarantees.digits import in_digits


def bound(beta: mpf) -> mpf:
    """Theorem 1."""
    inside = mpmath.ncdf(beta) - mpmath.ncdf(-beta)
    return 2 * mpmath.ncdf(-mpmath.sqrt(2) * beta) + 2 * mpmath.sqrt(mpmath.pi) * mpmath.npdf(beta) * inside


@in_digits(20)
def reference(t: int, n: int, scale: float, tolerance: float, b: int) -> mpf:
    """P(size >= b + 2) by equation 2 (a double integral), theorem 1 and a root of the condition of algorithm 4."""
    lift, allowed = mpmath.sqrt(mpmath.log(2 * n - 2)), mpf(tolerance) * mpmath.sqrt(mpmath.log(n) / (t + b))
    beta = mpmath.findroot(lambda x: mpmath.log(bound(x) / allowed), (mpf(2), mpf(6)), solver="anderson")
    kappa = b + 1 + mpf(scale) * mpmath.sqrt(2 * (b + 1)) * (beta + lift)
    spread = mpf(scale) * mpmath.sqrt(t - b)

    def density(x: mpf) -> mpf:  # by the trapezoid rule, which errs by e^-150 here
        places = [mpf(i) / 4 for i in range(-32, 4 * int(x) + 40)]
        terms = [mpmath.npdf(y) * mpmath.npdf(y - x) * mpmath.ncdf(y - x) ** (n - 2) for y in places]
        return n * (n - 1) * mpmath.fsum(terms) / 4

    if b == 0:
        return mpmath.quad(density, mpmath.linspace(kappa / spread, kappa / spread + 9, 6), maxdegree=4)
    start, steep = scale * mpmath.sqrt(2 * b) * lift, scale * mpmath.sqrt(2 * b)
    ends = [start, *(start + i * steep for i in (1, 3, 7)), *(start + 7 * steep + i * spread for i in (3, 9))]
    kept = lambda k: density((kappa + b + k) / spread) / spread * (1 - bound((k - start) / steep))  # noqa: E731
    return mpmath.quad(kept, ends, maxdegree=4)


@pytest.mark.parametrize(
    ("t", "n", "scale", "tolerance", "b"),
    [
        (50, 3, 5.0, 0.1, 0),
        (50, 3, 5.0, 0.1, 1),
        (2000, 2, 2.0, 0.01, 7),
        (2000, 25, 5.0, 0.01, 0),
        (10_000, 25, 5.0, 0.01, 9),
    ],
)
def test_the_law_is_the_double_integral_from_below(t: int, n: int, scale: float, tolerance: float, b: int) -> None:
    ours, exact = least_batch_law(t, n, scale, tolerance).survival(b + 2), reference(t, n, scale, tolerance, b)
    assert ours <= exact
    assert ours >= exact * (1 - 2e-4)


@pytest.mark.parametrize(
    ("t", "n", "scale"), [(2, 2, 5.0), (60, 2, 5.0), (300, 25, 5.0), (300, 3, 1.0), (1500, 5, 5.0)]
)
def test_batches_of_runs_are_stochastically_larger(t: int, n: int, scale: float) -> None:
    """4000 runs on equal losses; each size by accident with probability below 1e-6."""
    least, seen = least_batch_law(t, n, scale, 0.01), simulated_batch_law(t, n, scale, 0.01, runs=4000, seed=1)
    for size in (2, 3, 5, 9, 17, 40):
        chance = least.survival(size)
        assert seen.survival(size) >= chance - MILLION_SIGMA * np.sqrt(chance * (1 - chance) / 4000)


@pytest.mark.parametrize("losses", [[0.0, 0.02, 0.02], [0.0, 0.0, 1.0], [0.1, 0.2, 0.3]])
def test_other_losses_make_batches_larger(losses: list[float]) -> None:
    equal = simulated_batch_law(400, 3, 5.0, 0.01, runs=4000, seed=1)
    other = simulated_batch_law(400, 3, 5.0, 0.01, runs=4000, seed=2, losses=losses)
    for size in (2, 4, 8, 16):
        assert other.survival(size) >= equal.survival(size) - MILLION_SIGMA * np.sqrt(0.5 / 4000)


def test_no_batch_in_the_first_round() -> None:
    assert least_batch_law(1, 25, 5.0, 0.01).sizes == (1,)
    assert simulated_batch_law(1, 25, 5.0, 0.01, runs=10).sizes == (1,)
    curve = amplified_trade_off(1, 25, 1.0, 5.0, 0.01)
    assert curve.trade_off(0.05) == pytest.approx(GaussianDP(1.0).trade_off(0.05), abs=1e-5)


def test_privacy_grows_from_round_to_round_and_is_never_below_that_of_a_report() -> None:
    alphas = np.geomspace(1e-9, 0.9, 30)
    curves = [amplified_trade_off(t, 25, 1.0, 5.0, 0.01).trade_off(alphas) for t in (1, 30, 300, 3000, 30_000)]
    for earlier, later in pairwise([GaussianDP(1.0).trade_off(alphas) - 1e-4, *curves]):
        assert (later >= earlier - 1e-9).all()
    assert (curves[-1] > curves[0] + 1e-12).all()


def test_ten_thousand_rounds_take_less_than_two_seconds() -> None:
    start = time.perf_counter()
    curve = amplified_trade_off(10_000, 25, 1.0, 5.0, 0.01)
    assert time.perf_counter() - start < 2
    assert 0.0281 < curve.delta(1.0) < 0.0283


@pytest.mark.parametrize("t", [2, 3, 10**9, 2**50])
def test_early_and_late_rounds_have_a_law(t: int) -> None:
    law = least_batch_law(t, 2, 5.0, 0.01)
    assert law.sizes[0] == 1
    assert abs(sum(law.weights) - 1) < 1e-12
    assert law.survival(t + 1) == 0


def test_bad_parameters_are_refused() -> None:
    good = {"t": 10, "n_actions": 3, "mu": 1.0, "sensitivity": 1.7, "tolerance": 0.01}
    for name, values in (
        ("t", [0, 1.5, None, True]),
        ("n_actions", [1, 2.0]),
        ("mu", [0, -1.0, float("nan"), "1"]),
        ("sensitivity", [0.0, float("inf")]),
        ("tolerance", [0.0, 1.0, 2, float("nan")]),
    ):
        for bad in values:
            assert name in refuses(amplified_trade_off, **(good | {name: bad}))


def test_the_rule_of_thumb_is_near_the_runs_for_two_actions_and_late_rounds() -> None:
    """At 0.2 and 0.4, within a factor of 2: it leaves out the batch's end, the drift and all that is small."""
    seen = simulated_batch_law(10_000, 2, 5.0, 0.01, runs=1000, seed=4)
    for chance in (0.2, 0.4):
        ratio = heuristic_ratio(10_000, 2, 0.01, chance)
        smaller = 1 - seen.survival(round(ratio**2) + 1)
        assert chance / 2 < smaller < 2 * chance
