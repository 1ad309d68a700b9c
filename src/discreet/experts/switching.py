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
"""

from __future__ import annotations

import math


def most_switches(n_actions: int, x: float, failure: float) -> int:
    """The least n for which more than n drops have at most this probability.

    >>> most_switches(100, 2.0, 0.0125), most_switches(100, 8.0, 0.0125)
    (12, 10)
    """
    n = 1
    while chance_of(n + 1, math.log(n_actions), x) > failure:
        n += 1
    return n


def chance_of(n: int, total: float, x: float) -> float:
    """The chance that n exponential numbers of mean 1, each known to be below x, sum to `total` or less.

    By inclusion and exclusion: j chosen numbers are above x with probability e^(-j x), and then begin anew there.

    >>> chance_of(1, 2.0, 2.0), round(chance_of(2, 2.0, 50.0), 6) == round(1 - 3 * math.exp(-2), 6)
    (1.0, True)
    """
    terms = min(n, int(total / x))
    signed = [(-1) ** j * math.comb(n, j) * math.exp(-j * x) * _sum_below(n, total - j * x) for j in range(terms + 1)]
    return min(1.0, max(0.0, math.fsum(signed) / (-math.expm1(-x)) ** n))


def _sum_below(n: int, total: float) -> float:
    """The chance that n exponential numbers of mean 1 sum to `total` or less: n or more points of a Poisson process."""
    if total <= 0:
        return 0.0
    logs = (i * math.log(total) - total - math.lgamma(i + 1) for i in range(n, n + 60 + int(4 * total)))
    return min(1.0, math.fsum(math.exp(log) for log in logs))
