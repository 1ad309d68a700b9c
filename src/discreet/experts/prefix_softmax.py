"""The randomized-prefix softmax of Cesari & Colomboni."""

from __future__ import annotations

from discreet.experts.blocks import BlockLearner, rate_for
from discreet.experts.parameters import privacy_level
from discreet.schedules import dyadic
from discreet.selection import Softmax

#: The rate above which theorem 1 is not proved.
CAP = 1 / 8


class PrefixSoftmax(BlockLearner):
    """Softmax over a random prefix of the last dyadic block: horizon-free, with the optimal gap-dependent rate.

    **Rule.** Blocks of 1, 2, 4, ... rounds, one action a block, the first one uniform. After a block of 2^r rounds
    draw M uniform on its second half (M = 1 for r = 0) and the next action by `Softmax(rate)` from the totals of
    the block's first M rounds, rate = min(epsilon/2, 1/8). With `capped=False` the rate is epsilon/2.

    **Guarantee.** `PureDP(min(epsilon, 1/4))`: with the cap, a larger epsilon than 1/4 buys nothing and costs
    nothing. Each round is used by one selection; given the prefix lengths, which do not depend on the losses,
    that selection reveals 2 · rate (lemma 3 and proposition 1). Without the cap: `PureDP(epsilon)`.

    **Regret.** For i.i.d. loss vectors with one best action, in expectation at most
    1 + 800 log(K)/gap + 16 log(K)/rate at every horizon (theorem 1, which needs the cap).

    **Cost.** O(K) a round, and one selection a block.

    >>> learner = PrefixSoftmax(n_actions=3, epsilon=1.0)
    >>> learner.guarantee
    PureDP(epsilon=0.25)
    >>> PrefixSoftmax(n_actions=3, epsilon=1.0, capped=False, seed=1).play([[0.0, 1.0, 1.0]] * 1000)[-3:].tolist()
    [0, 0, 0]

    Reference: Cesari & Colomboni, Optimal Gap-Dependent Regret for Private Stochastic Decision-Theoretic Online
    Learning, 2026, section 4. (In its definition of the rounds of block r, the index 2^(r-1) + s should read
    2^r - 1 + s: with the printed one, block r would start before the block in front of it had ended.)
    """

    def __init__(
        self,
        n_actions: int,
        epsilon: float,
        capped: bool = True,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.epsilon = privacy_level(epsilon)
        self.capped = bool(capped)
        self.schedule = dyadic(random_prefix=True)
        self.weights = (1,)
        rate = rate_for(self.epsilon, self.weights)
        self.selection = Softmax(min(rate, CAP) if self.capped else rate)
        self._begin(n_actions, seed, runs)
