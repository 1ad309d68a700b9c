"""Algorithm 5 of Asi et al., repaired: draw anew when the potential of all actions has changed far enough."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from discreet.experts import potential_constants as calculation
from discreet.experts.parameters import privacy_level, whole
from discreet.experts.sparse_vector import ConstantsName, amount, chance, horizon
from discreet.experts.sparse_vector_constants import Given
from discreet.experts.stages import Stage, in_units
from discreet.experts.watching import Runs, WatchingLearner
from discreet.guarantees import ApproxDP, PureDP
from discreet.losses import UNITS, Units
from discreet.mechanisms import AboveThreshold
from discreet.selection import Softmax
from discreet.selection.base import at_least

Calibration = Literal["proved", "paper"]
#: Below this, rounding potentials to units could move them by more than the guarantee allows for.
_LEAST_RATE = 1e-7


class PotentialExperts(WatchingLearner):
    """Keeps an action drawn by softmax until the potential of all actions has risen, then draws another.

    **Rule.** The potential is -log(mean of e^(-rate · total)) / rate over all actions, in losses: it rises with the
    losses of the good ones. The first action is uniform. After each round `AboveThreshold` is asked whether, since the
    last draw, the potential has risen or the action has lost more than `threshold`. When it says so, `Softmax(rate)`
    draws the next action from the totals of all rounds. After `switches` draws the last action stays.

    - `constants="tight"`: number of draws, rate and threshold are calculated (`potential_constants`).
    - `constants="paper"`: as printed in theorems 6 and 7, in proportion to the epsilon of a test; and the test looks at
      the potential only. **That does not learn**: see Regret.
    - `calibration="proved"`: the epsilon of a test is what makes the guarantee hold; `"paper"`: as printed.

    `switches` and `threshold` may be given, for experiments; the guarantee holds for any.

    **Guarantee.** `PureDP(epsilon)`, or `ApproxDP(epsilon, delta)` where delta > 0. A round moves a potential by one
    loss at most. It enters the test of its own phase through one potential, the later one; and every later test
    through both, whose difference may move by two. The action's own loss moves by one at most, and the larger of two
    queries by no more than the one that moves more. So its own test costs e, each later one 2 e and each later draw
    2 · rate; what is spent is (2 · switches - 1) · e + 2 · rate · switches. The paper takes all queries to move by one
    and draws to cost one rate: `calibration="paper"` promises what is true of that noise, about twice epsilon.
    Potentials are rounded to units; the guarantee has room for that.

    **Regret.** As `SparseVectorExperts`, but for a factor of about two in what tests and draws may spend; that one is
    better for everything known. The printed rule has linear regret: of two actions one loses in every round, the log of
    the sum of weights falls by log(2) in all, which is less than a test can notice, and the first action is kept; it is
    the bad one with probability 1/2. (Lemma C.3 bounds weights at the start of a phase by those at its end, which are
    smaller.)

    **Cost.** O(K) a round, with an exponential for each action.

    >>> learner = PotentialExperts(n_actions=100, epsilon=1.0, rounds=10_000)
    >>> learner.guarantee, learner.switches
    (PureDP(epsilon=1.0), 9)
    >>> printed = PotentialExperts(100, 1.0, 10_000, constants="paper", calibration="paper")
    >>> printed.switches, round(printed.claim.epsilon, 3)
    (9, 1.85)
    >>> PotentialExperts(3, epsilon=50.0, rounds=500, seed=1).play([[0.0, 1.0, 1.0]] * 500)[-3:].tolist()
    [0, 0, 0]

    Reference: Asi, Feldman, Koren & Talwar 2023, appendix C, algorithm 5 and theorems 6 and 7.
    """

    _state = (*WatchingLearner._state, "_potential")

    def __init__(
        self,
        n_actions: int,
        epsilon: float,
        rounds: int,
        delta: float = 0.0,
        failure: float = 0.05,
        constants: ConstantsName = "tight",
        calibration: Calibration = "proved",
        switches: int | None = None,
        threshold: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.epsilon = privacy_level(epsilon)
        self.failure, self.delta = chance("failure", failure), chance("delta", delta, zero=True)
        self._given = {"rounds": horizon(rounds), "switches": switches, "threshold": threshold}
        self.constants, self.calibration = constants, calibration
        actions = whole("n_actions", n_actions, least=2)
        draws = None if switches is None else whole("switches", switches, least=1)
        given = Given(actions, self.epsilon, self._given["rounds"], 0.0, self.failure, self.delta, draws)
        self._found = found = _calculated(constants, calibration, given)
        self.switches, self.rate = found.switches, found.rate
        self.threshold = found.threshold if threshold is None else amount("threshold", threshold)
        if self.rate < _LEAST_RATE:
            raise ValueError(
                f"epsilon is {self.epsilon}; it pays for a rate of {self.rate:.3g}, too small to be of use"
            )
        self.test = AboveThreshold(found.test_epsilon, 0.0, share=found.test_share)
        self.stages = (Stage(0, in_units(self.threshold), Softmax(self.rate), self.switches),)
        self._begin(n_actions, seed, runs)

    @property
    def revealed(self) -> Fraction:
        """The test of the round's own phase, twice that for each later test, and all draws."""
        tests = self.test.level * (1 + calculation.ROUNDING) * (2 * self.switches - 1)
        return tests + self.stages[0].level

    @property
    def claim(self) -> PureDP | ApproxDP:
        """What tests and draws reveal; shown as epsilon where that is no more."""
        spent = self.revealed
        if not self.delta or spent <= Fraction(self.epsilon):
            return PureDP(max(self.epsilon, at_least(spent)))
        together = Fraction(calculation.concentrated(self._found, self.delta))
        return ApproxDP(max(self.epsilon, at_least(min(spent, together))), self.delta)

    def _reset(self) -> None:
        super()._reset()
        self._potential = np.zeros(self._width, dtype=np.int64)

    def _queries(self, rows: Units) -> Units:
        shared = rows.shape[1] == 1 and (self._totals == self._totals[0]).all()
        totals = self._totals[:1] if shared else self._totals  # equal in all runs: one potential does for all
        rises: Units = potential(totals + np.cumsum(rows, axis=0), self.rate) - self._potential
        return np.maximum(rises, super()._queries(rows)) if self.constants == "tight" else rises

    def _begun(self, totals: Units, runs: Runs) -> dict[str, Any]:
        potentials = np.zeros(self._width, dtype=np.int64) if len(runs) == self._width else self._potential.copy()
        potentials[runs] = potential(totals[runs], self.rate)
        return {"_potential": potentials}


