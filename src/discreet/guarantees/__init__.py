"""What is promised: guarantees as values, their conversion, composition, groups and plain words.

Neighbors are two inputs that differ in one round, whose whole loss vector may be replaced. Every
number here errs, where floating point must err, towards less privacy.

>>> from discreet import guarantees
>>> promise = guarantees.PureDP(0.5).compose(guarantees.PureDP(0.25))
>>> promise
PureDP(epsilon=0.75)
>>> promise.delta(0.75), promise.epsilon(0.0)
(0.0, 0.75)
"""

from discreet.guarantees.approximate import ApproxDP
from discreet.guarantees.base import Guarantee
from discreet.guarantees.curves import TradeOff
from discreet.guarantees.description import from_description
from discreet.guarantees.gaussian import GaussianDP
from discreet.guarantees.level import Level
from discreet.guarantees.nothing import NoGuarantee
from discreet.guarantees.pure import PureDP

__all__ = [
    "ApproxDP",
    "GaussianDP",
    "Guarantee",
    "Level",
    "NoGuarantee",
    "PureDP",
    "TradeOff",
    "from_description",
]
