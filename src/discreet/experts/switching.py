"""How often a watching learner draws a new action while some action stays within its guess.

Let the selection have rate r, and let no action be dropped before its total, floored at the guess, has risen by x/r.
Each action's coin lands heads with probability e^(-r · rise). Take one coin for each action, heads for as long as its
rise stays below an exponential number of mean 1/r; the number of heads only falls, from K to one at least, and
permute-and-flip draws uniformly among heads. An action that is drawn at t and must be dropped by time s loses its
coin by then with probability 1 - e^-x or more. With psi = E log(heads), which does not depend on the draws,

    P(dropped by s) <= c (1 - E[heads(s) / heads(t)]) <= c (1 - e^(psi(s) - psi(t))),   c = 1 / (1 - e^-x),

by Jensen's inequality. For softmax the same holds with psi the log of the sum of weights. So psi falls, from draw to
draw, by at least an exponential number of mean 1 that is known to be below x, one independent of the other, and by
log K in all: n drops or more have at most the probability that n such numbers sum to log K or less.

The chance is computed with sums of positive terms only. In units of x, the density of the sum of n such numbers is
e^(-x u) times that of the sum of n uniform numbers, which has the recurrence of B-splines,

    f_n(u) = (u f_(n-1)(u) + (n - u) f_(n-1)(u - 1)) / (n - 1).

Between whole numbers it is a polynomial times an exponential, with 2 k-th derivatives below about (2 + x)^(2 k), so a
rule of Gauss with some 32 + x nodes integrates it to the last digits. (Inclusion and exclusion would be exact, too, but
its terms cancel where n and log K / x are large.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_NODES = 32


def most_switches(n_actions: int, x: float, failure: float) -> int:
    """The least n for which more than n drops have at most this probability.

    >>> most_switches(100, 2.0, 0.0125), most_switches(100, 8.0, 0.0125), most_switches(10**30, 1.0, 0.0125)
    (12, 10, 185)
    """
    of_more = islice(chances(math.log(n_actions), x), 1, None)
    return next(n for n, chance in enumerate(of_more, start=1) if chance <= failure)


def chance_of(n: int, total: float, x: float) -> float:
    """The chance that n exponential numbers of mean 1, each known to be below x, sum to `total` or less.

    >>> round(chance_of(1, 2.0, 2.0), 12), round(chance_of(2, 2.0, 50.0), 6) == round(1 - 3 * math.exp(-2), 6)
    (1.0, True)
    """
    return next(islice(chances(total, x), n - 1, None))


def chances(total: float, x: float) -> Iterator[float]:
    """`chance_of` for n = 1, 2, 3, ..."""
    places, weights = _nodes(total / x, _NODES + math.ceil(min(x, total)))
    last, each = math.exp(-x), x / -math.expm1(-x)
    density = np.where(places < 1, each * np.exp(-x * places), 0.0)
    n = 1
    while True:
        yield min(1.0, float((weights * density).sum()))
        n += 1
        before = np.vstack([np.zeros_like(density[:1]), density[:-1]])
        density = each * (places * density + last * np.maximum(n - places, 0.0) * before) / (n - 1)


def _nodes(end: float, n: int) -> tuple[Floats, Floats]:
    """Nodes and weights for integrals from 0 to `end`: a row for each whole number, the last one cut short at `end`.

    Each row has the nodes of a whole interval and those of the last one, since what is one lower is needed too.
    """
    roots, widths = np.polynomial.legendre.leggauss(n)
    whole, rest = divmod(end, 1.0)
    rows = np.arange(int(whole) + 1)[:, None]
    inside, zero = (roots + 1) / 2, np.zeros(n)
    places = rows + np.concatenate([inside, rest * inside])
    ends = rows == int(whole)
    return places, np.where(ends, np.concatenate([zero, rest * widths / 2]), np.concatenate([widths / 2, zero]))
