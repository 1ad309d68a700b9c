"""What exact arithmetic asks of chance: one more word."""

from __future__ import annotations

from typing import Protocol


class Words(Protocol):
    """A source of uniform whole numbers of 64 bits; every `Entropy` is one."""

    def word(self) -> int:
        """One whole number, uniform on 0 .. 2^64 - 1."""
