"""Chi-square tests of drawn actions, at one false alarm in a million each.

Seeds are fixed, so a test that passes today passes tomorrow; the false alarm is the chance that an exact
sampler would have failed when the seed was first picked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc

FALSE_ALARM = 1e-6
#: |z| beyond this has probability 1e-6 under the normal law.
MILLION_SIGMA = 4.8916


def counts_of(actions: ArrayLike, n_actions: int) -> NDArray[np.int64]:
    """How often each action occurs; an action out of range fails."""
    flat = np.asarray(actions).ravel()
    assert flat.min() >= 0
    assert flat.max() < n_actions
    return np.bincount(flat, minlength=n_actions)


def assert_fits(counts: ArrayLike, law: ArrayLike) -> None:
    """Counts are a sample of the law; cells that expect fewer than 10 are pooled into one."""
    seen, chances = np.asarray(counts, dtype=float), np.asarray(law, dtype=float)
    assert abs(chances.sum() - 1) < 1e-9, "the law does not sum to one"
    expected = seen.sum() * chances
    rare = expected < 10
    seen = np.append(seen[~rare], seen[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] < 10:  # too few for a normal law; beyond this a Poisson count lies with probability below 1e-20
        assert seen[-1] <= 40 + 10 * expected[-1]
        seen, expected = seen[:-1], expected[:-1]
    _assert_small(((seen - expected) ** 2 / expected).sum(), len(seen) - 1, seen, expected)


def assert_same_law(left: ArrayLike, right: ArrayLike) -> None:
    """Two rows of counts are samples of one law (chi-square test of homogeneity)."""
    table = np.array([left, right], dtype=float)
    table = table[:, table.sum(axis=0) > 0]
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    _assert_small(((table - expected) ** 2 / expected).sum(), table.shape[1] - 1, table, expected)


def _assert_small(statistic: float, freedom: int, seen: NDArray[Any], expected: NDArray[Any]) -> None:
    if freedom <= 0:
        return
    p = float(chdtrc(freedom, statistic))
    assert p > FALSE_ALARM, f"p = {p:.2g}: seen {seen.round(1).tolist()}, expected {expected.round(1).tolist()}"
