"""The matrix of MetaLeader, its largest eigenvalue and its draws."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.entropy import SeededEntropy
from discreet.local.decorrelation import decorrelated, draw, largest_eigenvalue, start

KINDS = ["random", "sticky", "differ", "same", "two cliques", "four cliques", "unequal cliques", "noisy cliques"]


def suggested(kind: str, m: int, random: np.random.Generator) -> NDArray[np.int64]:
    """What m learners suggest in a round."""
    each, some = np.arange(m), random.integers(0, 25, m)
    return {
        "random": some,
        "sticky": np.where(random.random(m) < 0.8, 3, some),
        "differ": each,
        "same": each * 0,
        "two cliques": each // max(1, m // 2),
        "four cliques": each % 4,
        "unequal cliques": (each > 0).astype(np.int64),
        "noisy cliques": np.where(random.random(m) < 0.05, some, each % 2),
    }[kind]


def agreements(kind: str, m: int, rounds: int) -> Iterator[NDArray[np.int64]]:
    random, total = np.random.default_rng(3), np.zeros((m, m), dtype=np.int64)
    for _ in range(rounds):
        row = suggested(kind, m, random)
        total = total + (row[:, None] == row)
        yield total


@pytest.mark.parametrize("m", [1, 2, 3, 13, 16, 17, 40, 64])
@pytest.mark.parametrize("kind", KINDS)
def test_the_eigenvalue_is_that_of_numpy_and_never_below_it(kind: str, m: int) -> None:
    direction = start(m)
    for i, counts in enumerate(agreements(kind, m, 60)):
        matrix = decorrelated(counts, 5.0)
        top, direction = largest_eigenvalue(matrix, direction)
        if i < 4 or i % 10 == 0:
            exact = np.linalg.eigvalsh(matrix)[-1]
            assert top <= exact + 2e-9 * abs(exact) + 1e-9
            np.linalg.cholesky(top * np.eye(m) - matrix)
            assert top >= exact - 1e-13 * np.trace(matrix) - 1e-12


def test_a_direction_at_right_angles_to_the_eigenvector_misleads_nobody() -> None:
    matrix = np.diag(np.arange(40.0))
    for wrong in (0, 38):
        top, _ = largest_eigenvalue(matrix, np.eye(40)[wrong])
        assert 39 <= top <= 39 * (1 + 1e-9)


def test_the_matrix_is_that_of_the_paper() -> None:
    counts = list(agreements("noisy cliques", 7, 30))[-1]
    sigma = 4.0 * (np.eye(7) + counts)
    ones = np.ones(7)
    assert decorrelated(counts, 2.0) == pytest.approx(sigma - (ones @ sigma @ ones) / 49 * np.outer(ones, ones))


@pytest.mark.parametrize(("kind", "relative"), [("differ", 1.0), ("same", 1 / 100), ("two cliques", 32.0)])
def test_the_best_and_worst_cases_are_those_of_the_paper(kind: str, relative: float) -> None:
    """Divided by scale^2 T: 1 where learners differ, m/2 in two cliques; almost nothing where all agree."""
    counts = list(agreements(kind, 64, 100))[-1]
    top, _ = largest_eigenvalue(decorrelated(counts, 5.0), start(64))
    assert top / (25 * 100) == pytest.approx(relative, abs=0.011)


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_of_64_learners_takes_little(kind: str) -> None:
    """The fastest of repeats, so that other work on the machine does not count: 0.1 ms a round, allowed 0.3 ms here."""
    matrices = [decorrelated(counts, 5.0) for counts in agreements(kind, 64, 120)][40:]
    best = np.full(len(matrices), np.inf)
    for _ in range(3):
        direction = start(64)
        for i, matrix in enumerate(matrices):
            begin = time.perf_counter()
            _, direction = largest_eigenvalue(matrix, direction)
            best[i] = min(best[i], time.perf_counter() - begin)
    assert np.median(best) < 3e-4


def test_draws_have_the_covariance_that_makes_scores_independent() -> None:
    """40,000 draws of 4; every entry within 5 standard deviations, 1e-5 by accident in all."""
    matrix = decorrelated(list(agreements("noisy cliques", 4, 20))[-1], 1.0)
    variance = largest_eigenvalue(matrix, start(4))[0] + 1.0
    entropy = SeededEntropy(4)
    draws = np.array([draw(matrix, variance, entropy) for _ in range(40_000)])
    wanted = variance * np.eye(4) - matrix
    spread = np.sqrt((np.outer(np.diag(wanted), np.diag(wanted)) + wanted**2) / len(draws))
    assert (np.abs(draws.T @ draws / len(draws) - wanted) < 5 * spread).all()
    assert (np.abs(draws.mean(axis=0)) < 5 * np.sqrt(np.diag(wanted) / len(draws))).all()
