"""Private steps other than a choice: exact noise, and tests against a threshold."""

from discreet.mechanisms.above_threshold import AboveThreshold, Watch
from discreet.mechanisms.laplace_noise import LaplaceNoise
from discreet.mechanisms.noise import Noise

__all__ = ["AboveThreshold", "LaplaceNoise", "Noise", "Watch"]
