"""Planted mistakes of a learner with Gaussian trees: how much noise nodes get, how often, which rounds they hold."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.experts import TreeLeader
from discreet.experts.base import Actions
from discreet.guarantees import GaussianDP
from discreet.losses import Units
from discreet.mechanisms import GaussianNoise

MU = 1.0


class PromisesMu(TreeLeader):
    """Claims its mu, whatever it does."""

    @property
    def claim(self) -> GaussianDP:
        """The lie."""
        return GaussianDP(self.mu)

    def _scaled(self, factor: float) -> GaussianNoise:
        noise = super()._made_noise()
        assert noise is not None
        return GaussianNoise(factor * noise.scale)


class ForgetsLevels(PromisesMu):
    """The noise of a node is right for one node, as if a round lay in no other."""

    def _made_noise(self) -> GaussianNoise:
        return self._scaled(1 / math.sqrt(self.levels))


class HalvesTheMove(PromisesMu):
    """Losses that are replaced are taken to move half as far."""

    def _made_noise(self) -> GaussianNoise:
        return self._scaled(0.5)


class MovesByOneLoss(PromisesMu):
    """A round of K losses is taken to move by one loss, not by sqrt(K)."""

    def _made_noise(self) -> GaussianNoise:
        return self._scaled(1 / math.sqrt(self.squared_move))


class ForgetsRounding(PromisesMu):
    """A claimed sensitivity is paid for as it stands, though rounding to units may add to it."""

    def _made_noise(self) -> GaussianNoise:
        assert self.sensitivity is not None
        return self._scaled(self.sensitivity / math.sqrt(self.squared_move))


class DrawsNodesTwice(PromisesMu):
    """Every node is released twice, and the mean is used: less noise, and more told."""

    def _with_noise(self, nodes: Units, ends: NDArray[np.int64]) -> tuple[Units, Units | None]:
        once, again = super()._with_noise(nodes, ends)[0], super()._with_noise(nodes, ends)[0]
        return (once + again) // 2, None


class SumsInEveryTree(PromisesMu):
    """A full tree's exact sums go into the next one, so that a round lies in nodes for ever."""

    def _played(self, rows: Units) -> Actions:
        exact = self._sums[0] + np.broadcast_to(rows, (len(rows), *self._done.shape)).sum(axis=0)
        actions = super()._played(rows)
        if self._leaves == 0:
            self._sums[0] = exact
        return actions
