"""The sparse vector technique for one growing sum: half of the noise, for a round is in all later queries alike."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from discreet.guarantees.rounding import up
from discreet.mechanisms.above_threshold import AboveThreshold


@dataclass(frozen=True)
class SumAboveThreshold(AboveThreshold):
    """`AboveThreshold` for queries that are sums of all rounds since some place, one more in each query.

    **Rule.** That of `AboveThreshold`, with threshold_scale = query_scale = sensitivity / epsilon; `share` has no say.

    **Guarantee.** `PureDP(epsilon)` where replacing a round moves all queries from that round on by the same number d,
    |d| <= sensitivity, and no others: so it is with sums. Write the chance to halt at a query as an integral over the
    threshold's noise z of the chances that each query before is below, which grow with z, and that this one is above.

    - The queries rise by d: with z + d for z, those from the round on are as likely below, or above, as they were, and
      those before it are likelier below. That costs the density of z a factor e^(d / threshold_scale).
    - They fall by d: all are likelier below at the same z, and the last is above with a chance that falls by a factor
      of e^(-d / query_scale) at most.

    Only one of the two can be, so the level is the larger of the two parts and not their sum. Queries of which some
    rise and others fall need `AboveThreshold`.

    >>> test = SumAboveThreshold(epsilon=1.0, threshold=30.0)
    >>> test.threshold_scale, test.query_scale, test.guarantee
    (1.0, 1.0, PureDP(epsilon=1.0))

    Reference: Lyu, Su & Li 2017 for queries that move one way, at the price of the sum of the two parts.
    """

    @cached_property
    def threshold_scale(self) -> float:
        """The scale of the threshold's noise, rounded up."""
        return up(Fraction(self.sensitivity) / Fraction(self.epsilon))

    @cached_property
    def query_scale(self) -> float:
        """The scale of a query's noise, the same."""
        return self.threshold_scale

    @property
    def level(self) -> Fraction:
        """The exact epsilon: sensitivity / scale."""
        return Fraction(self.sensitivity) / Fraction(self.threshold_scale)
