"""Algorithm 4 of Asi et al., made whole: play the least of a few noisy running sums until all are too large."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.experts import tree_constants as calculation
from discreet.experts.base import Actions, Learner
from discreet.experts.parameters import privacy_level, whole
from discreet.experts.phase_trees import MOST, Grown, PhaseTrees
from discreet.experts.sparse_vector import amount, chance, horizon
from discreet.experts.stages import in_units
from discreet.guarantees import PureDP
from discreet.losses import MAX_ROUNDS, Units
from discreet.selection import PermuteAndFlip
from discreet.selection.base import at_least

Bools = NDArray[np.bool_]
#: Numbers held when looking ahead.
_CELLS = 1 << 18


class TreeExperts(Learner):
    """Plays the action with the least noisy sum of losses in a small batch, and draws another batch when all are bad.

    **Rule.** A phase has a batch of actions. The first is uniform; later ones are drawn one by one by `PermuteAndFlip`
    from the totals of all rounds, among the actions that were in no batch yet (when there are none left, all count as
    new again). Through the phase each action of the batch has a binary tree of its losses. After every round the
    action with the least noisy sum is played next, the one drawn first where they are equal. When all sums exceed
    `threshold`, the phase is over. The phase after `switches` new batches has no end: with `batch=1` its action stays.

    The paper has a sketch with orders of magnitude only. Chosen here: sums that begin with the phase; permute-and-flip;
    trees for `rounds` rounds, followed by new ones where more come; and all constants, by calculation
    (`tree_constants`). `batch=1` is the default because a batch of B multiplies the noise of the trees and the number
    of draws by B, and saves nothing that the bound below knows of; a batch as large as `n_actions` has one phase and no
    draws. `switches` and `threshold` may be given, for experiments; the guarantee holds for any.

    **Guarantee.** `PureDP(epsilon)`. Take one course of everything released: the batches, and the noisy nodes of all
    trees. When phases end and what is played follows from it. Its probability is a product, over batches and nodes,
    of chances given what came before, so the same course puts a round into the same phase for both of two tables that
    differ in it. Of the nodes, only those of that phase can see the round: at most `levels` in each of `batch` trees,
    each moved by one loss at most, which costs batch · levels / scale. All other nodes are sums of other rounds. Of the
    draws, only later ones see it, switches · batch at most, at 2 · rate each: replacing a round moves every total by
    one loss at most, and who may be drawn is part of the course. The levels add up to epsilon at most, and every
    release may depend on the ones before. Scales are rounded up, rates down.

    **Regret.** With probability 1 - failure, for losses fixed in advance of which some action's are all 0: at most
    (switches + 1) · batch · (threshold + noise + 1). No sum is off by `noise` or more, so the perfect action is never
    left, others not before they lose threshold - noise, and a played one has lost threshold + noise + 1 at most; the
    proof in `switching` bounds the number of phases. That is O((log K)^2 + log K · log(T)^2) / epsilon: in T worse than
    `SparseVectorExperts`, whose test adds noise of order log(T) and does not add up nodes.

    **Cost.** O(K) a round to add up totals, one node's noise for each action of the batch, one selection for each
    action of a new one.

    >>> learner = TreeExperts(n_actions=100, epsilon=1.0, rounds=10_000)
    >>> learner.guarantee, learner.switches, round(learner.threshold)
    (PureDP(epsilon=1.0), 12, 594)
    >>> TreeExperts(3, epsilon=8.0, rounds=500, seed=1).play([[0.0, 1.0, 1.0]] * 500)[-3:].tolist()
    [0, 0, 0]

    Reference: Asi, Feldman, Koren & Talwar 2023, appendix B.1, algorithm 4.
    """

    _leaves: Actions
    _held: Units
    _nodes: Units
    _state = ("_action", "_totals", "_batch", "_used", "_switches", "_leaves", "_held", "_nodes")

    def __init__(
        self,
        n_actions: int,
        epsilon: float,
        rounds: int,
        failure: float = 0.05,
        batch: int = 1,
        switches: int | None = None,
        threshold: float | None = None,
        seed: int | None = None,
        runs: int | None = None,
    ) -> None:
        self.epsilon, self.failure = privacy_level(epsilon), chance("failure", failure)
        actions, batch = whole("n_actions", n_actions, least=2), whole("batch", batch, least=1)
        self._given = {"rounds": horizon(rounds), "batch": batch, "switches": switches, "threshold": threshold}
        given = calculation.Given(
            actions,
            self.epsilon,
            self._given["rounds"],
            self.failure,
            min(batch, actions),
            None if switches is None else whole("switches", switches, least=1),
            None if threshold is None else amount("threshold", threshold),
        )
        found = calculation.tight(given)
        self.switches, self.threshold, self.noise, self.rate = found.switches, found.threshold, found.noise, found.rate
        self.batch, self.levels = given.batch, given.levels
        self.trees = _trees(self.levels, self.batch, found.tree_epsilon, self.epsilon)
        self.selection, self.limit = PermuteAndFlip(self.rate), in_units(self.threshold)
        self._begin(n_actions, seed, runs)

    @property
    def revealed(self) -> Fraction:
        """The level of the trees of one phase, and of all draws together."""
        return self.trees.level + self.switches * self.batch * self.selection.level

    @property
    def claim(self) -> PureDP:
        """What is revealed; shown as epsilon where that is no more."""
        return PureDP(max(self.epsilon, at_least(self.revealed)))

    def _reset(self) -> None:
        self._totals = np.zeros((self._width, self.n_actions), dtype=np.int64)
        self._used = np.zeros((self._width, self.n_actions), dtype=np.int64)
        self._batch = np.zeros((self._width, self.batch), dtype=np.int64)
        self._switches = np.zeros(self._width, dtype=np.int64)
        self._keep(self.__dict__, self.trees.empty(self._width))
        self._draw(self.__dict__, np.arange(self._width))
        self._action = self._batch[:, 0].copy()

    def _limits(self, name: str, rounds: int) -> tuple[Any, Any]:
        limits = {"_used": (0, 1), "_batch": (0, self.n_actions - 1), "_switches": (0, self.switches)}
        limits |= {"_leaves": (0, min(rounds, 2**self.levels - 1)), "_nodes": (-MOST, MOST)}
        return limits.get(name, super()._limits(name, rounds))

    def _check_room(self, rounds: int) -> None:
        if self._rounds + rounds > MAX_ROUNDS // 4:
            raise ValueError(f"at most {MAX_ROUNDS // 4} rounds fit; {self._rounds + rounds} were asked for")

    def _learn(self, units: Units) -> None:
        self._check_room(len(units))
        for row in units:
            self._step(np.broadcast_to(row, self._totals.shape))

    def play_units(self, units: Units) -> Actions:
        """The actions of some rounds: many at a time while no phase ends, and the round that ends one by itself."""
        rows = units if units.ndim == 3 else units[:, None]
        actions = np.empty((len(rows), self._width), dtype=np.int64)
        at, ahead, most = 0, 16, max(1, _CELLS // (self._width * max(self.batch, self.levels)))
        while at < len(rows):
            passed = self._pass(rows[at : at + min(ahead, most)])
            actions[at : at + len(passed)] = passed
            at, ahead = at + len(passed), 2 * len(passed) + 16
            if at < len(rows):
                actions[at] = self._action
                self._learn(rows[at : at + 1])
                at += 1
        return actions

    def _pass(self, rows: Units) -> Actions:
        """Learn the first of these rounds while no phase ends and floats tell the noise; gives what was played."""
        self._check_room(len(rows))
        suffered = np.take_along_axis(
            np.broadcast_to(rows, (len(rows), *self._totals.shape)), self._batch[None], axis=2
        )
        finished, released = self.trees.foreseen(Grown(self._leaves, self._held, self._nodes), suffered, self._entropy)
        sums = finished.noisy_sums(released)
        over = ((sums > self.limit).all(axis=2) & (self._switches < self.switches)).any(axis=1)
        rounds = int(over.argmax()) if over.any() else len(sums)
        if not rounds:
            return np.empty((0, self._width), dtype=np.int64)
        following = self._batch[np.arange(self._width), sums[:rounds].argmin(axis=2)]
        actions = np.concatenate([self._action[None], following])
        after: dict[str, Any] = {"_totals": self._totals + rows[:rounds].sum(axis=0), "_rounds": self._rounds + rounds}
        self._keep(after, finished.after(rounds, released))
        self._entropy.numbers(2 * suffered[0].size * rounds, 64)
        self.__dict__.update(after, _action=actions[-1])
        return actions[:-1]

    def _step(self, row: Units) -> None:
        """Learn one round of each run, (runs, K). All at once, so that it is learned whole or not at all."""
        suffered = np.take_along_axis(row, self._batch, axis=1)
        before = Grown(self._leaves, self._held, self._nodes)
        trees = self.trees.grown(before, suffered, self._entropy)
        after: dict[str, Any] = {"_totals": self._totals + row, "_rounds": self._rounds + 1}
        after |= {name: getattr(self, name) for name in ("_batch", "_used", "_switches")}
        over = ((trees.sums > self.limit).all(axis=1) & (self._switches < self.switches)).nonzero()[0]
        self._keep(after, trees.without(over))
        if over.size:
            after |= {name: after[name].copy() for name in ("_batch", "_used", "_switches")}
            after["_switches"][over] += 1
            self._draw(after, over)
        least = after["_nodes"].sum(axis=2).argmin(axis=1)
        after["_action"] = after["_batch"][np.arange(self._width), least]
        self.__dict__.update(after)

    def _keep(self, state: dict[str, Any], trees: Grown) -> None:
        state.update(_leaves=trees.leaves, _held=trees.held, _nodes=trees.nodes)

    def _draw(self, state: dict[str, Any], runs: Actions) -> None:
        """Write a new batch of these runs into a state."""
        fresh, totals = state["_used"][runs] == 0, state["_totals"][runs]
        for place in range(self.batch):
            none = (~fresh.any(axis=1)).nonzero()[0]
            fresh[none] = True
            fresh[none[:, None], state["_batch"][runs[none], :place]] = False
            drawn = self._drawn(fresh, totals)
            state["_batch"][runs, place] = drawn
            fresh[np.arange(len(runs)), drawn] = False
        state["_used"][runs] = ~fresh

    def _drawn(self, fresh: Bools, totals: Units) -> Actions:
        """For each row, one of the actions that are fresh: those that are not are out of reach, not just unlikely."""
        sizes, drawn = fresh.sum(axis=1), np.empty(len(fresh), dtype=np.int64)
        for size in np.unique(sizes).tolist():
            rows = (sizes == size).nonzero()[0]
            columns = np.argsort(~fresh[rows], axis=1, kind="stable")[:, :size]
            chosen = self.selection.sample(np.take_along_axis(totals[rows], columns, axis=1), self._entropy)
            drawn[rows] = columns[np.arange(len(rows)), chosen]
        return drawn


def _trees(levels: int, batch: int, tree_epsilon: float, epsilon: float) -> PhaseTrees:
    """The trees, with noise of a size that is of use."""
    scale = batch * levels / tree_epsilon
    if not 2.0**-20 <= scale <= 2.0**30:
        raise ValueError(f"epsilon is {epsilon}; noise of scale {scale:.3g} is no use, or does not fit")
    return PhaseTrees(levels, batch, tree_epsilon)
