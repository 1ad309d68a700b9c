"""Where chance comes from: every random draw in discreet goes through an `Entropy`.

An entropy is a stream of bytes. How a request is split never matters: asking for 3 numbers and then for 5
gives the same numbers as asking for 8. That is what makes a loop over rounds and a vectorized run of the same
rounds take the same decisions.

* `SystemEntropy`: the operating system's cryptographic generator. The only one that keeps a guarantee.
* `SeededEntropy(seed)`: repeatable, for simulation and tests; it promises nothing.
* `ScriptedEntropy(bits)`: chosen bits, so that tests can reach events of probability e^-100.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 14  # bytes fetched at a time: one system call serves about a thousand small selections
_WORD = 8
_TYPES = {
    (order, bits): np.dtype(f"{mark}u{bits // 8}")
    for order, mark in (("little", "<"), ("big", ">"))
    for bits in (16, 32, 64)
}


class Entropy(ABC):
    """A stream of random bytes, read as whole numbers of 16, 32 or 64 bits."""

    #: Whether draws are unpredictable, so that a learner that uses them may promise something.
    private = False
    #: The byte order in which the stream is read as numbers.
    _order: Literal["little", "big"] = "little"

    def __init__(self) -> None:
        self._buffer = b""
        self._at = 0

    @abstractmethod
    def _fetch(self, n: int) -> bytes:
        """At least n further bytes of the stream."""

    def _take(self, n: int) -> int:
        """Use the next n bytes of the stream: where in the buffer they start."""
        start = self._at
        if start + n > len(self._buffer):
            rest = self._buffer[start:]
            self._buffer = rest + self._fetch(n - len(rest))
            start = 0
        self._at = start + n
        return start

    def word(self) -> int:
        """One whole number, uniform on 0 .. 2^64 - 1."""
        start = self._take(8)
        return int.from_bytes(self._buffer[start : start + 8], self._order)

    def numbers(self, n: int, bits: int) -> NDArray[Any]:
        """n whole numbers, each uniform on 0 .. 2^bits - 1, as unsigned integers of that width (16, 32 or 64)."""
        start = self._take(n * bits // 8)
        return np.frombuffer(self._buffer, _TYPES[self._order, bits], n, start)

    def ahead(self, n: int, bits: int) -> NDArray[Any]:
        """The n whole numbers that `numbers` would give next, without using them up.

        For those who may stop on the way: they look ahead, and then use what they have gone through.
        """
        start = self._take(n * bits // 8)
        self._at = start
        return np.frombuffer(self._buffer, _TYPES[self._order, bits], n, start)

    def below(self, bound: int) -> int:
        """One whole number, exactly uniform on 0 .. bound - 1, for any bound >= 1; no bits for bound = 1.

        >>> ScriptedEntropy([1] * 3 + [0] * 100).below(2)
        1
        """
        shift = 64 - (bound - 1).bit_length()
        if shift < 0:
            return self._below_long(bound)
        if shift == 64:
            return 0
        while (drawn := self.word() >> shift) >= bound:
            pass
        return drawn

    def _below_long(self, bound: int) -> int:
        """`below` for a bound over 2^64: as many words as it needs, drawn again when out of range."""
        words = -(-(bound - 1).bit_length() // 64)
        while True:
            drawn = 0
            for _ in range(words):
                drawn = drawn << 64 | self.word()
            drawn >>= 64 * words - (bound - 1).bit_length()
            if drawn < bound:
                return drawn

    def below_each(self, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """One whole number for each bound, exactly uniform below it."""
        if len(bounds) == 1:
            return np.array([self.below(int(bounds[0]))])
        result = np.zeros(len(bounds), dtype=np.int64)
        # The bits of bound - 1, or one more where the float rounded up; never 64, which would give numbers below 0.
        width = np.minimum(np.frexp((bounds - 1).astype(np.float64))[1], 63)
        open_ = np.flatnonzero(bounds > 1)
        while open_.size:
            shift = (64 - width[open_]).astype(np.uint64)
            result[open_] = (self.numbers(open_.size, 64) >> shift).astype(np.int64)
            open_ = open_[result[open_] >= bounds[open_]]
        return result

    def state_dict(self) -> dict[str, Any]:
        """What must be kept to go on from here, as plain data; nothing where going on from here is not wanted."""
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from where `state_dict` was taken; without a position, from fresh draws."""
        if state:
            raise ValueError(f"the state is of a repeatable stream; {self!r} has no place to go on from")
        self._buffer, self._at = b"", 0