def potential(totals: Units, rate: float) -> NDArray[np.int64]:
    """-log(mean of e^(-rate · total)) / rate over the last axis, in units, off by less than a unit.

    >>> potential(np.array([[0, 0], [UNITS, UNITS], [0, 10**12]]), np.log(2)).tolist() == [0, UNITS, UNITS]
    True
    """
    totals = np.ascontiguousarray(totals)  # so that means are summed pairwise, whatever table the rows came from
    least = totals.min(axis=-1, keepdims=True)
    means = np.exp((totals - least) * (-rate / UNITS)).mean(axis=-1)
    rises: NDArray[np.int64] = least[..., 0] + np.rint(np.log(means) * (-UNITS / rate)).astype(np.int64)
    return rises


def _calculated(constants: str, calibration: str, given: Given) -> calculation.Constants:
    if constants not in ("tight", "paper"):
        raise ValueError(f"constants is {constants!r}; it must be 'tight' or 'paper'")
    if calibration not in ("proved", "paper"):
        raise ValueError(f"calibration is {calibration!r}; it must be 'proved' or 'paper'")
    shape = calculation.tight(given) if constants == "tight" else calculation.paper(given)
    found = calculation.proved_epsilon if calibration == "proved" else calculation.printed_epsilon
    return shape.at(found(given, shape))
