"""Learners of experts on a net of the ball."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.convex.ball import Floats
from discreet.convex.net import net
from discreet.experts import Learner, PrivateLeader
from discreet.experts.parameters import Parametric, whole
from discreet.guarantees import Guarantee
from discreet.losses import Scale, as_numbers
from discreet.mechanisms.noise import positive

#: A loss function: of points, (points, dimension), to a loss for each.
Loss = Callable[[Floats], ArrayLike]


class NetExperts(Parametric):
    """Chooses among the points of a net of the ball as among experts: convex losses in low dimension.

    **Rule.** The net has a point within `resolution` of every point of the ball of `radius` D around zero; the paper's
    resolution is 1 / (lipschitz · rounds), so that the best point of the net loses at most one more than the best of
    the ball, in all. `update(loss)` takes a function from points to losses, or the losses of `points` themselves, in
    [0, `bound`], and hands them to a learner of experts. `bound` is 2 D L unless given: no loss that is 0 somewhere
    is larger. Other losses are refused, or clipped where `clip=True`.

    `learner` is the pattern of that learner: any learner of `experts`, whose number of actions, seed and runs are
    replaced, `SparseVectorExperts` say. With `epsilon` in its place, `PrivateLeader`.

    **Guarantee.** The learner's. Replacing a round's loss function replaces the losses of all experts in that round;
    the net depends on nothing private. Losses are rounded to units of `bound` / 2^20.

    **Regret.** The learner's among `len(points)` experts, times `bound`, plus lipschitz · resolution · T.

    **Cost.** One loss a point a round, and the learner. More than 10^7 points are refused, with the number needed:
    about (D sqrt(d) / resolution)^d.

    >>> learner = NetExperts(2, radius=1.0, lipschitz=1.0, rounds=20, epsilon=1.0, seed=1)
    >>> len(learner.points), learner.act().shape
    (681, (2,))
    >>> for _ in range(20):
    ...     learner.update(lambda points: np.abs(points @ [0.6, 0.8] - 0.5))
    >>> learner.rounds
    20

    Reference: Asi, Feldman, Koren & Talwar 2023, theorem 3.
    """

    def __init__(
        self,
        dimension: int,
        radius: float,
        lipschitz: float,
        rounds: int,
        epsilon: float | None = None,
        learner: Learner | None = None,
        resolution: float | None = None,
        bound: float | None = None,
        clip: bool = False,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.dimension, self.horizon = whole("dimension", dimension, least=1), whole("rounds", rounds, least=1)
        self.radius, self.lipschitz = positive("radius", radius), positive("lipschitz", lipschitz)
        steepest = self.lipschitz * self.horizon
        self.resolution = 1 / steepest if resolution is None else positive("resolution", resolution)
        self.bound = 2 * self.radius * self.lipschitz if bound is None else positive("bound", bound)
        self.epsilon, self.clip, self.seed, self.runs = epsilon, bool(clip), seed, runs
        self._given = {"rounds": rounds, "learner": learner, "resolution": resolution, "bound": bound}
        pattern = _pattern(epsilon, learner)
        self.points = _at_least_two(net(self.dimension, self.radius, self.resolution))
        changes = {"n_actions": len(self.points), "seed": seed, "runs": runs}
        self.learner = type(pattern)(**(pattern.get_params() | changes))

    @property
    def claim(self) -> Guarantee:
        """What the points of one run promise when the draws are unpredictable: the learner's."""
        return self.learner.claim

    @property
    def guarantee(self) -> Guarantee:
        """The learner's."""
        return self.learner.guarantee

    @property
    def rounds(self) -> int:
        """How many rounds have been seen."""
        return self.learner.rounds

    def act(self) -> Floats:
        """The point of this round, (dimension,) or (runs, dimension). Asking again costs nothing."""
        points: Floats = self.points[self.learner.act()]
        return points.copy()

    def update(self, loss: Loss | ArrayLike) -> None:
        """Learn this round's losses: a function of points, or the losses of `points` in their order."""
        losses = as_numbers(loss(self.points) if callable(loss) else loss)
        self.learner.update(Scale(0.0, self.bound, self.clip).apply(losses))

    def state_dict(self) -> dict[str, Any]:
        """The state of the learner, which is the owner's."""
        return {"net": repr(self), "state": self.learner.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state of one with the same parameters."""
        if not isinstance(state, dict) or state.keys() != {"net", "state"}:
            raise ValueError("a state is the dictionary that state_dict gives")
        if state["net"] != repr(self):
            raise ValueError(f"the state is of {state['net']}, not of {self!r}")
        self.learner.load_state_dict(state["state"])

    def __copy__(self) -> Self:
        """A copy has a learner of its own; the points of the net never change, and are shared."""
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__, learner=copy.deepcopy(self.learner))
        return made


def _pattern(epsilon: float | None, learner: Learner | None) -> Learner:
    """The learner to take the parameters from."""
    if (epsilon is None) == (learner is None):
        raise ValueError("give either epsilon or a learner of experts to take the parameters from, and not both")
    if learner is None:
        assert epsilon is not None
        return PrivateLeader(2, epsilon)
    if not isinstance(learner, Learner):
        raise ValueError(f"learner is {learner!r}; it must be a learner of experts, such as PrivateLeader(2, 1.0)")
    return learner


def _at_least_two(points: NDArray[np.float64]) -> Floats:
    """The net as it is, or a sentence where there is nothing to choose."""
    if len(points) < 2:
        raise ValueError("the net has a single point: the resolution is no finer than the radius")
    return points
