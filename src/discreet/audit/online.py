"""Checks of a learner at work: what it draws, when, and how much one round can move."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np

from discreet.audit.branches import completed, recorded, ways
from discreet.entropy import SeededEntropy
from discreet.experts import Learner
from discreet.experts.blocks import BlockLearner
from discreet.guarantees import PureDP
from discreet.losses import UNITS, Units

#: Runs of the learners that are compared: two that draw on their own agree in all of them with probability 2^-60.
_RUNS = 60


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
    """A learner that is copied, pickled or resumed plays what was drawn; it cannot draw a released choice again."""
    made = private(learner, _RUNS)
    made.play(np.random.default_rng(2).random((rounds, learner.n_actions)))
    resumed = private(learner, _RUNS)
    resumed.load_state_dict(made.state_dict())
    others = {"copied": copy.deepcopy(made), "pickled": pickle.loads(pickle.dumps(made)), "resumed": resumed}
    for how, other in others.items():
        if (np.asarray(other.act()) != np.asarray(made.act())).any():
            return f"a learner that was {how} drew the current action again"
    return None


def draws_on_its_own(learner: Learner, rounds: int) -> str | None:
    """Two learners, and a learner and its copy, never share a draw.

    A few rounds more than were asked for are played, so that the last block is not over: what was resampled shows.
    """
    one, table = private(learner, _RUNS), np.full((rounds + 3, learner.n_actions), 0.5)
    others = {"a second learner": (private(learner, _RUNS), _drawn(one))}
    others["a copy"] = copy.deepcopy(one), [name for name in _drawn(one) if name != "_prefixes"]  # drawn before it
    one.play(table)
    for who, (other, names) in others.items():
        other.play(table)
        same = [name for name in names if _equal(one, other, name)]
        if same:
            return f"{who} on system entropy drew the same {same[0].lstrip('_')} in all of {_RUNS} runs"
    return None


def _drawn(learner: Learner) -> list[str]:
    """The parts of the state that chance makes: an even table leaves the totals to it only where it resamples."""
    if not isinstance(learner, BlockLearner):
        return ["_action"]
    return ["_action", *["_prefixes"] * learner.schedule.random_prefix, *["_totals"] * learner.needs_rounds]


def _equal(one: Learner, other: Learner, name: str) -> bool:
    mine, others = (np.asarray(getattr(learner, name)) for learner in (one, other))
    return bool(mine.any()) and np.array_equal(mine, others)


def moves_little(learner: BlockLearner, rounds: int, tries: int = 40) -> str | None:
    """The totals that selections draw from move, when a round is replaced, by no more than the claim pays for.

    A selection whose totals move by m losses reveals m times its level; the sum over all selections must stay within
    the claimed epsilon. Tables are drawn at random, with losses of 0 and 1 and in between, and random rounds replaced.
    """
    if not isinstance(learner.claim, PureDP) or learner.needs_rounds:
        return None
    rng, blocks = np.random.default_rng(3), range(completed(learner, rounds))
    for _ in range(tries):
        units = rng.choice([0, UNITS // 3, UNITS], size=(rounds, learner.n_actions))
        place = int(rng.integers(rounds))
        other = units.copy()
        other[place] = rng.choice([0, UNITS], size=learner.n_actions)
        moved = _moved(learner, units, other, blocks)
        if Fraction(learner.claim.epsilon) * (1 + Fraction(1, 2**50)) < learner.selection.level * moved:
            return f"replacing round {place} moved totals by {float(moved):g} losses in all"
    return None


def _moved(learner: BlockLearner, units: Units, other: Units, blocks: range) -> Fraction:
    """How far the totals of all selections move together, in the worst of some hidden ways."""
    rng = np.random.default_rng(4)
    hidden = ways(learner, units, range(0))
    if learner.schedule.random_prefix:
        for block in blocks:
            hidden.prefixes[:, block] = rng.choice(list(learner.schedule.prefix_counts(block)))
    pairs = zip(recorded(learner, units, hidden), recorded(learner, other, hidden), strict=True)
    return Fraction(sum(int(np.abs(one - two).max()) for one, two in pairs), UNITS)