class SystemEntropy(threading.local, Entropy):
    """Cryptographic draws from the operating system, fetched in blocks.

    What is fetched is never shared: a copied, pickled or forked entropy starts with an empty store, and every thread
    has one of its own, so that the same noise is never drawn twice.
    """

    private = True

    def __init__(self) -> None:
        super().__init__()
        _SYSTEM.add(self)

    def _fetch(self, n: int) -> bytes:
        return os.urandom(max(n, _BLOCK))

    def __reduce__(self) -> tuple[type[SystemEntropy], tuple[()]]:
        return SystemEntropy, ()

    def __repr__(self) -> str:
        return "SystemEntropy()"


_SYSTEM: WeakSet[SystemEntropy] = WeakSet()


def _drop_shared_bytes() -> None:
    """In a forked child: forget what the parent has fetched, which it will use itself."""
    for entropy in _SYSTEM:
        entropy._buffer, entropy._at = b"", 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drop_shared_bytes)


class SeededEntropy(Entropy):
    """A repeatable stream (PCG64), for simulation and tests. It promises nothing to anyone.

    >>> SeededEntropy(7).below(1000) == SeededEntropy(7).below(1000)
    True
    """

    def __init__(self, seed: int | np.random.SeedSequence) -> None:
        super().__init__()
        self.seed = seed
        self._fetched = 0
        self._generator = np.random.PCG64(seed)

    def _fetch(self, n: int) -> bytes:
        words = -(-max(n, _BLOCK if self._fetched else 256) // _WORD)
        self._fetched += words * _WORD
        return self._generator.random_raw(words).astype("<u8").tobytes()

    @property
    def position(self) -> int:
        """How many bytes of the stream have been used."""
        return self._fetched - len(self._buffer) + self._at

    def state_dict(self) -> dict[str, Any]:
        """The position in the stream; the seed is a parameter of whoever holds this entropy."""
        return {"position": self.position}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go to a position in the stream."""
        words, rest = divmod(int(state["position"]), _WORD)
        self._generator = np.random.PCG64(self.seed)
        self._generator.advance(words)
        self._fetched, self._buffer, self._at = words * _WORD, b"", 0
        self._take(rest)

    def __repr__(self) -> str:
        return f"SeededEntropy({self.seed!r})"


class ScriptedEntropy(Entropy):
    """Chosen bits, first bit first: a string of 0 and 1, or any iterable of them, endless ones included.

    Every number is read with its most significant bit first, so a script of zeros is the smallest draw there is.
    A script that has run out raises `EOFError`.

    >>> ScriptedEntropy("0000000000000101" + "1" * 16).numbers(2, bits=16).tolist()
    [5, 65535]
    """

    _order = "big"

    def __init__(self, bits: str | Iterable[int]) -> None:
        super().__init__()
        self._bits: Iterator[int] = iter(map(int, bits) if isinstance(bits, str) else bits)

    def _fetch(self, n: int) -> bytes:
        bits = np.fromiter(islice(self._bits, 8 * n), dtype=np.uint8)
        if len(bits) < 8 * n:
            raise EOFError(f"the script has run out of bits: {8 * n - len(bits)} more were asked for")
        if bits.max(initial=0) > 1:
            raise ValueError("a script of bits holds only 0 and 1")
        return np.packbits(bits).tobytes()


def from_seed(seed: int | np.random.SeedSequence | Entropy | None) -> Entropy:
    """System entropy for None, a repeatable stream for a seed, an entropy as it is."""
    if seed is None:
        return SystemEntropy()
    if isinstance(seed, Entropy):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer, np.random.SeedSequence)):
        raise ValueError(f"seed is {seed!r}; it must be a whole number, or None for system entropy")
    if not isinstance(seed, np.random.SeedSequence) and seed < 0:
        raise ValueError(f"seed is {seed}; it must not be negative")
    return SeededEntropy(seed)
