"""Regret without a world: many runs at once, or the expectation itself."""

from discreet.simulate.curve import Kind, RegretCurve
from discreet.simulate.exact import exact_regret
from discreet.simulate.monte_carlo import regret

__all__ = ["Kind", "RegretCurve", "exact_regret", "regret"]
