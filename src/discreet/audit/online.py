"""Checks of a learner at work: what it draws, when, and how much one round can move."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np

from discreet.audit.branches import completed, recorded, ways
from discreet.entropy import SeededEntropy
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.experts.tree import TreeExperts
from discreet.experts.tree_leader import TreeLeader
from discreet.experts.watching import WatchingLearner
from discreet.guarantees import NoGuarantee, PureDP
from discreet.losses import UNITS, Units

#: Runs of the learners that are compared: two that draw on their own agree in all of them with probability 2^-60.
_RUNS = 60
#: Rounds that are played beyond the end of a block.
_MORE = 3


def private(learner: Learner, runs: int | None = None) -> Learner:
    """A fresh learner of the same parameters on system entropy."""
    return type(learner)(**(learner.get_params() | {"seed": None, "runs": runs}))


def draws_once(learner: Learner, rounds: int) -> str | None:
    """Asked again, `act` gives the same action and uses no chance. None if so, else what was seen."""
    made = private(learner, _RUNS)
    made._entropy = SeededEntropy(1)
    table = np.random.default_rng(1).random((rounds, learner.n_actions))
    for place, row in enumerate(table):
        before = made._entropy.state_dict()
        asked = [np.asarray(made.act()).tolist() for _ in range(3)]
        if asked[0] != asked[1] or asked[1] != asked[2] or made._entropy.state_dict() != before:
            return f"asked three times in round {place}, act() drew anew"
        made.update(row)
    return None


def acts_as_it_plays(learner: Learner, rounds: int) -> str | None:
    """A loop of `act` and `update` does what `play` does with the same seed: the audit of one is one of the other."""
    table = np.random.default_rng(5).random((rounds, learner.n_actions))
    one, other = (type(learner)(**(learner.get_params() | {"seed": 5, "runs": _RUNS})) for _ in range(2))
    played = one.play(table)
    for place, row in enumerate(table):
        if (np.asarray(other.act()) != played[place]).any():
            return f"in round {place} act() gave another action than play()"
        other.update(row)
    return None


def keeps_its_choice(learner: Learner, rounds: int) -> str | None:
    """A learner that is copied, pickled or resumed goes on from what was drawn, and cannot draw a choice again.

    A few rounds more than were asked for are played, so that the last block is not over and totals are not zero.
    """
    made = private(learner, _RUNS)
    made.play(np.random.default_rng(2).random((rounds + _MORE, learner.n_actions)))
    for how, other in _again(made).items():
        if (np.asarray(other.act()) != np.asarray(made.act())).any():
            return f"a learner that was {how} drew the current action again"
        changed = [name for name in made._state if not np.array_equal(getattr(made, name), getattr(other, name))]
        if changed:
            return f"a learner that was {how} has another {changed[0].lstrip('_')}"
    return None


def _again(learner: Learner) -> dict[str, Learner]:
    """The same learner once more, in every way in which there can be one."""
    resumed = private(learner, _RUNS)
    resumed.load_state_dict(learner.state_dict())
    if isinstance(learner, TreeExperts) and isinstance(resumed, TreeExperts):
        resumed.limit = learner.limit  # which `_eager` may have changed
    return {"copied": copy.deepcopy(learner), "pickled": pickle.loads(pickle.dumps(learner)), "resumed": resumed}


def draws_on_its_own(learner: Learner, rounds: int) -> str | None:
    """Two learners never share a draw, nor do a learner and the one that it is copied, pickled or resumed to.

    The thresholds of learners that keep an action until a threshold is passed are put to zero, so that they draw.
    """
    one, table = _eager(private(learner, _RUNS)), np.full((rounds + _MORE, learner.n_actions), 0.5)
    players: dict[str, tuple[Learner, list[str]]] = {"a second learner": (_eager(private(learner, _RUNS)), _drawn(one))}
    names = [name for name in _drawn(one) if name != "_prefixes"]  # drawn at the start, and part of the state
    players |= {f"a learner that was {how}": (other, names) for how, other in _again(one).items()}
    players |= {f"a learner that was {how} as well": (other, names) for how, other in _again(one).items()}
    played: list[tuple[str, Learner]] = [("the first learner", one)]
    one.play(table)
    for who, (other, parts) in players.items():
        other.play(table)
        for whom, earlier in played:
            same = [name for name in parts if _equal(earlier, other, name)]
            if same:
                part = same[0].lstrip("_")
                return f"{who} on system entropy drew the same {part} as {whom} in all of {_RUNS} runs"
        played.append((who, other))
    return None


def promises_its_claim(learner: Learner, rounds: int) -> str | None:
    """The guarantee is the claim for one run, two claims for two runs, and nothing with a seed."""
    claim, seeded = learner.claim, type(learner)(**(learner.get_params() | {"seed": 1, "runs": None}))
    wanted = {None: claim, 1: claim, 2: claim.compose(claim)}
    wrong = [runs for runs, promise in wanted.items() if private(learner, runs).guarantee != promise]
    if wrong:
        return f"with runs={wrong[0]} it promises {private(learner, wrong[0]).guarantee!r}, not {wanted[wrong[0]]!r}"
    if not isinstance(seeded.guarantee, NoGuarantee):
        return f"with a seed it promises {seeded.guarantee!r}"
    return None


def _eager(learner: Learner) -> Learner:
    """The same learner, before its first round, with thresholds of zero if it has any."""
    if isinstance(learner, WatchingLearner):
        learner.stages = tuple(replace(stage, threshold=0) for stage in learner.stages)
        learner._reset()
    if isinstance(learner, TreeExperts):
        learner.limit = 0
    return learner


def _drawn(learner: Learner) -> list[str]:
    """The parts of the state that chance makes: an even table leaves the totals to it only where it resamples."""
    if isinstance(learner, WatchingLearner):
        return ["_action", "_thresholds"]
    if isinstance(learner, TreeExperts):
        return ["_action", "_nodes"]
    if isinstance(learner, TreeLeader):
        return ["_action", "_released"] if learner.node_noise else []
    if not isinstance(learner, BlockLearner):
        return ["_action"]
    return ["_action", *["_prefixes"] * learner.schedule.random_prefix, *["_totals"] * learner.needs_rounds]


def _equal(one: Learner, other: Learner, name: str) -> bool:
    mine, others = (np.asarray(getattr(learner, name)) for learner in (one, other))
    return bool(mine.any()) and np.array_equal(mine, others)


def moves_little(learner: BlockLearner, rounds: int, tries: int = 200) -> str | None:
    """The totals that selections draw from move, when a round is replaced, by no more than the claim pays for.

    A selection whose totals move by m losses reveals m times its level; the sum over all selections must stay within
    the claimed epsilon. Tables are drawn at random, and one round of each is turned round. Losses are 0 and 1, so
    that resampling leaves them as they are, and a third for learners that do not resample.
    """
    if not isinstance(learner.claim, PureDP):
        return None
    rng, runs = np.random.default_rng(3), np.arange(tries)
    values = [0, UNITS] if learner.needs_rounds else [0, UNITS // 3, UNITS]
    units = rng.choice(values, size=(rounds, tries, learner.n_actions))
    places = rng.permutation(np.resize(np.arange(rounds), tries))
    units[places, runs] = rng.choice([0, UNITS], size=(tries, learner.n_actions))
    other = units.copy()
    other[places, runs] ^= UNITS
    moved = _moved(learner, units, other)
    worst = int(moved.argmax())
    most = Fraction(learner.claim.epsilon) * (1 + Fraction(1, 2**50))
    if most < learner.selection.level * Fraction(int(moved[worst]), UNITS):
        return f"replacing round {places[worst]} of {rounds} moved totals by {moved[worst] / UNITS:g} losses in all"
    return None


def _moved(learner: BlockLearner, units: Units, other: Units) -> Units:
    """How far the totals of all selections move together, in units, for each run: the hidden ways are drawn."""
    rng, tries = np.random.default_rng(4), units.shape[1]
    hidden = ways(learner, units[:, 0], range(0)).times(tries)
    if learner.schedule.random_prefix:
        for block in range(completed(learner, len(units))):
            hidden.prefixes[:, block] = rng.choice(list(learner.schedule.prefix_counts(block)), size=tries)
    pairs = zip(recorded(learner, units, hidden), recorded(learner, other, hidden), strict=True)
    moved: Units = np.array([np.abs(one - two).max(axis=1) for one, two in pairs]).sum(axis=0)
    return moved
