"""Follow the regularized leader on private sums of gradients."""

from __future__ import annotations

import copy
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from discreet.convex.ball import CELLS, Floats, clipped, projected, to_cells, vectors
from discreet.convex.base import BallLearner
from discreet.convex.budget import gaussian_budget, open_share
from discreet.convex.regularization import by_theorem, by_variance
from discreet.experts.parameters import privacy_level, whole
from discreet.guarantees import GaussianDP
from discreet.mechanisms import RunningSums, Sums, ToeplitzSums
from discreet.mechanisms.noise import positive

Kind = Literal["tree", "reduced", "toeplitz"]
KINDS = ("tree", "reduced", "toeplitz")


class TreeFTRL(BallLearner):
    """DP-FTRL: the point that is best against a private sum of all gradients so far, kept near zero by a square.

    **Rule.** Points lie in the ball of `radius` D around zero. `act()` gives x_t, `update(gradient)` takes the
    gradient of the round's loss at x_t. The next point is argmin <S, x> + (regularization / 2) |x|^2 over the ball,
    the projection of -S / regularization, where S is the private sum of all gradients. Gradients longer than
    `lipschitz` L are clipped and counted (`clipped`, for the owner's eyes). `noise`: "tree", the paper's; "reduced",
    the same tree with averaged nodes; "toeplitz", correlated noise, the least of the three, at O(rounds · dimension)
    a step. `regularization`: "theorem", that of theorem 4 (`convex.by_theorem`); "variance", the best for the noise
    that is really there (`convex.by_variance`); or a number. With a tree, `rounds` may be left out: each tree
    then has twice the rounds of the last one, and the regularization, which depends on public numbers only, follows.

    **Guarantee.** `GaussianDP(mu)`, with the largest mu that proves (epsilon, delta): `guarantee.delta(epsilon)` is at
    most delta, exactly. The gradients of other rounds depend on the points, and so on the replaced round, but only
    through what is released. Given that, replacing a round's loss replaces its clipped gradient, which moves by at
    most 2 L, in whole cells of L / 2^20 exactly. The sums are private against values that are chosen so
    (`RunningSums`, `ToeplitzSums`: adaptive composition of Gaussian mechanisms whose moves are bounded in advance);
    points are post-processing.

    **Regret.** For convex losses that are non-negative and beta-smooth on the whole space (not only on the ball), and
    a regularization lambda of at least 32 beta, E[regret] <= 3 (best point's loss) + 4 lambda D^2 + 16 beta V /
    lambda^2, where V adds up E|noise in S_t|^2 over the rounds (the proof of theorem 4, constants kept): T^(1/3) up to
    logarithms where some point has no loss.

    **Cost.** O(dimension · log rounds) memory and as much a step; "toeplitz" O(dimension · rounds).

    >>> learner = TreeFTRL(2, radius=1.0, lipschitz=1.0, smoothness=1.0, epsilon=1.0, delta=1e-6, rounds=1000)
    >>> round(learner.guarantee.mu, 4), learner.guarantee.delta(1.0) <= 1e-6
    (0.2367, True)
    >>> learner.update([0.6, 0.8])
    >>> learner.act().shape, learner.clipped
    ((2,), 0)

    References: Asi, Feldman, Koren & Talwar 2023, algorithm 3; Kairouz et al. 2021; Denisov et al. 2022.
    """

    def __init__(
        self,
        dimension: int,
        radius: float,
        lipschitz: float,
        smoothness: float,
        epsilon: float,
        delta: float,
        rounds: int | None = None,
        noise: Kind = "tree",
        regularization: Literal["theorem", "variance"] | float = "theorem",
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.dimension = whole("dimension", dimension, least=1)
        self.radius, self.lipschitz = positive("radius", radius), positive("lipschitz", lipschitz)
        self.smoothness = positive("smoothness", smoothness)
        self.epsilon, self.delta = privacy_level(epsilon), open_share("delta", delta)
        self.horizon = None if rounds is None else whole("rounds", rounds, least=1)
        self.noise = noise
        self._begin(seed, runs)
        self._sums = self._make_sums()
        self._given: dict[str, Any] = {"rounds": self.horizon, "regularization": regularization}
        wanted = regularization in ("theorem", "variance")
        self._fixed = None if wanted else positive("regularization", regularization)
        self._known: tuple[int, float] = (0, 0.0)
        self._clipped = 0

    def _make_sums(self) -> Sums:
        shape = (self.runs or 1, self.dimension)
        if self.noise == "toeplitz" and self.horizon is not None:
            return ToeplitzSums(self.horizon, self.claim, shape, norm=CELLS)
        if self.noise not in KINDS or self.noise == "toeplitz":
            known = "a known number of rounds" if self.noise == "toeplitz" else f"one of {', '.join(KINDS)}"
            raise ValueError(f"noise is {self.noise!r}; it must be {known}")
        levels = None if self.horizon is None else self.horizon.bit_length()
        return RunningSums(levels, self.claim, shape, norm=CELLS, reduced=self.noise == "reduced")

    @property
    def regularization(self) -> float:
        """The regularization of this round's point; for unknown rounds, that for the next power of two of them."""
        if self._fixed is not None:
            return self._fixed
        steps = self.horizon or 1 << self.rounds.bit_length()
        if self._known[0] != steps:
            rule = by_theorem if self._given["regularization"] == "theorem" else by_variance
            self._known = steps, rule(self, steps)
        return self._known[1]

    @property
    def claim(self) -> GaussianDP:
        """What the points of one run promise when the draws are unpredictable."""
        return gaussian_budget(self.epsilon, self.delta)

    @property
    def rounds(self) -> int:
        """How many rounds have been seen."""
        return self._sums.rounds

    @property
    def clipped(self) -> int:
        """How many gradients were too long, all runs together. Not private: it is counted on raw gradients."""
        return self._clipped

    def act(self) -> Floats:
        """The point of this round, (dimension,) or (runs, dimension). Asking again costs nothing."""
        sums = self._sums.estimate * (self.lipschitz / CELLS)
        points = projected(-sums / self.regularization, self.radius)
        return points[0] if self.runs is None else points

    def update(self, gradient: ArrayLike) -> None:
        """Learn the gradient of this round's loss at the point of this round: (dimension,), or one for each run.

        A round is learned whole or not at all.
        """
        rows, long = clipped(vectors(gradient, self.dimension, self.runs), self.lipschitz)
        cells = np.broadcast_to(to_cells(np.atleast_2d(rows)), self._sums.shape)
        self._sums.add(cells, self._entropy)
        self._clipped += int(np.broadcast_to(long, (self.runs or 1,)).sum())

    def state_dict(self) -> dict[str, Any]:
        """The state as plain data that JSON can hold. It contains raw sums of gradients: it is the owner's."""
        sums = self._sums.state_dict()
        return {"learner": repr(self), "clipped": self._clipped, "entropy": self._entropy.state_dict(), "sums": sums}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state, exactly as the learner that it was taken from would have when it was seeded."""
        self._check_state(state)
        count = whole("the state's clipped", state["clipped"], least=0)
        sums = copy.deepcopy(self._sums)
        sums.load_state_dict(state["sums"])
        if count > sums.rounds * (self.runs or 1):
            raise ValueError(f"the state's clipped is {count}, more than there were gradients")
        self._load_entropy(state["entropy"])
        self._sums, self._clipped = sums, count
