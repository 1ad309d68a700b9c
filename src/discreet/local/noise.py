"""Normal draws of a learner's own, from its entropy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.entropy import Entropy

Floats = NDArray[np.float64]


def normals(shape: tuple[int, ...], entropy: Entropy) -> Floats:
    """Independent N(0, 1) values: 64 bits each, the first a sign, the others a place in the tail.

    In floats, so the law is right to about 2^-53 and ends at 9.2. That is enough here: no guarantee rests on these
    draws alone, since the reports carry exact noise of their own.

    >>> from discreet.entropy import ScriptedEntropy
    >>> normals((1,), ScriptedEntropy("0" * 64)).round(3).tolist()
    [-9.155]
    """
    from scipy.special import ndtri

    words = entropy.numbers(int(np.prod(shape)), 64)
    places = (words & np.uint64((1 << 63) - 1)).astype(np.float64)
    tails = (places + 0.5) * 2.0**-64
    values: Floats = np.where(words >> np.uint64(63), -ndtri(tails), ndtri(tails)).reshape(shape)
    return values
