"""A number that is also a function: ``guarantee.epsilon`` and ``guarantee.epsilon(delta)``."""

from collections.abc import Callable


class Level(float):
    """A float that remembers the rule it belongs to, and answers with it when it is called.

    A pure guarantee *has* an epsilon, and every guarantee *proves* an epsilon at each delta. Both are
    natural names, so both work. In every other respect (arithmetic, hash, ``repr``, JSON, pickle) this
    is the plain float; copies and pickles are plain floats.

    >>> double = Level(1.5, lambda x: 2 * x)
    >>> double, double + 1, double(4.0)
    (1.5, 2.5, 8.0)
    """

    __slots__ = ("rule",)
    rule: Callable[..., float]

    def __new__(cls, value: float, rule: Callable[..., float]) -> "Level":
        """Make the number ``value`` that answers with ``rule``."""
        level = super().__new__(cls, value)
        level.rule = rule
        return level

    def __call__(self, *at: float, **named: float) -> float:
        """Answer with the rule."""
        return self.rule(*at, **named)

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        """Pickle and copy as the plain float."""
        return float, (float(self),)
