"""Algorithm 5 of Asi et al. on the ball: keep a point until it has lost too much, then draw another from its volume."""

from __future__ import annotations

import math
from fractions import Fraction

from discreet.convex import walk_theory
from discreet.convex.affine import STEEPEST
from discreet.convex.ball_constants import Given, calculated, check_tries
from discreet.convex.ball_draws import BallDraws
from discreet.convex.ball_phases import BallPhases
from discreet.convex.walk import BallWalk
from discreet.experts.parameters import privacy_level, whole
from discreet.experts.sparse_vector import amount, chance, horizon
from discreet.experts.stages import in_units
from discreet.guarantees import NoGuarantee, PureDP
from discreet.mechanisms import SumAboveThreshold
from discreet.mechanisms.noise import positive
from discreet.selection.base import at_least

#: Beyond this the ball is less than a thousandth of the cube that it is drawn from.
MOST_DIMENSIONS = 10
#: The delta for which `demanded_steps` is told in words.
_DELTA = 1e-6


class PotentialBall(BallPhases):
    """Keeps a point of the ball until it has lost too much, then draws another: convex losses with a perfect point.

    **Rule.** Points lie on a grid of 2^`bits` steps to the radius in the ball of `radius` D around zero. The first is
    uniform. After each round `SumAboveThreshold` is asked whether the current point has lost more than `threshold`
    since it was drawn. When it says so, the next point x is drawn with probability proportional to
    e^(-rate · score(x)), by exact rejection (`BallDraws`): the score is the total of all rounds' losses at x, raised
    to a floor (`ball_constants`). After `switches` draws the last point stays.

    `update(slopes, offsets)`: this round's loss is max(0, the largest of slopes · x + offsets), such as a hinge loss
    or, with slopes (a, -a) and offsets (-b, b), an absolute error. It must lie in [0, `bound`] on the ball, with slopes
    of norm `lipschitz` L or less; `bound` is 2 D L unless given. Only such losses are taken: they can be computed in
    whole numbers, so a point has one total, not one for each way of adding floats up, and their bounds are checked for
    the whole ball, not for the points that happened to be drawn. With `runs=R`, a loss is for all runs, or slopes
    (R, pieces, dimension) and offsets (R, pieces) have one for each.

    `walk=steps`: draws are walks of so many steps (`BallWalk`), in any dimension, **at no guarantee**.

    **Why not the potential.** The paper tests the log of the integral of e^(-rate · total) over the ball. That cannot
    be computed exactly, it may move by two where a round is replaced, and alone it does not learn
    (`experts.PotentialExperts`). The point's own loss moves by one, is exact, and is what repairs the rule.

    **Guarantee.** `PureDP(epsilon)`. What is played is a function of where tests halt and which points are drawn. Fix
    one course of that, and two sequences that differ in one round. The round enters the test of one phase, whose
    queries from then on all move alike, by one loss at most, and the scores of all later draws, each of which moves by
    one loss at most. So the probability of the course changes by a factor of e^(level of a test + switches · 2 · rate)
    at most, which is `revealed`. A bound for each course is one for all sets of them (`experts/watching.py`). It
    holds for any losses, and for what is released, not for how long it took: rejection takes longer where few points
    are good.

    With `walk` it is `NoGuarantee`: the law that is walked towards would promise epsilon, but a walk is only near it,
    how near is proved for numbers of steps that nobody makes (`demanded_steps`), and it computes in floats.

    **Regret.** For losses fixed in advance of which some point's sum to `best_loss` or less, with probability
    1 - failure and but for rounding: at most (switches + 1) · (threshold + a few scales of noise) in losses of
    size `bound`, which is O((d log T)^2 / epsilon) where best_loss is 0. Where no point is that good, regret may be
    anything. Of walks this is not proved.

    **Cost.** All losses are kept until the last draw. A draw makes about `tries` proposals where some point is as good
    as was said, and `most_tries` where none is; more than 10^6 are refused, and so are more than 10 dimensions. The
    state (`state_dict`) holds every loss so far.

    >>> learner = PotentialBall(2, radius=1.0, lipschitz=1.0, epsilon=1.0, rounds=1000, seed=1)
    >>> learner.claim, learner.switches, round(learner.tries)
    (PureDP(epsilon=1.0), 22, 397)
    >>> learner.update([[0.6, 0.8], [-0.6, -0.8]], [-0.5, 0.5])  # the loss |0.6 x + 0.8 y - 0.5|
    >>> learner.act().shape, learner.rounds
    ((2,), 1)

    Reference: Asi, Feldman, Koren & Talwar 2023, appendix C, algorithm 5 and theorem 6.
    """

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
        walk: int | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.dimension, self.bits = whole("dimension", dimension, least=1), whole("bits", bits, least=1)
        self.walk = None if walk is None else whole("walk", walk, least=1)
        _check_grid(self.dimension, self.bits, self.walk)
        self.radius, self.lipschitz = positive("radius", radius), positive("lipschitz", lipschitz)
        self.bound = positive("bound", 2 * self.radius * self.lipschitz if bound is None else bound)
        _check_steepness(self.radius, self.lipschitz, self.bound)
        self.epsilon, self.failure = privacy_level(epsilon), chance("failure", failure)
        self.horizon, self.best_loss = horizon(rounds), amount("best_loss", best_loss)
        self._given = {"rounds": self.horizon, "bound": bound, "switches": switches, "threshold": threshold}
        draws = None if switches is None else whole("switches", switches, least=1)
        best, dimensions = self.best_loss / self.bound, self.dimension
        self._found = found = calculated(Given(dimensions, self.epsilon, self.horizon, best, self.failure, draws))
        if self.walk is None:
            check_tries(found)
        self.switches, self.rate = found.switches, found.rate
        self.threshold = found.threshold if threshold is None else amount("threshold", threshold)
        self.test = SumAboveThreshold(found.test_epsilon, 0.0)
        self.draws = self._make_draws(in_units(found.floor))
        self._begin(seed, runs)
        self._reset()

    def _make_draws(self, floor: int) -> BallDraws | BallWalk:
        if self.walk is None:
            return BallDraws(self.dimension, self.bits, self.rate, floor)
        return BallWalk(self.dimension, self.bits, self.rate, floor, self.walk)

    @property
    def revealed(self) -> Fraction:
        """The level of one test and of all draws."""
        return self.test.level + self.switches * self.draws.level

    @property
    def claim(self) -> PureDP | NoGuarantee:
        """What the points of one run promise when the draws are unpredictable."""
        exact = PureDP(max(self.epsilon, at_least(self.revealed)))
        if self.walk is None:
            return exact
        steps = math.log10(self.demanded_steps(_DELTA))
        return NoGuarantee(
            f"draws are walks of {self.walk} steps, in floats; exact draws would be {exact!r}, and walks are proved to "
            f"come near enough, for a delta of {_DELTA:g} besides, after 10^{steps:.0f} steps or more"
        )

    def demanded_steps(self, delta: float) -> float:
        """Steps of a walk, at least, from which (epsilon, delta) would follow in real numbers (`walk_theory`)."""
        distance = walk_theory.log_distance_of(chance("delta", delta), self.epsilon, self.switches)
        return walk_theory.steps_demanded(self.dimension, self.rate, float(self.horizon), distance)

    @property
    def tries(self) -> float:
        """Proposals that a draw makes at most, in the mean, where some point loses no more than `best_loss`."""
        return math.exp(self._found.log_tries)

    @property
    def most_tries(self) -> float:
        """Proposals that a draw makes at most, in the mean, whatever is lost in up to 2^19 rounds.

        Beyond, the least total is not bounded (`least`), and draws may take very long where all points lose.
        """
        return math.exp(min(700.0, self._found.log_most_tries))


def _check_grid(dimension: int, bits: int, walk: int | None) -> None:
    """Refuse dimensions in which the ball is too small a part of the cube, and grids that do not fit."""
    if bits > 20:
        raise ValueError(f"bits is {bits}; grids have up to 20")
    if dimension > MOST_DIMENSIONS and walk is None:
        raise ValueError(
            f"dimension is {dimension}; exact draws are made in up to {MOST_DIMENSIONS} dimensions, beyond which the "
            "ball is too small a part of the cube; walk=10_000 draws by a walk in any, and promises nothing"
        )


def _check_steepness(radius: float, lipschitz: float, bound: float) -> None:
    """Refuse what whole numbers of 64 bits cannot hold."""
    if not radius * lipschitz / bound <= STEEPEST:
        raise ValueError(
            f"bound is {bound:g}; radius · lipschitz, {radius * lipschitz:g}, is at most {STEEPEST:g} times that"
        )
