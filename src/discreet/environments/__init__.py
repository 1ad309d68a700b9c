"""Where losses come from in a study: stochastic, deterministic, recorded, or made by a function."""

from discreet.environments.base import Environment, Stream
from discreet.environments.correlated import Correlated
from discreet.environments.example import example_log
from discreet.environments.instances import hard_for_privacy, one_gap, spread
from discreet.environments.rotated import Rotated
from discreet.environments.sequence import Made, Sequence
from discreet.environments.spans import Spans, halving, late_loss, one_by_one
from discreet.environments.two_point import Bernoulli, Deterministic, TwoPoint

__all__ = [
    "Bernoulli",
    "Correlated",
    "Deterministic",
    "Environment",
    "Made",
    "Rotated",
    "Sequence",
    "Spans",
    "Stream",
    "TwoPoint",
    "example_log",
    "halving",
    "hard_for_privacy",
    "late_loss",
    "one_by_one",
    "one_gap",
    "spread",
]
