"""How long things take, and whether that is short enough."""

from __future__ import annotations

from timeit import repeat
from typing import Any


def seconds(statement: Any, number: int, repeats: int = 5) -> float:
    """The least time that one call took, in seconds: what it costs when nothing disturbs it."""
    return min(repeat(statement, number=number, repeat=repeats)) / number


def verdict(ratio: float, limit: float) -> str:
    """Whether a ratio stays within its limit."""
    return "yes" if ratio <= limit else "NO"
