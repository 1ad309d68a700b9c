"""What a theorem says that names no constant."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Order:
    """A rate without its constant: the regret is at most, or at least, some universal constant times `value`.

    It is no number: it cannot be compared with a regret, added or plotted by mistake. What can be done with it is to
    divide measured regrets by `value` over many instances, and to look whether the ratio stays within bounds.

    >>> rate = Order(92.1, "log(K)/gap + log(K)/epsilon")
    >>> print(rate)
    92.1, up to a constant factor: log(K)/gap + log(K)/epsilon
    >>> 50.0 < rate
    Traceback (most recent call last):
    TypeError: '<' not supported between instances of 'float' and 'Order'
    """

    value: float
    formula: str

    def __str__(self) -> str:
        return f"{self.value:.4g}, up to a constant factor: {self.formula}"
