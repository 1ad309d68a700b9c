"""The recommended learner."""

from __future__ import annotations

from fractions import Fraction

from discreet.experts.blocks import BlockLearner, rate_for
from discreet.experts.parameters import privacy_level, whole
from discreet.losses import MAX_ROUNDS
from discreet.schedules import growing
from discreet.selection import PermuteAndFlip
from discreet.selection.base import positive

#: From here on sampling error, not privacy noise, decides how long a good action stays hidden.
CARRY_FROM = 3.0


class PrivateLeader(BlockLearner):
    """Permute-and-flip over growing blocks, with part of the block before carried over: the recommended default.

    **Rule.** One action a block; the first is uniform. Blocks have 1 round, then 2 + floor(4/epsilon), then each
    `growth` times the last one, rounded up: shorter blocks than a few units of 1/epsilon teach nothing that may be
    told. After a block, draw the next action by `PermuteAndFlip(epsilon / (2 W))` from the totals of the last
    blocks, weighted by age with whole numbers w_0, w_1, ... that add up to W.

    - epsilon < 3: growth 12/5 and weights (1,): privacy noise rules, and all of the budget goes to the newest block.
    - epsilon >= 3: growth 2 and weights (4, 1): sampling error rules, and a fifth of the budget buys half again as
      many rounds.

    `growth` and `weights` may be given, for experiments; the guarantee holds for any. `benchmarks/regret.py`
    compares the rule with the learners of the papers on 24 cases, and is what the rule was chosen by.

    **Guarantee.** `PureDP(epsilon)`. A round lies in one block; the selections that its block enters move by w_0,
    w_1, ... losses when it is replaced, so they reveal 2 · rate · w_0, 2 · rate · w_1, ..., epsilon in all, by
    adaptive composition. The lengths depend on epsilon alone.

    **Regret.** For i.i.d. loss vectors a selection from scores with weights w over blocks of n rounds prefers
    action j to the best with probability at most exp(-N^2 gap_j^2 / (8 V)) + exp(-rate · N · gap_j / 2), where
    N = sum of w · n and V = sum of w^2 · n (Hoeffding's inequality, and the coin of permute-and-flip). Adding that
    up over the blocks bounds the expected regret at every horizon: `bounds.block_leader`.

    **Cost.** O(K) a round, and one selection a block.

    >>> learner = PrivateLeader(n_actions=3, epsilon=1.0)
    >>> learner.guarantee
    PureDP(epsilon=1.0)
    >>> PrivateLeader(n_actions=3, epsilon=1.0, seed=1).play([[0.0, 1.0, 1.0]] * 1000)[-3:].tolist()
    [0, 0, 0]

    References: McKenna & Sheldon, Permute-and-Flip, 2020, for the selection; Hu, Huang & Mehta 2021 for one
    selection a block.
    """

    def __init__(
        self,
        n_actions: int,
        epsilon: float,
        growth: Fraction | float | None = None,
        weights: tuple[int, ...] | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.epsilon = privacy_level(epsilon)
        self._given = {"growth": growth, "weights": weights}  # None goes on meaning: as epsilon wants it
        carries = self.epsilon >= CARRY_FROM
        self.growth = _growth(growth, default=Fraction(2) if carries else Fraction(12, 5))
        self.weights = _weights(weights, default=(4, 1) if carries else (1,))
        second = min(2 + int(4 / Fraction(self.epsilon)), MAX_ROUNDS)
        self.schedule = growing(self.growth, lengths=(1, second))
        self.selection = PermuteAndFlip(rate_for(self.epsilon, self.weights))
        self._begin(n_actions, seed, runs)


def _growth(given: Fraction | float | None, default: Fraction) -> Fraction:
    """A finite factor above 1, as an exact fraction."""
    if given is None:
        return default
    growth = Fraction(positive("growth", given)) if not isinstance(given, Fraction) else given
    if growth <= 1:
        raise ValueError(f"growth is {given}; it must be above 1")
    return growth


def _weights(given: tuple[int, ...] | None, default: tuple[int, ...]) -> tuple[int, ...]:
    """Whole numbers, the first at least 1: fractions would break the sums, negative weights the proof."""
    if given is None:
        return default
    if not isinstance(given, (tuple, list)) or not given:
        raise ValueError(f"weights are {given!r}; they are whole numbers by age of block, newest first: (4, 1)")
    return whole("weights[0]", given[0], least=1), *(whole("weights", weight, least=0) for weight in given[1:])
