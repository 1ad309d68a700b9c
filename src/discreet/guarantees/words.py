"""Guarantees in plain words; every number in them is rounded towards less privacy."""

import decimal
from decimal import Decimal

EXACT = decimal.Context(prec=40, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
PREMISE = "any one round's losses may be replaced: "
_WITHIN = "any one round's losses may be replaced by others that differ by at most {} in Euclidean norm: "


def pure(epsilon: float, advantage: float) -> str:
    """Say what a factor of e^epsilon means.

    >>> print(pure(1.0, 0.4621171572600098))  # doctest: +ELLIPSIS
    any one round's ... changes probability by a factor of at most 2.72. A guess ... at most 73.2% right ...
    """
    if epsilon == 0:
        return f"{PREMISE}no set of released actions changes probability. {guess(advantage)}"
    change = f"every set of released actions changes probability by {_factor(epsilon)}"
    return f"{PREMISE}{change}. {guess(advantage)}"


def approximate(epsilon: float, delta: float, advantage: float) -> str:
    """Say what a factor and an amount mean."""
    change = f"{_factor(epsilon)}, plus an amount of at most {_number(delta)}"
    return f"{PREMISE}every set of released actions changes probability by {change}. {guess(advantage)}"


def gaussian(mu: float, advantage: float, within: float | None = None) -> str:
    """Say what two normal variables mean, and of which rounds it is said."""
    premise = PREMISE if within is None else _WITHIN.format(repr(within))
    hard = "telling from everything released which losses were used is at least as hard as telling"
    pair = f"one draw of a normal variable from one whose mean is {_number(mu)} standard deviations higher"
    return f"{premise}{hard} {pair}. {guess(advantage)}"


def curve(missed: float, advantage: float) -> str:
    """Say what one point of the curve means: the chance to miss at a false-alarm chance of 5%."""
    who = "a test of everything released for which losses were used, with false alarms in 5% of cases,"
    return f"{PREMISE}{who} misses in at least {_percent(missed, decimal.ROUND_FLOOR)}. {guess(advantage)}"


def nothing(reason: str) -> str:
    """Say that nothing is promised, and why."""
    return f"nothing is promised: {reason}"


def guess(advantage: float) -> str:
    """Say how far a fair guess can improve: to (1 + delta(0)) / 2, the best any test can do.

    >>> guess(0.25)
    'A guess that was 50% right beforehand is at most 62.5% right after seeing everything released.'
    """
    right = _percent((Decimal(1) + Decimal(advantage)) / 2, decimal.ROUND_CEILING)
    return f"A guess that was 50% right beforehand is at most {right} right after seeing everything released."


def _percent(share: float | Decimal, rounding: str) -> str:
    return f"{(100 * Decimal(share)).quantize(Decimal('0.1'), rounding)}%"


def _factor(epsilon: float) -> str:
    if epsilon > 1e15:  # its digits could not all be told apart
        return f"a factor of at most e^({epsilon!r})"
    factor = Decimal(epsilon).exp(EXACT)
    # Near 1 three digits would say nothing: there they are those of the excess over 1.
    if factor < Decimal("1.1"):
        return f"a factor of at most {EXACT.add(1, _three(EXACT.subtract(factor, 1))).normalize(EXACT):f}"
    return f"a factor of at most {_plain(_three(factor))}"


def _number(value: float) -> str:
    return _plain(_three(Decimal(repr(float(value)))))


def _three(value: Decimal) -> Decimal:
    context = decimal.Context(3, decimal.ROUND_CEILING, decimal.MIN_EMIN, decimal.MAX_EMAX)
    return context.plus(value)


def _plain(value: Decimal) -> str:
    return f"{value:f}" if value == 0 or Decimal("0.001") <= value < 10**6 else f"{value:e}"
