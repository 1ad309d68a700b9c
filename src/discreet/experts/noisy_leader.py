"""Follow the noisy leader: the learners of Hu et al. and of Wu & Wang."""

from __future__ import annotations

from typing import Literal

from discreet.experts import resampling
from discreet.experts.blocks import BlockLearner, Source, rate_for, scale_for
from discreet.experts.parameters import privacy_level
from discreet.losses import Units
from discreet.schedules import dyadic
from discreet.selection import NoisyMax, PermuteAndFlip, Selection, Softmax

Noise = Literal["laplace", "exponential", "gumbel"]
Calibration = Literal["proved", "paper"]


class NoisyLeader(BlockLearner):
    """Report-noisy-max over the last dyadic block, with any of three noises, with or without resampling.

    **Rule.** Blocks of 1, 2, 4, ... rounds, one action a block, the first one uniform. After a block, add noise
    to the *negated* totals of the block and play the action with the largest. With `resample=True`, every loss
    is first replaced by 1 with probability equal to the loss, else by 0.

    - `noise="laplace"`: scale 2/epsilon (Hu et al.), drawn by `NoisyMax`;
    - `noise="gumbel"`: scale 2/epsilon, the law of `Softmax(epsilon/2)`. (The formula exp(epsilon · ...) in the
      proof of theorem 11 is that of scale 1/epsilon; the mechanism that is printed is epsilon-private.)
    - `noise="exponential"`: mean 2/epsilon, the law of `PermuteAndFlip(epsilon/2)`.

    **Guarantee.** `PureDP(epsilon)`: each round is used by one selection. Wu & Wang print exponential noise of
    mean 1/epsilon. That would do if losses could only move in one direction; when a whole loss vector is replaced
    one total may rise by 1 while another falls by 1, and the true level is 2 · epsilon. `calibration="paper"` is
    that noise, with the guarantee `PureDP(2 * epsilon)`. The other two noises are right as printed.
    Resampling costs nothing: it treats each round on its own, and a resampled loss still lies in [0, 1].

    **Regret.** For i.i.d. losses of independent actions O(log(K)/gap + log(K)^2/epsilon) with resampling (Wu & Wang,
    theorem 3); without it and with Laplace noise, O(log(K)/gap + log(K) log(T)/epsilon) (Hu et al.). For losses that
    never change and without resampling O(log(K)/epsilon) with exponential or Gumbel noise (theorem 11; the study
    `deterministic` shows it for Laplace noise too). Resampling costs log(K)/gap where losses hardly vary: the study
    `resampling` found few instances where it helps, and many where it hurts.

    **Cost.** O(K) a round, and one selection a block; resampling draws 32 bits a loss.

    >>> NoisyLeader(n_actions=3, epsilon=1.0, noise="exponential", calibration="paper").guarantee
    PureDP(epsilon=2.0)
    >>> NoisyLeader(n_actions=3, epsilon=1.0, resample=True, seed=1).play([[0.0, 1.0, 1.0]] * 100)[-3:].tolist()
    [0, 0, 0]

    References: Hu, Huang & Mehta, Near-Optimal Algorithms for Private Online Learning in a Stochastic
    Environment, 2021; Wu & Wang, Improved Regret in Stochastic Decision-Theoretic Online Learning under
    Differential Privacy, 2026, algorithm 1.
    """

    def __init__(
        self,
        n_actions: int,
        epsilon: float,
        noise: Noise = "laplace",
        resample: bool = False,
        calibration: Calibration = "proved",
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.epsilon = privacy_level(epsilon)
        self.noise = noise
        self.resample = bool(resample)
        self.calibration = calibration
        self.schedule = dyadic()
        self.weights = (1,)
        self.selection = _selection(noise, calibration, self.epsilon)
        self._begin(n_actions, seed, runs)

    def _source(self, units: Units) -> Source:
        if not self.resample:
            return super()._source(units)
        first = self._rounds
        return lambda start, counts: resampling.sample(units[start - first :][: counts[0]], self._width, self._entropy)

    @property
    def needs_rounds(self) -> bool:
        """Resampling wants every round."""
        return self.resample


def _selection(noise: str, calibration: str, epsilon: float) -> Selection:
    """The selection with this noise, whose guarantee says what the calibration makes true."""
    if calibration not in ("proved", "paper"):
        raise ValueError(f"calibration is {calibration!r}; it must be 'proved' or 'paper'")
    if noise == "laplace":
        return NoisyMax(scale_for(epsilon))
    if noise == "gumbel":
        return Softmax(rate_for(epsilon, (1,)))
    if noise == "exponential":
        return PermuteAndFlip(epsilon if calibration == "paper" else rate_for(epsilon, (1,)))
    raise ValueError(f"noise is {noise!r}; it must be 'laplace', 'exponential' or 'gumbel'")
