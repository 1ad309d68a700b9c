"""What a law of batch sizes promises, against its formulas in many digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from discreet.guarantees import GaussianDP, TradeOff
from discreet.local import BatchLaw
from tests.experts.checks import refuses
from tests.guarantees.digits import in_digits

LAWS = [
    BatchLaw((1,), (1.0,)),
    BatchLaw((1, 4), (0.5, 0.5)),
    BatchLaw((1, 2, 50, 10_000), (0.001, 0.2, 0.3, 0.499)),
    BatchLaw((3, 10**9), (1e-6, 1 - 1e-6)),
]


@in_digits(40)
def errors(law: BatchLaw, mu: float, s: float) -> tuple[mpf, mpf]:
    """alpha(s) and beta(s) as printed."""
    alpha = beta = mpf(0)
    for b, weight in zip(law.sizes, law.weights, strict=True):
        level = mpf(mu) / mpmath.sqrt(b)
        alpha += mpf(weight) * mpmath.ncdf(-(mpf(s) + level**2 / 2) / level)
        beta += mpf(weight) * mpmath.ncdf((mpf(s) - level**2 / 2) / level)
    return alpha, beta


@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law.sizes))
@pytest.mark.parametrize("mu", [0.05, 1.0, 4.0])
def test_the_curve_is_never_above_the_true_one_and_close_to_it(law: BatchLaw, mu: float) -> None:
    curve = law.trade_off(mu)
    for s in np.concatenate([np.geomspace(1e-6, 12, 15) * mu, -np.geomspace(1e-6, 12, 15) * mu, [0.0]]).tolist():
        alpha, beta = errors(law, mu, s)
        if not 1e-300 < alpha < 1:
            continue
        ours = curve.trade_off(min(1.0, float(alpha * (1 + mpf(10) ** -15))))  # the float is not below alpha
        assert ours <= beta
        assert ours >= beta - 1e-4


@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law.sizes))
@pytest.mark.parametrize("mu", [0.05, 1.0, 4.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 5.0])
def test_delta_is_the_formula_with_digits_in_the_tail_too(law: BatchLaw, mu: float, epsilon: float) -> None:
    ours = law.delta(mu, epsilon)
    precise = in_digits(400)(_delta)(law, mu, epsilon)
    assert ours >= precise
    assert ours <= precise * (1 + 1e-9) + mpf(10) ** -300
    assert law.trade_off(mu).delta(epsilon) >= ours * (1 - 1e-9) - 1e-300


def _delta(law: BatchLaw, mu: float, epsilon: float) -> mpf:
    total = mpf(0)
    for b, weight in zip(law.sizes, law.weights, strict=True):
        level = mpf(mu) / mpmath.sqrt(b)
        a, c = epsilon / level - level / 2, epsilon / level + level / 2
        tails = mpmath.erfc(a / mpmath.sqrt(2)) - mpmath.exp(epsilon) * mpmath.erfc(c / mpmath.sqrt(2))
        total += mpf(weight) * tails / 2
    return total


def test_one_size_is_a_gaussian() -> None:
    law = BatchLaw((4,), (1.0,))
    alphas = np.linspace(0, 1, 101)
    assert law.trade_off(1.0).trade_off(alphas) == pytest.approx(GaussianDP(0.5).trade_off(alphas), abs=1e-5)
    assert law.delta(1.0, 0.3) == pytest.approx(GaussianDP(0.5).delta(0.3), rel=1e-11)


def test_smaller_sizes_promise_less() -> None:
    small, large = BatchLaw((1, 5), (0.5, 0.5)).trade_off(1.0), BatchLaw((1, 9), (0.4, 0.6)).trade_off(1.0)
    alphas = np.linspace(0.001, 0.999, 500)
    assert (small.trade_off(alphas) < large.trade_off(alphas)).all()


def test_a_hidden_size_would_promise_more_than_is_true() -> None:
    """The planted mistake: telling mixtures of normals apart without knowing the size is harder."""
    mu, weights, scales = 4.0, np.array([0.5, 0.5]), np.array([1.0, 6.0]) / 4.0
    x = np.linspace(-40, 41, 400_001)
    left, right = (
        sum(w * np.exp(-(((x - m) / s) ** 2) / 2) / s for w, s in zip(weights, scales, strict=True)) for m in (0.0, 1.0)
    )
    hidden = float(np.maximum(left - np.e * right, 0).sum() * (x[1] - x[0]) / np.sqrt(2 * np.pi))
    assert hidden < BatchLaw((1, 36), (0.5, 0.5)).delta(mu, 1.0) - 0.01


@pytest.mark.parametrize(
    ("sizes", "weights"),
    [
        ((), ()),
        ((0, 1), (0.5, 0.5)),
        ((2, 1), (0.5, 0.5)),
        ((1, 1), (0.5, 0.5)),
        ((1,), (0.9,)),
        ((1, 2), (1.5, -0.5)),
        ((1, 2), (1.0,)),
    ],
)
def test_what_is_no_law_is_refused(sizes: tuple[int, ...], weights: tuple[float, ...]) -> None:
    assert "law" in refuses(BatchLaw, sizes, weights)


def test_the_curve_is_a_guarantee_like_any_other() -> None:
    curve = LAWS[1].trade_off(1.0)
    assert isinstance(curve, TradeOff)
    assert curve.compose(curve).delta(0.5) > curve.delta(0.5)
