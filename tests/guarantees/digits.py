"""Arithmetic in many digits: mpmath ships no types, so its decorator gets one here."""

from collections.abc import Callable
from typing import TypeVar

import mpmath

Function = TypeVar("Function", bound=Callable[..., object])


def in_digits(digits: int) -> Callable[[Function], Function]:
    """Run a function in so many digits."""

    def decorate(function: Function) -> Function:
        precise: Function = mpmath.workdps(digits)(function)
        return precise

    return decorate
