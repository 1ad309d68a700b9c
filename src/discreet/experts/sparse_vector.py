"""Algorithm 1 of Asi et al.: keep an action until a sparse vector test finds that it has lost too much."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from discreet.experts import sparse_vector_constants as calculation
from discreet.experts.parameters import privacy_level, whole
from discreet.experts.stages import Stage, in_units
from discreet.experts.watching import WatchingLearner
from discreet.guarantees import ApproxDP, PureDP
from discreet.losses import MAX_ROUNDS
from discreet.mechanisms import AboveThreshold, SumAboveThreshold
from discreet.selection import PermuteAndFlip, Selection, Softmax
from discreet.selection.base import at_least, positive

ConstantsName = Literal["tight", "paper"]


class SparseVectorExperts(WatchingLearner):
    """Keeps an action until it has lost too much, then draws another: for losses with a (nearly) perfect action.

    **Rule.** The first action is uniform. After each round `AboveThreshold` is asked whether the current action has
    lost more than `threshold` since it was drawn. When it says so, draw the next action from the totals of all rounds,
    those below `best_loss` raised to it, and begin a fresh test. After `switches` draws the last action stays.

    - `constants="tight"`: threshold, switches and the split of epsilon are calculated for n_actions, epsilon, rounds,
      best_loss and failure (`sparse_vector_constants`); `PermuteAndFlip` draws, or `Softmax` where delta pays for it.
    - `constants="paper"`: as printed in theorem 1; `Softmax` draws.

    `switches` and `threshold` may be given, for experiments; the guarantee holds for any. Tests look at the round
    just over; the printed listing looks one round later, which changes nothing in the proofs.

    **Guarantee.** `PureDP(epsilon)`, or `ApproxDP(epsilon, delta)` where delta > 0. A round enters the test of one
    phase and all later draws, of which there are `switches` at most; see `watching.py`. With delta the draws are
    composed by concentration, and the test's level is added.

    **Regret.** With probability 1 - failure, for losses fixed in advance of which the best action's sum to
    best_loss or less: at most (switches + 1) · (threshold + noise), where noise is a few scales of a test. That is
    O(best_loss log K + (log(K)^2 + log(T) log(K)) / epsilon), whatever the horizon but for log(T) (Asi et al.,
    theorem 1). Where no action is that good the promise of privacy holds all the same, and regret may be anything.

    **Cost.** O(K) a round to add up totals, one test a round, and one selection a switch.

    >>> learner = SparseVectorExperts(n_actions=100, epsilon=1.0, rounds=10_000)
    >>> learner.guarantee, learner.switches, round(learner.threshold)
    (PureDP(epsilon=1.0), 12, 98)
    >>> printed = SparseVectorExperts(n_actions=100, epsilon=1.0, rounds=10_000, constants="paper")
    >>> printed.switches, round(printed.threshold)
    (101, 992)
    >>> SparseVectorExperts(3, epsilon=4.0, rounds=500, seed=1).play([[0.0, 1.0, 1.0]] * 500)[-3:].tolist()
    [0, 0, 0]

    Reference: Asi, Feldman, Koren & Talwar, Near-Optimal Algorithms for Private Online Optimization in the Realizable
    Regime, 2023, algorithm 1 and theorem 1.
    """

    def __init__(
        self,
        n_actions: int,
        epsilon: float,
        rounds: int,
        best_loss: float = 0.0,
        failure: float = 0.05,
        delta: float = 0.0,
        constants: ConstantsName = "tight",
        switches: int | None = None,
        threshold: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.epsilon = privacy_level(epsilon)
        self.best_loss = amount("best_loss", best_loss)
        self.failure, self.delta = chance("failure", failure), chance("delta", delta, zero=True)
        self._given = {"rounds": horizon(rounds), "switches": switches, "threshold": threshold}
        self.constants = constants
        actions = whole("n_actions", n_actions, least=2)
        found = _calculated(constants, self._asked(actions))
        self.switches, self.threshold, self.rate = found.switches, found.threshold, found.rate
        test = SumAboveThreshold if constants == "tight" else AboveThreshold
        self.test = test(found.test_epsilon, 0.0)
        best, threshold_units = in_units(self.best_loss), in_units(self.threshold)
        self.stages = (Stage(best, threshold_units, self._selection(found), self.switches),)
        self._begin(n_actions, seed, runs)

    def _asked(self, n_actions: int) -> calculation.Given:
        """What the constants are calculated from."""
        switches, threshold = self._given["switches"], self._given["threshold"]
        return calculation.Given(
            n_actions,
            self.epsilon,
            self._given["rounds"],
            self.best_loss,
            self.failure,
            self.delta,
            None if switches is None else whole("switches", switches, least=1),
            None if threshold is None else amount("threshold", threshold),
        )

    def _selection(self, found: calculation.Constants) -> Selection:
        """Softmax where the paper has it or where its moments are what delta pays for; else permute-and-flip."""
        pure = 2 * Fraction(found.rate) * found.switches + self.test.level <= Fraction(self.epsilon)
        tight = self.constants == "tight" and pure
        return PermuteAndFlip(found.rate) if tight else Softmax(found.rate)

    @property
    def claim(self) -> PureDP | ApproxDP:
        """What one test and all draws reveal; shown as epsilon where they reveal no more than that."""
        spent = self.revealed
        if not self.delta or spent <= Fraction(self.epsilon):
            return PureDP(max(self.epsilon, at_least(spent)))
        draws = calculation.concentrated_epsilon(self.rate, self.switches, self.delta)
        together = self.test.level + Fraction(draws)
        return ApproxDP(max(self.epsilon, at_least(min(spent, together))), self.delta)


def _calculated(constants: str, given: calculation.Given) -> calculation.Constants:
    if constants == "tight":
        return calculation.tight(given)
    if constants == "paper":
        return calculation.paper(given)
    raise ValueError(f"constants is {constants!r}; it must be 'tight' or 'paper'")


def horizon(rounds: int) -> int:
    """How many rounds there will be, about: what thresholds are set for."""
    rounds = whole("rounds", rounds, least=1)
    if rounds > MAX_ROUNDS:
        raise ValueError(f"rounds is {rounds}; at most {MAX_ROUNDS} fit")
    return rounds


def chance(name: str, value: float, zero: bool = False) -> float:
    """A number between 0 and 1, neither of them, or 0 where that means something."""
    if zero and isinstance(value, (int, float)) and not isinstance(value, bool) and value == 0:
        return 0.0
    number = positive(name, value)
    if not number < 1:
        raise ValueError(f"{name} is {number}; it must lie between 0 and 1")
    return number


def amount(name: str, value: float) -> float:
    """A number of losses, 0 or more."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value <= 0:
        if value < 0:
            raise ValueError(f"{name} is {value}; it must be 0 or more")
        return 0.0
    return positive(name, value)
