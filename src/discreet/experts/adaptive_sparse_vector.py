"""Algorithm 2 of Asi et al.: the sparse vector learner that does not know how good the best action is."""

from __future__ import annotations

from discreet.experts import adaptive_constants as calculation
from discreet.experts.parameters import privacy_level, whole
from discreet.experts.sparse_vector import ConstantsName, amount, chance, horizon
from discreet.experts.sparse_vector_constants import Given
from discreet.experts.watching import WatchingLearner
from discreet.guarantees import PureDP
from discreet.losses import UNITS
from discreet.selection.base import at_least


class AdaptiveSparseVectorExperts(WatchingLearner):
    """`SparseVectorExperts` for a best loss that is not known: guesses that double.

    **Rule.** As `SparseVectorExperts`, for one guess of the best action's loss after another. The action drawn last,
    the totals of all rounds and the epsilon for tests go on from guess to guess.

    - `constants="tight"`: a guess is left when its draws are used up. Guesses and thresholds double, rates are halved,
      so that all draws together cost twice what those of the first guess cost (`adaptive_constants`).
    - `constants="paper"`: as printed: after a draw, the total of the action drawn gets Laplace noise, and the guess is
      left when that is above a cut; a guess whose draws are used up stays. Every guess has the same rate. The last
      guess is the first that is not below the number of rounds; the printed listing has no last guess.

    `switches` and `threshold` (over and above the guess) may be given, for experiments; the guarantee holds for any.

    **Guarantee.** `PureDP(epsilon)` for tight constants: a round enters the test of one phase, whichever guess that
    falls into, and all later draws, of which each guess allows `switches`; see `watching.py`. With the paper's
    constants `PureDP(level)`, the level being what one test and all draws and checks reveal. It is above epsilon: the
    paper's proof counts log(T) guesses, where there are log2(T) + 1, and more if none is the last.

    **Regret.** With probability 1 - O(failure), for losses fixed in advance of which the best action's sum to G:
    O(G log K + (log(K)^2 + log(T) log(K)) / epsilon) with tight constants, as if G had been known: guesses up to 2 G
    are used up in the order of their thresholds. The paper proves log(T) times that (theorem 2).

    **Cost.** As `SparseVectorExperts`.

    >>> learner = AdaptiveSparseVectorExperts(n_actions=100, epsilon=1.0, rounds=10_000)
    >>> learner.guarantee, len(learner.stages)
    (PureDP(epsilon=1.0), 7)
    >>> printed = AdaptiveSparseVectorExperts(n_actions=100, epsilon=1.0, rounds=10_000, constants="paper")
    >>> round(printed.claim.epsilon, 3), len(printed.stages)
    (1.191, 15)
    >>> AdaptiveSparseVectorExperts(3, epsilon=4.0, rounds=500, seed=1).play([[0.0, 1.0, 1.0]] * 500)[-3:].tolist()
    [0, 0, 0]

    Reference: Asi, Feldman, Koren & Talwar 2023, algorithm 2 and theorem 2.
    """

    def __init__(
        self,
        n_actions: int,
        epsilon: float,
        rounds: int,
        failure: float = 0.05,
        constants: ConstantsName = "tight",
        switches: int | None = None,
        threshold: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.epsilon, self.failure = privacy_level(epsilon), chance("failure", failure)
        self._given = {"rounds": horizon(rounds), "switches": switches, "threshold": threshold}
        self.constants = constants
        given = Given(
            whole("n_actions", n_actions, least=2),
            self.epsilon,
            self._given["rounds"],
            0.0,
            self.failure,
            switches=None if switches is None else whole("switches", switches, least=1),
            threshold=None if threshold is None else amount("threshold", threshold),
        )
        plan = _planned(constants, given)
        self.test, self.stages, self.moves_on = plan.test, plan.stages, constants == "tight"
        self.switches, self.threshold = self.stages[0].switches, self.stages[0].threshold / UNITS
        self._begin(n_actions, seed, runs)

    @property
    def claim(self) -> PureDP:
        """What one test, all draws and all checks reveal; shown as epsilon where that is no more."""
        return PureDP(max(self.epsilon, at_least(self.revealed)))


def _planned(constants: str, given: Given) -> calculation.Plan:
    if constants == "tight":
        return calculation.tight(given)
    if constants == "paper":
        return calculation.paper(given)
    raise ValueError(f"constants is {constants!r}; it must be 'tight' or 'paper'")
