"""The laws of the selections by independent calculation, in 60 digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, wraps
from itertools import chain, combinations
from typing import Any

import mpmath
from mpmath import mpf

UNITS = 2**20
Law = Callable[[Sequence[int], float], list[Any]]


def in_digits(digits: int) -> Callable[[Law], Law]:
    """Work out a law in so many digits."""

    def decorate(law: Law) -> Law:
        @wraps(law)
        def precise(totals: Sequence[int], parameter: float) -> list[Any]:
            with mpmath.workdps(digits):
                return law(totals, parameter)

        return precise

    return decorate


def exponents(totals: Sequence[int], rate: float) -> list[Any]:
    """rate · gap for each action, from whole-number gaps."""
    return [mpf(rate) * (total - min(totals)) / UNITS for total in totals]


@in_digits(60)
def softmax(totals: Sequence[int], rate: float) -> list[Any]:
    """exp(-rate · total), normalized."""
    weights = [mpmath.exp(-x) for x in exponents(totals, rate)]
    return [weight / mpmath.fsum(weights) for weight in weights]


def _subsets(items: Sequence[int]) -> Any:
    return chain.from_iterable(combinations(items, n) for n in range(len(items) + 1))


@in_digits(60)
def permute_and_flip(totals: Sequence[int], rate: float) -> list[Any]:
    """The chance of heads, times the average of 1/(number of heads): by the sets of others that land heads."""
    chances = [mpmath.exp(-x) for x in exponents(totals, rate)]
    law = []
    for j, mine in enumerate(chances):
        others = [i for i in range(len(chances)) if i != j]
        law.append(
            mine
            * mpmath.fsum(
                mpmath.fprod([chances[i] if i in heads else 1 - chances[i] for i in others]) / (1 + len(heads))
                for heads in map(set, _subsets(others))
            )
        )
    return law


@in_digits(40)
def noisy_max_exponential(totals: Sequence[int], rate: float) -> list[Any]:
    """Report-noisy-max with one-sided exponential noise of mean 1/rate on negated totals, by quadrature."""
    behind = exponents(totals, rate)
    law = []
    for j, mine in enumerate(behind):
        others = [x for i, x in enumerate(behind) if i != j]

        def density(y: Any, others: list[Any] = others) -> Any:
            """Action j's score at y >= 0, where the leader's score without noise is 0, over e^-gap."""
            return mpmath.exp(-y) * mpmath.fprod([1 - mpmath.exp(-(y + x)) for x in others])

        law.append(mpmath.exp(-mine) * mpmath.quad(density, [0, *(mpf(2) ** k for k in range(-20, 8))]))
    return law


@in_digits(30)
def noisy_max_laplace(totals: Sequence[int], scale: float) -> list[Any]:
    """Report-noisy-max with continuous Laplace noise, by quadrature between the kinks."""
    scores = [-x for x in exponents(totals, 1 / mpf(scale))]

    def below(x: Any) -> Any:
        return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2

    law = []
    for j, mine in enumerate(scores):
        others = [x for i, x in enumerate(scores) if i != j]

        def density(y: Any, mine: Any = mine, others: list[Any] = others) -> Any:
            """Over e^-gap: `quad` stops at an absolute error."""
            return mpmath.exp(-abs(y - mine) - mine) / 2 * mpmath.fprod([below(y - x) for x in others])

        low = int(min(scores)) - 60
        ends = sorted({*scores, *map(mpf, range(low, 60, 10)), mpf(60)})
        law.append(mpmath.exp(mine) * mpmath.quad(density, ends))
    return law


@in_digits(60)
def noisy_max_discrete(totals: Sequence[int], scale: float) -> list[Any]:
    """Discrete Laplace noise on the grid of units, added up value by value; ties are shared equally."""
    ratio = mpmath.exp(-1 / (mpf(scale) * UNITS))

    @cache
    def mass(n: int) -> Any:
        return (1 - ratio) / (1 + ratio) * ratio ** abs(n)

    @cache
    def under(n: int) -> Any:
        """The chance of noise below n."""
        return ratio ** (1 - n) / (1 + ratio) if n <= 0 else 1 - ratio**n / (1 + ratio)

    gaps = [total - min(totals) for total in totals]
    reach = int(mpmath.ceil(120 * mpf(scale) * UNITS)) + 2
    law = []
    for j, gap in enumerate(gaps):
        others = [i for i in range(len(gaps)) if i != j]
        parts = []
        for value in range(-max(gaps) - reach, reach):
            for tied in map(set, _subsets(others)):
                chance = mass(value + gap) / (1 + len(tied))
                for i in others:
                    chance *= mass(value + gaps[i]) if i in tied else under(value + gaps[i])
                parts.append(chance)
        law.append(mpmath.fsum(parts))
    return law


def expansion(value: Any, bits: int) -> int:
    """floor(2^bits · value), for a value computed in enough digits."""
    return int(mpmath.floor(mpmath.ldexp(value, bits)))


def exp_of(exponent: Fraction, digits: int = 400) -> Any:
    """e^-exponent, to be used inside `mpmath.workdps(digits)`."""
    with mpmath.workdps(digits):
        return mpmath.exp(-mpf(exponent.numerator) / exponent.denominator)
