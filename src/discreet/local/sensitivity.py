"""How far one person can move a round, where losses are shares of counted places."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from discreet.guarantees.rounding import root_up


def sensitivity_from_counts(counts: ArrayLike) -> float:
    """The sensitivity of shares such as patients per bed, one a hospital, to one person in one round: sqrt(2)/least.

    `counts` are the places of each action, such as beds; of a table of several rounds the least count of all is taken.
    One person fills at most one place, so being elsewhere in that round takes 1/count off one action's share and adds
    1/count to another's: at most sqrt(2)/least count in Euclidean norm, rounded up. Not being there moves one share
    only.

    What this claims: counts do not depend on the people, and are public; a person counts once in a round (averages
    over the days of a week keep to that); and neighbors differ in one person in one round, not in a whole round.

    >>> round(sensitivity_from_counts([25.0, 10.0, 80.5]), 4)
    0.1414

    Reference: Jacobsen & Fawaz, Prediction with Expert Advice under Local Differential Privacy, 2025, section 4.
    """
    table = np.asarray(counts)
    if table.dtype.kind not in "iuf" or not table.size:
        raise ValueError("counts are numbers above 0, one for each action, or a table of rounds and actions")
    bad = np.argwhere(~((table > 0) & np.isfinite(table)))
    if bad.size:
        place = tuple(bad[0].tolist())
        raise ValueError(
            f"the count at {', '.join(map(str, place)) or 'the only place'} is {table[place]}; "
            "a count of places is a number above 0"
        )
    return root_up(2 / Fraction(table.min().item()) ** 2)
