"""Choosing one action from totals, privately and exactly."""

from discreet.selection.base import Selection
from discreet.selection.noisy_max import NoisyMax
from discreet.selection.permute_and_flip import PermuteAndFlip
from discreet.selection.softmax import Softmax

__all__ = ["NoisyMax", "PermuteAndFlip", "Selection", "Softmax"]
