"""Exact arithmetic for draws that floats cannot decide."""

from discreet.exact.exponential import enclosure
from discreet.exact.geometric import geometric
from discreet.exact.normal import nearest, two_tails
from discreet.exact.words import Words

__all__ = ["Words", "enclosure", "geometric", "nearest", "two_tails"]
