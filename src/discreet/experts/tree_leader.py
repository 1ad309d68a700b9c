"""Follow the leader of private running sums: the central baseline for losses of any kind."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from discreet.experts import tree_leader_noise as calculation
from discreet.experts.base import Actions, Learner
from discreet.experts.parameters import whole
from discreet.experts.sparse_vector import horizon
from discreet.guarantees import GaussianDP, Guarantee, NoGuarantee
from discreet.guarantees.reach import within_reach
from discreet.guarantees.rounding import root_up
from discreet.losses import MAX_ROUNDS, UNITS, Units
from discreet.mechanisms import GaussianNoise
from discreet.mechanisms.tree_stretch import Stretch
from discreet.selection.base import positive

NoiseKind = Literal["least", "least-regret"]
NOISES = ("least", "least-regret")
_CHUNK = 1 << 15  # losses looked at at a time: they and what is made of them stay in the processor's cache
_MOST = 2**63 - 1


class TreeLeader(Learner):
    """Plays the action with the smallest private sum of losses, all of them summed by a binary tree.

    **Rule.** The first action is uniform. After each round a private sum of every action's losses is released, and
    the action with the smallest is played next; equal ones in an order drawn at the start. Round t finishes one node
    of a tree, which takes in the last 2^l rounds, 2^l the largest power of two in t; it gets Gaussian noise, exactly,
    once, and the sum after t rounds adds up a node for each binary digit 1 of t. `levels`, the binary digits of
    rounds - 1, are enough: the last round's sum would choose for no round. Where more rounds come, another tree of as
    many levels begins whenever one is full, and the sums of full trees stay as they were released.

    `noise="least"`: as little in each node as mu allows, scale = sqrt(levels) · move / mu, in losses. `mu=math.inf`
    is no noise at all: follow the leader.
    `noise="least-regret"`: every sum has noise of the same law, N(0, deviation^2), so that the bound below holds:
    fresh noise stands for the nodes that a sum has not got (Agarwal & Singh). The deviation is sqrt(rounds)/2, where
    the bound is least, or what mu demands, levels · move / mu, if that is more.

    **Guarantee.** `GaussianDP(mu)` for noise="least". For "least-regret" it is the true mu, `levels` · move /
    deviation, often far below the one asked for, and finite even for `mu=math.inf`. Replacing a round moves every
    node that it lies in by the same vector, of length `move` at most, and no other: `levels` nodes at most, in one
    tree. Each is released once with N(0, scale^2) in every entry; so mu = sqrt(levels) · move / scale, by adaptive
    composition, and losses may depend on the actions before. Sums, fresh noise and actions are post-processing.

    **Sensitivity.** How far what is to be hidden, such as one person, can move the losses of one round, in Euclidean
    norm: the distance of two versions of the same round. The default, sqrt(n_actions), needs no trust: losses are in
    [0, 1], and units move no further. A smaller one is the caller's claim about losses as they are given, such as
    `local.sensitivity_from_counts`; it is not checked, and the guarantee names it as `within`. Rounding to units can
    move two versions apart, which is paid for: move = sensitivity + sqrt(n_actions) / 2^20.

    **Regret.** For "least-regret", losses fixed in advance, over the first `rounds` rounds, in expectation: at most
    sqrt(2 log K) (deviation + rounds / (4 · deviation)), by `bounds.agarwal_singh`, which has the proof. Where mu is
    not what limits it that is sqrt(2 · rounds · log K). For "least" nothing is proved: the noise of its sums goes up
    and down from round to round. It is the better of the two where losses are not made to hurt.

    **Cost.** One Gaussian number an action each round (two for "least-regret"), O(levels · K) memory.

    >>> learner = TreeLeader(n_actions=10, rounds=1000, mu=1.0)
    >>> learner.guarantee, learner.levels, learner.node_scale == 10.0
    (GaussianDP(mu=1.0), 10, True)
    >>> TreeLeader(2, rounds=1000, mu=50.0, noise="least-regret").guarantee.mu < 1
    True
    >>> TreeLeader(3, rounds=500, mu=1.0, seed=1).play([[0.0, 1.0, 1.0]] * 500)[-3:].tolist()
    [0, 0, 0]

    References: Agarwal & Singh, The Price of Differential Privacy for Online Learning, 2017; Jacobsen & Fawaz 2025,
    section 4, whose two baselines these are.
    """

    _state = ("_action", "_order", "_sums", "_released", "_done")

    def __init__(
        self,
        n_actions: int,
        rounds: int,
        mu: float,
        noise: NoiseKind = "least",
        sensitivity: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self._given = {"rounds": horizon(rounds)}
        self.mu = math.inf if isinstance(mu, float) and mu == math.inf else positive("mu", mu)
        if noise not in NOISES:
            raise ValueError(f"noise is {noise!r}; it must be one of {', '.join(NOISES)}")
        self.noise = noise
        self.sensitivity = None if sensitivity is None else positive("sensitivity", sensitivity)
        self.levels: int = max(1, (self._given["rounds"] - 1).bit_length())
        self.squared_move = calculation.squared_move(whole("n_actions", n_actions, least=2), self.sensitivity)
        self.node_noise: GaussianNoise | None = self._made_noise()
        self._begin(n_actions, seed, runs)

    def _made_noise(self) -> GaussianNoise | None:
        """The noise of a node; None for none at all."""
        more = calculation.wanted(self.levels, self._given["rounds"]) if self.noise == "least-regret" else 0.0
        return calculation.of_scale(max(self._demanded(), more), self.mu)

    def _demanded(self) -> float:
        """The scale of a node's noise that mu demands."""
        return calculation.demanded(self.levels, self.squared_move, self.mu)

    @property
    def node_scale(self) -> float:
        """The standard deviation of the noise of a node, in losses."""
        return 0.0 if self.node_noise is None else self.node_noise.scale

    @property
    def deviation(self) -> float:
        """The standard deviation of the noise of a sum, in losses: of all sums, or of the noisiest for "least"."""
        return math.sqrt(self.levels) * self.node_scale

    @property
    def rounding(self) -> float:
        """How far, in losses, an action's sum may lie above the smallest, because noise is rounded to units.

        A node is off by half a unit, m fresh ones by sqrt(m)/2 and a half, and two sums are compared.
        """
        return (self.levels + 2) / UNITS

    @property
    def claim(self) -> Guarantee:
        """The mu asked for, or the true one where there is more noise than that demands."""
        if self.node_noise is None:
            return NoGuarantee("an infinite mu is no noise: not private")
        true = self.mu
        if self.node_scale != self._demanded():
            true = root_up(self.levels * self.squared_move / Fraction(self.node_scale) ** 2)
        return (
            GaussianDP(true)
            if self.sensitivity is None
            else within_reach(true, Fraction(self.sensitivity), self.n_actions)
        )

    def _reset(self) -> None:
        shape = (self._width, self.n_actions)
        words = self._entropy.numbers(self._width * self.n_actions, 64)
        self._order = (words >> np.uint64(1)).astype(np.int64).reshape(shape)
        self._action = self._order.argmin(axis=1)
        self._done = np.zeros(shape, dtype=np.int64)
        self._sums, self._released = np.zeros((2, self.levels, *shape), dtype=np.int64)

    def _limits(self, name: str, rounds: int) -> tuple[Any, Any]:
        limits = {"_order": (0, _MOST), "_released": (-_MOST - 1, _MOST), "_done": (-_MOST - 1, _MOST)}
        return limits.get(name, super()._limits(name, rounds))

    def _learn(self, units: Units) -> None:
        self.play_units(units)

    def play_units(self, units: Units) -> Actions:
        """The actions of some rounds, many at a time."""
        if self._rounds + len(units) > MAX_ROUNDS:
            raise ValueError(f"at most {MAX_ROUNDS} rounds fit; {self._rounds + len(units)} were asked for")
        rows = units if units.ndim == 3 else units[:, None]
        actions = np.empty((len(rows), self._width), dtype=np.int64)
        step, at = max(1, _CHUNK // (self._width * self.n_actions)), 0
        while at < len(rows):
            part = rows[at : at + min(step, self._capacity - self._leaves)]
            actions[at : at + len(part)] = self._played(part)
            at += len(part)
        return actions

    @property
    def _capacity(self) -> int:
        """How many rounds a tree lasts."""
        return (1 << self.levels) - 1

    @property
    def _leaves(self) -> int:
        """How many rounds the present tree has; a full one is present no more."""
        return self._rounds % self._capacity

    def _played(self, rows: Units) -> Actions:
        """The actions of rounds that lie in one tree (rounds, runs or 1, K). All at once: see `Learner.update`."""
        stretch = Stretch(self._leaves, len(rows), self.levels)
        nodes, exact = stretch.nodes(self._sums, np.broadcast_to(rows, (len(rows), *self._done.shape)))
        released, fresh = self._with_noise(nodes, stretch.ends)
        sums, noisy = stretch.sums(self._released, released)
        sums = sums + self._done
        after: dict[str, Any] = {"_rounds": self._rounds + len(rows), "_sums": exact, "_released": noisy}
        if stretch.ends[-1] == self._capacity:
            after |= {"_done": sums[-1], "_sums": np.zeros_like(exact), "_released": np.zeros_like(noisy)}
        leaders = self._leaders(sums if fresh is None else sums + fresh)
        actions = np.concatenate([self._action[None], leaders[:-1]])
        self.__dict__.update(after, _action=leaders[-1])
        return actions

    def _with_noise(self, nodes: Units, ends: NDArray[np.int64]) -> tuple[Units, Units | None]:
        """Nodes (rounds, runs, K) as they are released; and fresh noise for those that each sum has not got, or None.

        Noise of a node times sqrt(m) has the law of that of m nodes, up to a fraction of a unit.
        """
        if self.node_noise is None:
            return nodes, None
        rows = nodes.reshape(len(nodes), -1)
        if self.noise == "least":
            return self.node_noise.sample_rows(rows, self._entropy).reshape(nodes.shape), None
        both = np.concatenate([rows, np.zeros_like(rows)], axis=1)
        drawn = self.node_noise.sample_rows(both, self._entropy).reshape(len(nodes), 2, *nodes.shape[1:])
        missing = np.sqrt(self.missing(ends))[:, None, None]
        return drawn[:, 0], np.rint(missing * drawn[:, 1]).astype(np.int64)

    def missing(self, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many nodes sums after so many leaves of the present tree have less than `levels`; none in later trees."""
        if self._rounds >= self._capacity:
            return np.zeros_like(ends)
        missing: NDArray[np.int64] = self.levels - np.bitwise_count(ends).astype(np.int64)
        return missing

    def _leaders(self, sums: Units) -> Actions:
        """The actions with the smallest sums (rounds, runs, K), the first in order where some are equal."""
        leaders: Actions = sums.argmin(axis=2)
        equal = sums == np.take_along_axis(sums, leaders[..., None], axis=2)
        rounds, runs = (equal.sum(axis=2) > 1).nonzero()
        ranks = np.where(equal[rounds, runs], self._order[runs], _MOST)
        leaders[rounds, runs] = ranks.argmin(axis=1)
        return leaders
