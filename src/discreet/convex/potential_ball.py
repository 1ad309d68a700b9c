"""Algorithm 5 of Asi et al. on the ball: keep a point until it has lost too much, then draw another from its volume."""

from __future__ import annotations

import copy
import math
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from discreet.convex.affine import STEEPEST, Affine, read, values
from discreet.convex.ball import Floats
from discreet.convex.ball_constants import Given, calculated, check_tries
from discreet.convex.ball_draws import BallDraws
from discreet.entropy import from_seed
from discreet.experts.parameters import Parametric, privacy_level, whole
from discreet.experts.sparse_vector import amount, chance, horizon
from discreet.experts.stages import in_units
from discreet.guarantees import Guarantee, NoGuarantee, PureDP
from discreet.losses import Units
from discreet.mechanisms import AboveThreshold
from discreet.mechanisms.noise import positive
from discreet.selection.base import at_least

#: Beyond this the ball is less than a thousandth of the cube that it is drawn from.
MOST_DIMENSIONS = 10


class PotentialBall(Parametric):
    """Keeps a point of the ball until it has lost too much, then draws another: convex losses with a perfect point.

    **Rule.** Points lie on a grid of 2^`bits` steps to the radius in the ball of `radius` D around zero. The first is
    uniform. After each round `AboveThreshold` is asked whether the current point has lost more than `threshold` since
    it was drawn. When it says so, the next point x is drawn with probability proportional to e^(-rate · score(x)), by
    exact rejection (`BallDraws`): the score is the total of all rounds' losses at x, raised to a floor and cut at a cap
    (`ball_constants`). After `switches` draws the last point stays.

    `update(slopes, offsets)`: this round's loss is max(0, the largest of slopes · x + offsets), such as a hinge loss
    or, with slopes (a, -a) and offsets (-b, b), an absolute error. It must lie in [0, `bound`] on the ball, with slopes
    of norm `lipschitz` L or less; `bound` is 2 D L unless given. Only such losses are taken: they can be computed in
    whole numbers, so a point has one total, not one for each way of adding floats up, and their bounds are checked for
    the whole ball, not for the points that happened to be drawn.

    **Why not the potential.** The paper tests the log of the integral of e^(-rate · total) over the ball. That cannot
    be computed exactly, it may move by two where a round is replaced, and alone it does not learn
    (`experts.PotentialExperts`). The point's own loss moves by one, is exact, and is what repairs the rule.

    **Guarantee.** `PureDP(epsilon)`. What is played is a function of where tests halt and which points are drawn. Fix
    one course of that, and two sequences that differ in one round. The round enters the test of one phase, whose query
    moves by one loss at most, and the scores of all later draws, each of which moves by one loss at most. So the
    probability of the course changes by a factor of e^(level of a test + switches · 2 · rate) at most, which is
    `revealed`. A bound for each course is one for all sets of them (`experts/watching.py`). It holds for any losses,
    and for what is released, not for how long it took: rejection takes longer where few points are good.

    **Regret.** For losses fixed in advance of which some point's sum to `best_loss` or less, with probability
    1 - 1.125 · failure and but for rounding: at most (switches + 1) · (threshold + a few scales of noise) in losses of
    size `bound`, which is O((d log T)^2 / epsilon) where best_loss is 0. Where no point is that good, regret may be
    anything, and draws are slow.

    **Cost.** All losses are kept until the last draw. A draw makes about `tries` proposals, or up to `most_tries` where
    no point is as good as was said; more than 10^6 or 10^10 are refused, and so are more than 10 dimensions. (The paper
    would walk: what is proved of walks is not exact, so there is none here.) No `state_dict`: the state is every loss
    so far; pickle it.

    >>> learner = PotentialBall(2, radius=1.0, lipschitz=1.0, epsilon=1.0, rounds=1000, seed=1)
    >>> learner.claim, learner.switches, round(learner.tries)
    (PureDP(epsilon=1.0), 20, 231)
    >>> learner.update([[0.6, 0.8], [-0.6, -0.8]], [-0.5, 0.5])  # the loss |0.6 x + 0.8 y - 0.5|
    >>> learner.act().shape, learner.rounds
    ((2,), 1)

    Reference: Asi, Feldman, Koren & Talwar 2023, appendix C, algorithm 5 and theorem 6.
    """

    #: The current point in steps of the grid, what it has lost since it was drawn, and its noisy threshold, in units.
    _point: Units
    _lost: int
    _threshold: Units
    _rounds: int
    _drawn: int

    def __init__(
        self,
        dimension: int,
        radius: float,
        lipschitz: float,
        epsilon: float,
        rounds: int,
        best_loss: float = 0.0,
        failure: float = 0.05,
        bound: float | None = None,
        switches: int | None = None,
        threshold: float | None = None,
        bits: int = 20,
        seed: int | None = None,
    ) -> None:
        self.dimension, self.bits = whole("dimension", dimension, least=1), whole("bits", bits, least=1)
        if self.dimension > MOST_DIMENSIONS or self.bits > 20:
            raise ValueError(
                f"dimension is {dimension} and bits {bits}; points are drawn in up to {MOST_DIMENSIONS} dimensions, "
                "beyond which the ball is too small a part of the cube, on grids of up to 20 bits"
            )
        self.radius, self.lipschitz = positive("radius", radius), positive("lipschitz", lipschitz)
        self.bound = positive("bound", 2 * self.radius * self.lipschitz if bound is None else bound)
        _check_steepness(self.radius, self.lipschitz, self.bound)
        self.epsilon, self.failure = privacy_level(epsilon), chance("failure", failure)
        self.horizon, self.best_loss = horizon(rounds), amount("best_loss", best_loss)
        self._given = {"rounds": self.horizon, "bound": bound, "switches": switches, "threshold": threshold}
        draws = None if switches is None else whole("switches", switches, least=1)
        best, dimensions = self.best_loss / self.bound, self.dimension
        self._found = found = calculated(Given(dimensions, self.epsilon, self.horizon, best, self.failure, draws))
        check_tries(found)
        self.switches, self.rate = found.switches, found.rate
        self.threshold = found.threshold if threshold is None else amount("threshold", threshold)
        self.test = AboveThreshold(found.test_epsilon, 0.0, share=found.test_share)
        self.draws = BallDraws(dimensions, self.bits, self.rate, in_units(found.floor), in_units(found.cap))
        self._entropy = from_seed(seed)
        self.seed = int(seed) if isinstance(seed, np.integer) else seed
        self._losses: list[Affine] = []
        self._enter(self.draws.first(self._entropy), rounds=0, drawn=0)

    @property
    def revealed(self) -> Fraction:
        """The level of one test and of all draws."""
        return self.test.level + self.switches * self.draws.level

    @property
    def claim(self) -> PureDP:
        """What the points promise when the draws are unpredictable."""
        return PureDP(max(self.epsilon, at_least(self.revealed)))

    @property
    def guarantee(self) -> Guarantee:
        """What the points promise; nothing where a seed makes them predictable."""
        if self._entropy.private:
            return self.claim
        return NoGuarantee(f"draws are repeatable ({self._entropy!r}); on system entropy this is {self.claim!r}")

    @property
    def rounds(self) -> int:
        """How many rounds have been seen."""
        return self._rounds

    @property
    def tries(self) -> float:
        """Proposals that a draw makes at most, in the mean, where some point loses no more than `best_loss`."""
        return math.exp(self._found.log_tries)

    @property
    def most_tries(self) -> float:
        """Proposals that a draw makes at most, in the mean, whatever is lost."""
        return self.draws.most_tries

    def act(self) -> Floats:
        """The point of this round, (dimension,). Asking again costs nothing."""
        return np.asarray(self._point * (self.radius / (1 << self.bits)), dtype=np.float64)

    def update(self, slopes: ArrayLike, offsets: ArrayLike) -> None:
        """Learn this round's loss: slopes (pieces, dimension) and offsets (pieces,); or (dimension,) and a number.

        A round is learned whole or not at all.
        """
        loss = read(slopes, offsets, self.radius, self.lipschitz, self.bound, self.dimension)
        if self._drawn >= self.switches:
            self._losses, self._rounds = [], self._rounds + 1
            return
        del self._losses[self._rounds :]  # left by an update that was interrupted
        self._losses.append(loss)
        lost = self._lost + int(values([loss], self._point[None], self.bits)[0])
        _, above = self.test.first_above(np.array([[lost]]), self._threshold, self._entropy)
        if not above[0]:
            self.__dict__.update(_lost=lost, _rounds=self._rounds + 1)
            return
        self._enter(self.draws.sample(self._losses, self._entropy), self._rounds + 1, self._drawn + 1)

    def __copy__(self) -> Self:
        """A copy shares nothing: losses are added in place."""
        return copy.deepcopy(self)

    def _enter(self, point: Units, rounds: int, drawn: int) -> None:
        """Begin a phase at a point, after so many rounds and draws: all of it, or nothing of it."""
        threshold = in_units(self.threshold) + self.test.thresholds(1, self._entropy)
        self.__dict__.update(_point=point, _rounds=rounds, _drawn=drawn, _lost=0, _threshold=threshold)


def _check_steepness(radius: float, lipschitz: float, bound: float) -> None:
    """Refuse what whole numbers of 64 bits cannot hold."""
    if not radius * lipschitz / bound <= STEEPEST:
        raise ValueError(
            f"bound is {bound:g}; radius · lipschitz, {radius * lipschitz:g}, is at most {STEEPEST:g} times that"
        )
