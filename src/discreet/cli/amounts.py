"""How amounts are written on the command line."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

import typer

_POWER = re.compile(r"([0-9]{1,19})(?:\*\*|\^)([0-9]{1,19})")
_DIGITS = 18  # of the largest number that is read; it fits into 64 bits


def whole_number(text: str) -> int:
    """Read a whole number of at least 1: 1000000, 1_000_000, 1e6, 10**6 and 10^6 are the same.

    For the `parser=` of an option: what cannot be read raises `typer.BadParameter`, wrong usage in one sentence.

    >>> [whole_number(text) for text in ("1000000", "1e6", "10**6", "2^20")]
    [1000000, 1000000, 1000000, 1048576]
    """
    number = _number(text.strip())
    if number is None or number != number.to_integral_value() or not 1 <= number <= 10**_DIGITS:
        wanted = f"a whole number from 1 to 10^{_DIGITS}, such as 1000000, 1e6, 10**6 or 2^20"
        raise typer.BadParameter(f"{text!r} is not {wanted}")
    return int(number)


def _number(text: str) -> Decimal | None:
    """What is written, exactly, if it is a number of moderate size; None otherwise."""
    power = _POWER.fullmatch(text)
    if power:
        base, exponent = int(power[1]), int(power[2])
        return Decimal(base ** min(exponent, 64))  # any base above 1 is far beyond the limit by then
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and number.adjusted() <= _DIGITS else None
