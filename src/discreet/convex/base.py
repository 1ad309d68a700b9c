"""What learners on a ball share: runs, chance, the guarantee of all runs, a state that is checked, copies."""

from __future__ import annotations

import copy
from abc import abstractmethod
from typing import Any, Self

import numpy as np

from discreet.entropy import Entropy, from_seed
from discreet.experts.parameters import Parametric, whole
from discreet.guarantees import Guarantee, NoGuarantee


class BallLearner(Parametric):
    """A learner that draws for itself: it has an entropy, a claim for each run, and a state."""

    seed: int | None
    runs: int | None
    _entropy: Entropy

    def _begin(self, seed: int | None, runs: int | None) -> None:
        """Check and keep what these learners share."""
        self.runs = None if runs is None else whole("runs", runs, least=1)
        self._entropy = from_seed(seed)
        self.seed = int(seed) if isinstance(seed, np.integer) else seed

    @property
    @abstractmethod
    def claim(self) -> Guarantee:
        """What the points of one run promise when the draws are unpredictable."""

    @property
    def guarantee(self) -> Guarantee:
        """What the points promise, those of all runs together; nothing where a seed makes them predictable."""
        if self._entropy.private:
            return self.claim.compose(*[self.claim] * ((self.runs or 1) - 1))
        return NoGuarantee(f"draws are repeatable ({self._entropy!r}); on system entropy this is {self.claim!r}")

    @abstractmethod
    def state_dict(self) -> dict[str, Any]:
        """The state as plain data that JSON can hold. It is the owner's."""

    def _check_state(self, state: Any) -> None:
        """Refuse what is no state of a learner with these parameters."""
        missing = [name for name in self.state_dict() if not isinstance(state, dict) or name not in state]
        if missing:
            raise ValueError(f"the state has no {missing[0]!r}")
        if state["learner"] != repr(self):
            raise ValueError(f"the state is of {state['learner']}, not of {self!r}")

    def _load_entropy(self, state: Any) -> None:
        """Put the entropy where a state says, if it says what an entropy of this kind does."""
        if not isinstance(state, dict):
            raise ValueError(f"the state's entropy is a dictionary, not {type(state).__name__}")
        for name in self._entropy.state_dict():
            whole(f"the state's {name} in the stream", state.get(name), least=0)
        self._entropy.load_state_dict(state)

    def __copy__(self) -> Self:
        """A copy shares nothing: what has been learned is written in place."""
        return copy.deepcopy(self)
