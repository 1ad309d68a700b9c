"""The contract that every learner keeps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import Entropy, from_seed
from discreet.experts.parameters import Parametric, whole
from discreet.guarantees import Guarantee, NoGuarantee
from discreet.losses import MAX_ROUNDS, UNITS, Units, to_units

Actions = NDArray[np.int64]
#: Actions of rounds and runs that are held at a time.
_HELD = 1 << 22


class Learner(Parametric):
    """Chooses one of `n_actions` actions a round; afterwards every action's loss in that round is known.

    State is arrays with a leading axis of runs. The action of the next round is drawn as soon as it can be, so
    asking for it twice, or saving and loading in between, never draws it again.
    """

    #: Names of the attributes, arrays of whole numbers or floats, that make the state besides `rounds`.
    _state: tuple[str, ...] = ("_action",)

    n_actions: int
    seed: int | None
    runs: int | None

    def _begin(self, n_actions: int, seed: int | None, runs: int | None) -> None:
        """Check and keep what all learners share, and make the state before the first round."""
        self.n_actions = whole("n_actions", n_actions, least=2)
        self.runs = None if runs is None else whole("runs", runs, least=1)
        self._entropy: Entropy = from_seed(seed)
        self.seed = int(seed) if isinstance(seed, np.integer) else seed
        self._width = self.runs or 1
        self._rounds = 0
        self._action: Actions = np.zeros(self._width, dtype=np.int64)
        self._reset()

    @property
    @abstractmethod
    def claim(self) -> Guarantee:
        """What the released actions of one run promise when the draws are unpredictable."""

    @abstractmethod
    def _reset(self) -> None:
        """Make the state before the first round, the first action included."""

    @abstractmethod
    def _learn(self, units: Units) -> None:
        """Go through rounds of units, (rounds, K) or (rounds, runs, K), choosing after each as the rule says."""

    @property
    def guarantee(self) -> Guarantee:
        """What the released actions promise, those of all runs together; nothing where a seed makes them predictable.

        R runs are R draws from the same losses, so what they reveal adds up: many runs are for simulation.
        """
        if self._entropy.private:
            return self.claim.compose(*[self.claim] * (self._width - 1))
        return NoGuarantee(f"draws are repeatable ({self._entropy!r}); on system entropy this is {self.claim!r}")

    @property
    def rounds(self) -> int:
        """How many rounds have been seen."""
        return self._rounds

    def act(self) -> Any:
        """The action of this round: a whole number, or an array of one for each run. Asking again costs nothing."""
        return int(self._action[0]) if self.runs is None else self._action.copy()

    def update(self, losses: ArrayLike) -> None:
        """Learn every action's loss in this round: (K,), or (runs, K) where each run has its own.

        A round is learned whole or not at all. Should this be interrupted, `rounds` tells which: a round that is
        learned twice moves totals by twice what the guarantee allows for.
        """
        units = self._read(losses, row="run")
        if units.ndim != 1 and (self.runs is None or units.shape != (self.runs, self.n_actions)):
            wanted = f"({self.n_actions},)" + (f" or ({self.runs}, {self.n_actions})" if self.runs else "")
            raise ValueError(f"losses of one round have shape {wanted}, not {units.shape}")
        self._learn(units[None])

    def play(self, table: ArrayLike) -> Actions:
        """Act and update for every row of a table (rounds, K): the actions played, (rounds,) or (rounds, runs).

        The same actions as a loop of `act` and `update` with the same seed. The whole table is checked first.
        """
        actions = self.play_units(self._units_of(table))
        return actions[:, 0] if self.runs is None else actions

    def _read(self, losses: ArrayLike, first_round: int | None = None, row: str = "round") -> Units:
        """What is learnt from, checked and in whole units."""
        return to_units(losses, self.n_actions, first_round, row)

    def _units_of(self, table: ArrayLike) -> Units:
        """A whole table of coming rounds as units, checked."""
        units = self._read(table, first_round=self._rounds)
        if units.ndim != 2:
            raise ValueError(f"a table has shape (rounds, {self.n_actions}); got {units.shape}")
        return units

    def play_units(self, units: Units) -> Actions:
        """Go through rounds of units, (rounds, K) or (rounds, runs, K): the actions played, (rounds, runs).

        `play` without its checks, for those who have whole units: simulation and replay. Here it is the loop, for
        rules that have nothing faster.
        """
        actions = np.empty((len(units), self._width), dtype=np.int64)
        for row, action in zip(units, actions, strict=True):
            action[:] = self._action
            self._learn(row[None])
        return actions

    def stretches(self, units: Units) -> Iterator[tuple[int, Actions]]:
        """`play_units` in stretches within which no run changes its action: how many rounds, and the actions (runs,).

        So that many runs over a long log need not be held round by round. What has been yielded has been learned.
        """
        step = max(1, _HELD // self._width)
        for start in range(0, len(units), step):
            actions = self.play_units(units[start : start + step])
            changed = (actions[1:] != actions[:-1]).any(axis=1).nonzero()[0] + 1
            for one, other in pairwise([0, *changed.tolist(), len(actions)]):
                yield other - one, actions[one]

    def state_dict(self) -> dict[str, Any]:
        """The state as plain data that JSON can hold. It contains totals of raw losses: it is the owner's."""
        arrays = {name.lstrip("_"): np.asarray(getattr(self, name)).tolist() for name in self._state}
        return {"learner": self._identity(), "rounds": self._rounds, "entropy": self._entropy.state_dict()} | arrays

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state, exactly as the learner that it was taken from would have when it was seeded.

        The parameters must be the same, the seed included: the state holds a choice that was drawn by them.
        """
        if not isinstance(state, dict):
            raise ValueError(f"a state is the dictionary that state_dict gives, not {type(state).__name__}")
        missing = [name for name in self._state_keys() if name not in state]
        if missing:
            raise ValueError(f"the state has no {missing[0]!r}")
        if state["learner"] != self._identity():
            raise ValueError(f"the state is of {state['learner']}, not of {self._identity()}")
        rounds = whole("rounds", state["rounds"], least=0)
        if rounds > MAX_ROUNDS:
            raise ValueError(f"rounds is {rounds}; at most {MAX_ROUNDS} fit")
        arrays = {name: self._array(name, state, rounds) for name in self._state}
        self._load_entropy(state["entropy"])
        self._rounds = rounds
        self.__dict__.update(arrays)

    def _identity(self) -> str:
        """The class with all its parameters, as text."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"

    def _state_keys(self) -> list[str]:
        return ["learner", "rounds", "entropy", *(name.lstrip("_") for name in self._state)]

    def _load_entropy(self, state: Any) -> None:
        """Put the entropy where a state says, if it says what an entropy of this kind does."""
        if not isinstance(state, dict):
            raise ValueError(f"the state's entropy is a dictionary, not {type(state).__name__}")
        for name in self._entropy.state_dict():
            whole(f"the state's {name} in the stream", state.get(name), least=0)
        self._entropy.load_state_dict(state)

    def _array(self, name: str, state: dict[str, Any], rounds: int) -> NDArray[Any]:
        """One array of a state, checked against the one it replaces: its shape, its type, and what it may hold."""
        mine, called = np.asarray(getattr(self, name)), f"the state's {name.lstrip('_')}"
        try:
            loaded = np.asarray(state[name.lstrip("_")])
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{called} is not an array of numbers") from None
        if loaded.shape != mine.shape and loaded.size + mine.size:  # JSON keeps no shape of an empty array
            raise ValueError(f"{called} has shape {loaded.shape}, not {mine.shape}")
        if loaded.size and (loaded.dtype.kind not in "iuf" or not np.can_cast(loaded.dtype, mine.dtype)):
            raise ValueError(f"{called} must hold {'whole ' * (mine.dtype.kind == 'i')}numbers of 64 bits")
        loaded = loaded.astype(mine.dtype).reshape(mine.shape)
        least, largest = self._limits(name, rounds)
        bad = loaded[~((loaded >= least) & (loaded <= largest))]
        if bad.size:
            raise ValueError(f"{called} has {bad[0]}, which cannot be there after {rounds} rounds")
        return loaded

    def _limits(self, name: str, rounds: int) -> tuple[Any, Any]:
        """The smallest and the largest numbers that an array of the state can hold after some rounds."""
        return 0, self.n_actions - 1 if name == "_action" else rounds * UNITS
