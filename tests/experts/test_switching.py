"""How many draws suffice, against arithmetic of 600 digits, where sums of terms of both signs cancel in floats."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import pytest

from discreet.experts.switching import chance_of, most_switches


def by_inclusion_and_exclusion(n: int, total: float, x: float, numbers: Any) -> Any:
    """j chosen numbers are above x with probability e^(-j x), and then begin anew there."""
    terms = range(min(n, int(total / x)) + 1)
    signed = [(-1) ** j * math.comb(n, j) * numbers.exp(-j * x) * numbers.below(n, total - j * x) for j in terms]
    return numbers.fsum(signed) / (1 - numbers.exp(-x)) ** n


class Long:
    """As many digits as are asked for."""

    exp, fsum = staticmethod(mpmath.exp), staticmethod(mpmath.fsum)

    @staticmethod
    def below(n: int, total: Any) -> Any:
        """The chance that n exponential numbers sum to the total or less."""
        return mpmath.gammainc(n, 0, total, regularized=True)


@pytest.mark.parametrize("n_actions", [2, 100, 10**8, 10**9, 10**15, 10**30])
@pytest.mark.parametrize("x", [0.3, 1.0, 2.0, 8.0, 60.0])
def test_the_least_number_by_arithmetic_of_600_digits(n_actions: int, x: float) -> None:
    total = math.log(n_actions)
    for failure in (0.1, 0.0125, 1e-9):
        n = most_switches(n_actions, x, failure)
        with mpmath.workdps(600):
            fewer, enough = (
                float(by_inclusion_and_exclusion(m, mpmath.mpf(total), mpmath.mpf(x), Long)) for m in (n, n + 1)
            )
        assert enough <= failure
        assert fewer > failure or n == 1
        assert chance_of(n + 1, total, x) == pytest.approx(enough, rel=1e-11)


def test_the_same_sum_in_floats_cancels() -> None:
    """Planted: what stood here before, at 10^30 actions."""

    class Floats:
        exp, fsum = staticmethod(math.exp), staticmethod(math.fsum)

        @staticmethod
        def below(n: int, total: float) -> float:
            logs = (i * math.log(total) - total - math.lgamma(i + 1) for i in range(n, n + 400))
            return math.fsum(map(math.exp, logs))

    total = math.log(10**30)
    assert chance_of(55, total, 1.0) > 1 - 1e-9
    assert abs(float(by_inclusion_and_exclusion(55, total, 1.0, Floats)) - 1) > 0.5
