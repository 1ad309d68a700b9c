"""Plain words: the numbers in them are rounded towards less privacy."""

import math
import re
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.guarantees import ApproxDP, GaussianDP, NoGuarantee, PureDP, TradeOff


def test_the_sentences() -> None:
    curve = TradeOff((0.0, 0.25, 0.773, 1.0), (0.773, 0.25, 0.0, 0.0))
    assert PureDP(1.0).words() == (
        "any one round's losses may be replaced: every set of released actions changes probability by a "
        "factor of at most 2.72. A guess that was 50% right beforehand is at most 73.2% right after "
        "seeing everything released."
    )
    assert "factor of at most 2.72, plus an amount of at most 1e-6. A guess" in ApproxDP(1.0, 1e-6).words()
    assert "one whose mean is 0.25 standard deviations higher. A guess" in GaussianDP(0.25).words()
    assert "misses in at least 66.8%. A guess" in curve.words()
    assert "no set of released actions changes probability" in PureDP(0).words()
    assert NoGuarantee("it is seeded").words() == "nothing is promised: it is seeded"


@pytest.mark.parametrize(
    ("level", "factor"),
    [(10.0, "22100"), (50.0, "5.19e+21"), (1e6, "3.04e+434294"), (0.01, "1.0101"), (1e-6, "1.00000101")],
)
def test_factors_of_every_size(level: float, factor: str) -> None:
    assert f"a factor of at most {factor}. A guess" in PureDP(level).words()
    assert "e^(1e+300)" in PureDP(1e300).words()


@given(st.floats(1e-6, 1000))
def test_words_never_flatter(level: float) -> None:
    words = PureDP(level).words()
    numbers = re.search(r"factor of at most (\S+)\. A.* at most ([\d.]+)% right", words)
    assert numbers
    factor, percent = Decimal(numbers[1]), float(numbers[2])
    with localcontext(prec=50):
        exact = Decimal(level).exp()
        assert exact <= factor <= exact * Decimal("1.011")
        assert factor - 1 <= (exact - 1) * Decimal("1.12")
    right = 100 / (1 + math.exp(-level))
    assert right - 1e-9 <= percent <= right + 0.1001
