"""Streams of losses on the ball, and DP-FTRL on many of them at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from discreet.convex import TreeFTRL
from discreet.convex.ball import CELLS

Floats = NDArray[np.float64]
Noise = Literal["tree", "reduced", "toeplitz"]
Regularization = Literal["theorem", "variance", "general"]
#: The ball is |x| <= 1, and the solution has this length.
AT = 0.5
DELTA = 1e-6
SMOOTH = ("all directions", "one direction")
#: Squares that no point makes 0; distances that one point does.
NOISY, SHARP = "squares with noise", "distances"
#: How far off targets are in `NOISY`.
OFF = 0.5
#: The longest gradient: |a · (x - x*)| for squares, and OFF more with noise; 1 for distances.
LIPSCHITZ = {"squares": 1 + AT, NOISY: 1 + AT + OFF, SHARP: 1.0}


@dataclass(frozen=True)
class Setting:
    """What DP-FTRL is asked for."""

    kind: str  # "squares", `NOISY` or `SHARP`
    dimension: int
    epsilon: float
    rounds: int
    noise: Noise = "tree"
    regularization: Regularization = "variance"


@dataclass(frozen=True)
class Played:
    """Mean regret on one design, its standard error, and what standing still at zero would have lost."""

    setting: Setting
    design: str
    mean: float
    error: float
    still: float
    regularization: float
    bound: float | None  # theorem 4's, with its proof's constants: for squares alone
    clipped: int

    def __str__(self) -> str:
        return f"{self.mean:.1f} ± {1.96 * self.error:.1f}"


def play(setting: Setting, runs: int, seed: int) -> list[Played]:
    """So many runs on each design of the kind."""
    names = SMOOTH if setting.kind == "squares" else (setting.kind,)
    learner = made(setting, runs * len(names), seed)
    rng = np.random.default_rng([seed, setting.rounds, setting.dimension])
    lengthwise = np.repeat([name == "one direction" for name in names], runs)
    stream = Stream(setting.kind, setting.dimension, lengthwise, rng)
    suffered, zero, regularization = np.zeros(len(lengthwise)), np.zeros(len(lengthwise)), learner.regularization
    for _ in range(setting.rounds):
        losses, standing, gradients = stream.step(learner.act())
        learner.update(gradients)
        suffered, zero = suffered + losses, zero + standing
    regrets = (suffered - stream.best()).reshape(len(names), runs)
    stood = (zero - stream.best()).reshape(len(names), runs).mean(axis=1)
    proved = setting.kind == "squares" and regularization >= 32
    bound = 4 * regularization + 16 * noise_sum(learner) / regularization**2 if proved else None
    return [
        Played(
            setting,
            name,
            float(row.mean()),
            float(row.std(ddof=1) / runs**0.5),
            float(at),
            regularization,
            bound,
            learner.clipped,
        )
        for name, row, at in zip(names, regrets, stood, strict=True)
    ]


def made(setting: Setting, runs: int, seed: int) -> TreeFTRL:
    """The learner; "general" regularization is `general_regularization`."""
    which: Literal["theorem", "variance"] | float
    which = "variance" if setting.regularization == "general" else setting.regularization
    for _ in range(2):
        learner = TreeFTRL(
            setting.dimension,
            1.0,
            LIPSCHITZ[setting.kind],
            1.0,
            setting.epsilon,
            DELTA,
            setting.rounds,
            setting.noise,
            which,
            seed=seed,
            runs=runs,
        )
        if setting.regularization != "general":
            break
        which = general_regularization(learner, setting.rounds)
    return learner


def noise_sum(learner: TreeFTRL) -> float:
    """V: the expected squared length of the noise in the sum, added up over the rounds whose points it moves."""
    assert learner.horizon is not None
    per_entry = float(learner._sums.variances(learner.horizon - 1).sum())
    return learner.dimension * (learner.lipschitz / CELLS) ** 2 * per_entry


def general_regularization(learner: TreeFTRL, rounds: int) -> float:
    """For losses that are Lipschitz and no more: sqrt(2 T L (L + s)), s the root of the mean squared noise.

    Regret is at most lambda D^2 / 2 + T L (L + s) / lambda (Kairouz et al. 2021, theorem 5.1), least at this lambda.
    """
    spread = sqrt(noise_sum(learner) / rounds)
    return sqrt(2 * rounds * learner.lipschitz * (learner.lipschitz + spread))


class Stream:
    """One loss a round for each run.

    Squares (a · x - b)^2 / 2 with |a| = 1 and b = a · x*; with noise, b is OFF higher or lower. a is uniform on the
    sphere, or ± the direction of x* in runs that are `lengthwise`. Distances |x - x*| have an exact
    solution too, and are not smooth.
    """

    def __init__(self, kind: str, dimension: int, lengthwise: NDArray[np.bool_], rng: np.random.Generator) -> None:
        self.kind, self.rng, self.lengthwise = kind, rng, lengthwise
        self.solution = np.zeros(dimension)
        self.solution[0] = AT
        shape = (len(lengthwise), dimension)
        self._products, self._targets = np.zeros((shape[0], dimension, dimension)), np.zeros(shape)
        self._squares = np.zeros(shape[0])

    def step(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """The round's losses at these points (runs, dimension) and at zero, and the gradients."""
        if self.kind == SHARP:
            return self._distances(points)
        sides = self._sides(points.shape)
        targets = sides @ self.solution
        if self.kind == NOISY:
            targets = targets + OFF * self.rng.choice([-1.0, 1.0], len(targets))
            self._remember(sides, targets)
        off = (sides * points).sum(axis=1) - targets
        return off**2 / 2, targets**2 / 2, off[:, None] * sides

    def _sides(self, shape: tuple[int, ...]) -> Floats:
        """The a of this round."""
        sides = self.rng.standard_normal(shape)
        sides[self.lengthwise, 1:] = 0.0
        return np.asarray(sides / np.sqrt((sides * sides).sum(axis=1, keepdims=True)))

    def _distances(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        away = points - self.solution
        far = np.sqrt((away * away).sum(axis=1))
        return far, np.full(len(far), AT), away / np.maximum(far, 1e-12)[:, None]

    def _remember(self, sides: Floats, targets: Floats) -> None:
        self._products += sides[:, :, None] * sides[:, None, :]
        self._targets += targets[:, None] * sides
        self._squares += targets**2

    def best(self) -> Floats:
        """The loss of the best point, for each run: 0 unless there is noise.

        With noise, of the best point anywhere, which lies in the ball unless there were few rounds.
        """
        if self.kind != NOISY:
            return np.zeros(len(self.lengthwise))
        points = np.stack([np.linalg.lstsq(*pair, rcond=None)[0] for pair in self._pairs()])
        return np.asarray((self._squares - (points * self._targets).sum(axis=1)) / 2)

    def _pairs(self) -> zip[tuple[Floats, Floats]]:
        return zip(self._products, self._targets, strict=True)
