"""Private steps other than a choice: exact noise, running sums, and tests against a threshold."""

from discreet.mechanisms.above_threshold import AboveThreshold, Watch
from discreet.mechanisms.gaussian_noise import GaussianNoise
from discreet.mechanisms.laplace_noise import LaplaceNoise
from discreet.mechanisms.noise import Noise
from discreet.mechanisms.running_sums import RunningSums
from discreet.mechanisms.sum_above_threshold import SumAboveThreshold
from discreet.mechanisms.sums import Sums
from discreet.mechanisms.toeplitz_sums import ToeplitzSums

__all__ = [
    "AboveThreshold",
    "GaussianNoise",
    "LaplaceNoise",
    "Noise",
    "RunningSums",
    "SumAboveThreshold",
    "Sums",
    "ToeplitzSums",
    "Watch",
]
