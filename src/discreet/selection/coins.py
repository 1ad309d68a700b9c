"""Coins that land heads with probability factor · e^-exponent exactly, and a few visits that flip them.

A selection decides in floating point with an error bound, from the first bits of a uniform number U. Where that
cannot decide, it hands those bits over, and U is compared with the exact probability: more bits of U and more
digits of e^-x, by a proved enclosure, until they part.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy
from discreet.exact import enclosure as enclosure
from discreet.losses import UNITS
from discreet.selection.base import exact_exponent

#: Bound on the relative error of a float estimate of e^-x for x up to 745. Its argument carries two roundings,
#: 2 · 745 · 2^-53, and exp itself a few units in the last place: less than 2^-41 together.
RELATIVE_ERROR = 2.0**-40
_BELOW, _ABOVE = 1 - 2 * RELATIVE_ERROR, 1 + 2 * RELATIVE_ERROR

#: Up to so many actions, visits go on until one is heads, so many at a time: the best action always is heads.
FEW, AT_A_TIME = 32, 16
#: Of more actions, one in so many is visited, but at least `LEAST_VISITS`. Where heads are common, one of these is
#: nearly surely heads; where they are rare, so few cost little beside the look at all actions that follows.
ACTIONS_A_VISIT, LEAST_VISITS = 1024, 4


def first_head(gaps: NDArray[np.uint64], rate: float, entropy: Entropy, tails: set[int] | None = None) -> int | None:
    """Visit actions drawn uniformly with replacement; the first whose coin, e^(-rate · gap), lands heads.

    Each visit flips a fresh coin. Where `tails` is given, actions in it are passed over and those whose coins land
    tails are added, so that every coin is flipped once. None where all visits among more than `FEW` actions find tails.

    One word of 64 bits is a visit. It is action · q + drawn, with q the whole part of 2^64 / actions, and `drawn` is
    uniform below q whatever the action is; the few words beyond the last action's are passed over.

    >>> from discreet.entropy import SeededEntropy
    >>> first_head(np.array([10 * UNITS, 0], dtype=np.uint64), 100.0, SeededEntropy(1))
    1
    """
    n_actions, gap_of = len(gaps), gaps.item
    share, per_unit = 2**64 // n_actions, -rate / UNITS
    n_visits = AT_A_TIME if n_actions <= FEW else max(LEAST_VISITS, n_actions // ACTIONS_A_VISIT)
    while True:
        words: list[int] = entropy.numbers(n_visits, 64).tolist()
        for word in words:
            action, drawn = divmod(word, share)
            if action >= n_actions or (tails is not None and action in tails):
                continue
            gap = gap_of(action)
            # Where this is too small for the bound on its error, 1 is still far above it and above the exact value.
            estimate = math.exp(per_unit * gap) * share
            if drawn + 1 <= estimate * _BELOW:
                return action
            if drawn <= estimate * _ABOVE and heads(drawn, 0, Fraction(share), exact_exponent(rate, gap), entropy):
                return action
            if tails is not None:
                tails.add(action)
        if n_actions > FEW:
            return None


def heads(drawn: int, bits: int, factor: Fraction, exponent: Fraction, entropy: Entropy) -> bool:
    """Whether U < factor · e^-exponent, where the binary expansion of U begins with `bits` bits of `drawn`.

    >>> from discreet.entropy import ScriptedEntropy
    >>> zeros = ScriptedEntropy("0" * 10_000)
    >>> heads(0, 16, Fraction(1), Fraction(1000), zeros)  # an event of probability e^-1000 can happen
    True
    """
    while True:
        # As many digits as U has, leading zeros left out, and 30 more: long runs of zeros cost no precision.
        digits = 30 + drawn.bit_length() * 5 // 16
        low, high = enclosure(factor * 2**bits, exponent, digits)
        if drawn + 1 <= low:
            return True
        if drawn >= high:
            return False
        drawn, bits = drawn << 64 | entropy.word(), bits + 64
