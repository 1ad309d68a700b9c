"""Making reports where losses arise: losses plus Gaussian noise, rounded to a grid exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.entropy import from_seed
from discreet.experts.parameters import Parametric, whole
from discreet.guarantees import GaussianDP, Guarantee, NoGuarantee
from discreet.guarantees.reach import reaches, within_reach
from discreet.guarantees.rounding import root_up, up
from discreet.local.grid import unit_for
from discreet.losses import as_losses
from discreet.mechanisms import GaussianNoise
from discreet.mechanisms.noise import positive

Floats = NDArray[np.float64]
_CHUNK = 1 << 18  # numbers drawn at a time


class GaussianReport(Parametric):
    """Turns the losses of rounds into reports, which can be given to anyone: each reveals little about its round.

    **Rule.** A report is loss + N(0, scale^2) for every action, scale = sensitivity / mu, rounded to the nearest
    multiple of `unit`, about 2^-24 of the scale: by the exact law of real numbers (`GaussianNoise`).

    `sensitivity` is how far what is to be hidden, such as one person, can move the losses of one round, in Euclidean
    norm: the distance of two versions of the same round, not of two rounds of a log. Unless given it is
    sqrt(n_actions), which no two versions exceed with losses in [0, 1]. A smaller one is a claim about the data, such
    as `sensitivity_from_counts` makes for shares; nobody can check it on one table, so the guarantee states it.

    **Guarantee.** `GaussianDP(mu)` to everyone who sees the reports, and to the releases of every learner on them:
    replacing a round's losses moves the center of its report by `sensitivity` at most, and rounding is post-processing.
    (Noise in floats has no such guarantee: of losses 0 and 1 at scale 1, a quarter of what the one gives cannot come
    from the other.) It is for one report a round: two of the same round reveal mu sqrt(2). With a seed there is none.

    **Cost.** 64 random bits and one quantile a number: about six times `rng.standard_normal`.

    >>> report = GaussianReport(n_actions=3, mu=1.0, sensitivity=0.5)
    >>> report.scale, report.guarantee
    (0.5, GaussianDP(mu=1.0, within=0.5))
    >>> GaussianReport(3, mu=1.0, seed=1).privatize([0.1, 0.5, 0.9]).round(3).tolist()
    [-3.819, 0.284, 2.739]

    Reference: Jacobsen & Fawaz, Prediction with Expert Advice under Local Differential Privacy, 2025, section 2.2.
    """

    def __init__(self, n_actions: int, mu: float, sensitivity: float | None = None, seed: int | None = None) -> None:
        self.n_actions = whole("n_actions", n_actions, least=2)
        self.mu = positive("mu", mu)
        self._given = {"sensitivity": sensitivity}
        self.sensitivity = _distance(self.n_actions, sensitivity)
        self.scale = up(Fraction(self.sensitivity) / Fraction(self.mu))
        self.unit = unit_for(self.scale)
        self.noise = GaussianNoise(self.scale, self.unit)
        self._entropy = from_seed(seed)
        self.seed = int(seed) if isinstance(seed, np.integer) else seed

    @property
    def claim(self) -> GaussianDP:
        """What reports promise when the noise is unpredictable; of rounds within `sensitivity`, where that is less."""
        return within_reach(self.mu, Fraction(self.sensitivity), self.n_actions)

    @property
    def guarantee(self) -> Guarantee:
        """What the reports promise, one a round; nothing where a seed makes the noise predictable."""
        if self._entropy.private:
            return self.claim
        return NoGuarantee(f"noise is repeatable ({self._entropy!r}); on system entropy this is {self.claim!r}")

    def privatize(self, losses: ArrayLike) -> Floats:
        """A fresh report of each round: a vector of K for one, or a table with one row a round.

        Losses are numbers in [0, 1], taken as they are: they are not rounded before the noise is added. Every call
        reveals anew, so once for each round.
        """
        table = as_losses(losses, self.n_actions)
        cells = (table / self.unit).ravel()  # exact: the unit is a power of two
        reports = np.empty(cells.shape)
        for start in range(0, len(cells), _CHUNK):
            drawn = self.noise.sample(cells[start : start + _CHUNK], self._entropy)
            reports[start : start + _CHUNK] = drawn * self.unit
        return reports.reshape(table.shape)


def _distance(n_actions: int, sensitivity: float | None) -> float:
    """The sensitivity as given; the square root of the number of actions, rounded up, where it is nearly that."""
    largest = root_up(Fraction(n_actions))
    given = largest if sensitivity is None else positive("sensitivity", sensitivity)
    return max(given, largest) if reaches(Fraction(given), n_actions) else given
