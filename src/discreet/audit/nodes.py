"""What Gaussian nodes reveal of one round, exactly: which of them it moves, how far, and under how much noise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.audit.claims import distance_of, overstates
from discreet.entropy import Entropy, SeededEntropy
from discreet.experts.tree_leader import TreeLeader
from discreet.guarantees import GaussianDP, Guarantee
from discreet.guarantees.rounding import root_up
from discreet.losses import UNITS, Units, to_units

Table = NDArray[np.float64]


class _Written:
    """A noise that writes down what it is put on, and its scale in units."""

    def __init__(self, noise: Any) -> None:
        self._noise, self.asked = noise, list[tuple[Units, Fraction]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._noise, name)

    def sample(self, values: Units, entropy: Entropy) -> Any:
        """The noise's own draw."""
        self.asked.append((np.array(values), self._noise.in_cells))
        return self._noise.sample(values, entropy)

    def sample_rows(self, rows: Units, entropy: Entropy) -> Any:
        """The noise's own draws."""
        self.asked.append((np.array(rows), self._noise.in_cells))
        return self._noise.sample_rows(rows, entropy)


def squared_mu(learner: TreeLeader, units: Units, neighbor: Units) -> Fraction:
    """The square of the mu with which all that is released tells two tables (rounds, K) apart.

    Releases are normal numbers around nodes: mu^2 adds up squared moves over squared scales, over all of them. What is
    drawn on numbers that do not move adds nothing.
    """
    asked = []
    for table in (units, neighbor):
        made: Any = type(learner)(**(learner.get_params() | {"seed": None, "runs": None}))
        made._entropy, made.node_noise = SeededEntropy(1), _Written(made.node_noise)
        made.play_units(table)
        asked.append(made.node_noise.asked)
    pairs = zip(*asked, strict=True)
    return sum((Fraction(int(((one - two) ** 2).sum())) / scale**2 for (one, scale), (two, _) in pairs), Fraction(0))


def replaced(n_actions: int, distance: float) -> tuple[Table, Table]:
    """Losses of a round and of another one so far apart in Euclidean norm: from all low to all high.

    Their middle is where rounding to units moves them further apart, if there is room for it.
    """
    width = min(1.0, distance / n_actions**0.5)
    low = np.full((1, n_actions), min(0.5 + 0.5 / UNITS, 1 - width / 2) - width / 2)
    return low, np.minimum(low + width, 1.0)


def reveals_little(learner: TreeLeader, rounds: int, promised: Guarantee) -> str | None:
    """No round of a horizon, or of as many rounds beyond it, reveals more than is promised. Else what was seen.

    Other losses are random; those of the round turn from low to high, as far as the promise is about.
    """
    made, rng = learner.clone().set_params(rounds=rounds), np.random.default_rng(6)
    k = made.n_actions
    low, high = (to_units(row, k)[0] for row in replaced(k, distance_of(promised, k)))
    for place in range(2 * rounds):
        units = rng.integers(0, UNITS + 1, (2 * rounds, k))
        neighbor = units.copy()
        units[place], neighbor[place] = low, high
        seen = GaussianDP(root_up(squared_mu(made, units, neighbor)))
        if overstates(promised, seen):
            return f"round {place} of {rounds} is revealed with mu = {seen.mu:g}, which {promised!r} does not allow"
    return None
