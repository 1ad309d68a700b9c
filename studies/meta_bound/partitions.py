"""The largest eigenvalue of Sigma* over all ways in which learners can agree.

After T rounds Sigma* is scale^2 (P + sum over rounds of A_t*), P the projection that centers, A_t* what is left of who
agreed with whom in round t. The largest eigenvalue is convex, so it is at most scale^2 (1 + T times that of the worst
way to agree in one round): one has to look at groups of learners that agree, and at nothing that changes in time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def partitions(m: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """All ways to write m as a sum, the largest part first.

    >>> list(partitions(4))
    [(4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)]
    """
    if m == 0:
        yield ()
    for part in range(min(m, m if most is None else most), 0, -1):
        for rest in partitions(m - part, part):
            yield (part, *rest)


def top(cliques: tuple[int, ...]) -> float:
    """The largest eigenvalue of A*, for groups of such sizes that agree in every round.

    On vectors that are constant on groups A is diag(c), and the mean of all entries has the place (sum of c^2)/m^2.

    >>> round(top((4, 4)), 6), round(top((1, 1, 1)), 6), abs(top((5,))) < 1e-12
    (4.0, 1.0, True)
    """
    sizes = np.array(cliques, dtype=float)
    roots, mean = np.sqrt(sizes), float((sizes**2).sum() / sizes.sum() ** 2)
    return float(np.linalg.eigvalsh(np.diag(sizes) - mean * np.outer(roots, roots))[-1])


def worst(m: int) -> tuple[float, tuple[int, ...]]:
    """The largest of all, and where it is.

    >>> value, cliques = worst(6)
    >>> round(value, 6), cliques
    (3.0, (3, 3))
    """
    return max((top(cliques), cliques) for cliques in partitions(m))
