"""All that this study measures, and how sure it is of each number."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from scipy.special import ndtri

from studies.hospitals.cases import Played, standard_error
from studies.hospitals.densities import Densities
from studies.hospitals.records import Floats


@dataclass(frozen=True)
class Results:
    """Three states at four levels, with each week's own noise, and with the worst week's noise in every week."""

    states: list[Densities]
    played: list[Played]
    constant: list[Played]

    @property
    def sigmas(self) -> float:
        """Standard errors of an interval: together, those of table 2 hold with probability 95 % (Bonferroni)."""
        return float(-ndtri(0.05 / 2 / (4 * len(self.played))))

    def around(self, totals: Floats) -> str:
        """A mean with its interval."""
        return f"{totals.mean():.2f} ± {self.sigmas * standard_error(totals):.2f}"

    def positive(self, differences: Floats) -> bool:
        """Whether the mean of differences, one a run, is above 0 beyond chance."""
        return bool(differences.mean() > self.sigmas * standard_error(differences))


def setting(played: Played) -> str:
    """The state and the level, in words."""
    return f"{played.data.state} at mu {level(played.mu)}"


def level(mu: float) -> str:
    """The level, in words."""
    return "∞" if mu == inf else f"{mu:g}"
