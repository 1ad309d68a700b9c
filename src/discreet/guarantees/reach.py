"""How far losses can move, and what a promise about less than that is about."""

from fractions import Fraction

from discreet.guarantees.gaussian import GaussianDP
from discreet.guarantees.rounding import down, root_up


def within_reach(mu: float, distance: Fraction, n_actions: int) -> GaussianDP:
    """The promise for losses that move by so much at most: unconditional where losses in [0, 1] move no further.

    The distance may come from a scale that was told in floats, so it may be short of sqrt(n_actions) by their rounding.

    >>> within_reach(0.5, Fraction(0.25), 4), within_reach(0.5, Fraction(3**0.5), 3)
    (GaussianDP(mu=0.5, within=0.25), GaussianDP(mu=0.5))
    """
    return GaussianDP(mu) if reaches(distance, n_actions) else GaussianDP(mu, within=down(distance))


def reaches(distance: Fraction, n_actions: int) -> bool:
    """Whether losses in [0, 1] move no further than that, up to the rounding of floats.

    >>> reaches(Fraction(2**0.5), 2), reaches(Fraction(1.4), 2)
    (True, False)
    """
    return distance * (1 + Fraction(1, 1 << 50)) >= root_up(Fraction(n_actions))
