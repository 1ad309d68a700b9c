"""Regret without a world: many runs at once, or the expectation itself."""

from discreet.simulate.curve import RegretCurve
from discreet.simulate.exact import exact_regret
from discreet.simulate.monte_carlo import regret

__all__ = ["RegretCurve", "exact_regret", "regret"]
