"""How strongly follow-the-regularized-leader is kept near zero."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from discreet.convex.ball import CELLS

if TYPE_CHECKING:
    from discreet.convex.tree_ftrl import TreeFTRL


def by_theorem(learner: TreeFTRL, rounds: int) -> float:
    """32 beta + (beta / epsilon^2 · (L / D)^2 · T · d · log T · log(1 / delta))^(1/3), as theorem 4 prints it.

    The printed constant hides that a tree's noise has another factor log T in its variance, and that replacing a
    gradient moves the sum by 2 L: see `by_variance`.

    >>> from discreet.convex import TreeFTRL
    >>> round(by_theorem(TreeFTRL(10, 2.0, 1.0, 0.5, epsilon=1.0, delta=1e-6, rounds=1000), 1000), 3)
    65.227
    """
    product = rounds * learner.dimension * math.log(rounds) * -math.log(learner.delta)
    slope = learner.lipschitz / learner.radius / learner.epsilon
    return 32 * learner.smoothness + math.cbrt(learner.smoothness * slope * slope * product)


def by_variance(learner: TreeFTRL, rounds: int) -> float:
    """32 beta + (8 beta V / D^2)^(1/3), with V the sum over rounds of E|noise in S|^2, calculated for the noise used.

    The proof of theorem 4 bounds regret by lambda · D^2 + 4 beta V / lambda^2 besides what 32 beta takes care of;
    that is least at this lambda.

    >>> from discreet.convex import TreeFTRL
    >>> options = dict(epsilon=1.0, delta=1e-6, rounds=1000)
    >>> round(by_variance(TreeFTRL(10, 2.0, 1.0, 0.5, noise="toeplitz", **options), 1000), 3)
    206.037
    """
    per_entry = float(learner._sums.variances(rounds - 1).sum())
    total = learner.dimension * (learner.lipschitz / CELLS) ** 2 * per_entry
    return 32 * learner.smoothness + math.cbrt(8 * learner.smoothness * total / learner.radius**2)
