"""What came out, beside what was expected."""

from __future__ import annotations

from itertools import pairwise

from studies.batches.cases import Played
from studies.batches.hidden import DELTA, EPSILON, Hidden
from studies.batches.results import SIGMAS, Results
from studies.page import Finding

#: The tolerances that are played, that of the paper and the other end.
PAPERS, LOOSE = 0.01, 0.99


def findings(results: Results) -> list[Finding]:
    """All of them."""
    made = [_costless(results), _bounded(results), *(_choices(results, one) for one in (PAPERS, LOOSE))]
    return [*made, _tight(results), _union(results), _easier(results), _zeros(results)]


def _costless(results: Results) -> Finding:
    rows = results.at_tolerance(PAPERS)
    worst = max(rows, key=lambda one: abs(one.extra.value))
    allowed = [PAPERS / 2 * one.setting.bound for one in rows]
    return Finding(
        f"Corollary 2, with tolerance {PAPERS}: batches lose no more than the walk on the same reports, to within "
        f"{PAPERS / 2:.1%} of the walk's bound, on easy and hard streams.",
        f"the largest mean difference in {len(rows)} settings is {worst.extra} losses ({worst.setting}).",
        all(one.extra.value - SIGMAS * one.extra.error <= most for one, most in zip(rows, allowed, strict=True)),
    )


def _bounded(results: Results) -> Finding:
    parts = {one: one.batch.value / one.setting.bound for one in results.played}
    worst = max(parts, key=lambda one: parts[one])
    good = all(
        one.batch.value - SIGMAS * one.batch.error <= (1 + one.setting.tolerance / 2) * one.setting.bound
        for one in results.played
    )
    return Finding(
        "Corollary 2: regret of batches is at most (1 + tolerance/2) (scale + 2/scale) sqrt(2 T log n).",
        f"at most {parts[worst]:.2f} of (scale + 2/scale) sqrt(2 T log n) ({worst.setting}: {worst.batch}).",
        good,
    )


def _choices(results: Results, tolerance: float) -> Finding:
    rows = results.at_tolerance(tolerance)
    most = max(rows, key=lambda one: one.different.value / max(one.tolerated.value, 1e-300))
    played = sum(one.setting.rounds * one.setting.runs for one in rows)
    differ = sum(one.different.value * one.setting.runs for one in rows)
    tolerated = sum(one.tolerated.value * one.setting.runs for one in rows)
    return Finding(
        f"Algorithm 4, with tolerance {tolerance}: choices differ in no more rounds than it tolerates, on average.",
        f"in {differ:,.0f} of {played:,} rounds, where {tolerated:,.0f} were tolerated"
        + (f"; the most in one setting: {_share(most)} ({most.setting})." if differ else "."),
        all(one.different.value - SIGMAS * one.different.error <= one.tolerated.value for one in rows),
    )


def _share(one: Played) -> str:
    return f"{one.different.value:.3g} of {one.tolerated.value:.3g} rounds a run"


def _tight(results: Results) -> Finding:
    parts = [one.seen / one.bound for one in results.changes]
    good = all(one.seen + SIGMAS * one.error >= one.bound / 10 for one in results.changes)
    return Finding(
        'The paper calls theorem 1 "tight"; here: the leader changes with a chance of at least a tenth of the bound.',
        f"with {min(parts):.2g} to {max(parts):.2g} of it."
        + ("" if good else " The bound holds, but batches could be longer for the same tolerance."),
        good,
    )


def _union(results: Results) -> Finding:
    good = all(one.seen - SIGMAS * one.error <= one.union < one.bound for one in results.changes)
    parts = [one.union / one.bound for one in results.changes]
    return Finding(
        "Asked here, not claimed by the paper: adding up the chances of the others is a valid bound and a smaller one.",
        f"it is {min(parts):.2g} to {max(parts):.2g} of theorem 1's bound, and above what was seen."
        if good
        else "not in all cases: see the table.",
        good,
    )


def _easier(results: Results) -> Finding:
    rows = results.gaps
    falls = all(_differ(later, earlier) <= SIGMAS for earlier, later in pairwise(rows))
    sizes = "; ".join(f"{one.size.value:,.0f} rounds and {one.delta.value:.2g} ({one.losses})" for one in rows)
    return Finding(
        "Section 3.1: amplification grows stronger on easier data: the larger the gap, the smaller delta.",
        f"mean size of the batch around round {rows[0].t:,} and estimated delta at epsilon {EPSILON:g}: {sizes}; "
        f"epsilon at delta {DELTA:g} falls from {rows[0].epsilon:.2f} to {rows[-1].epsilon:.2f}.",
        falls and rows[-1].delta.value < rows[0].delta.value / 2,
    )


def _zeros(results: Results) -> Finding:
    groups = (results.gaps, results.streams)
    off = {other: _differ(other, row[0]) for row in groups for other in row[1:]}
    worst = max(off, key=lambda one: off[one])
    beside = next(row[0] for row in groups if worst in row)
    return Finding(
        "Theorem 2 is about gaps; the paper expects that equal losses are the worst case for batches too: no delta "
        "above that of zeros.",
        f"the largest delta against zeros: {worst.delta.value:.4f} to {beside.delta.value:.4f} ({worst.losses}, round "
        f"{worst.t:,}), {off[worst]:+.1f} standard errors.",
        off[worst] <= SIGMAS,
    )


def _differ(one: Hidden, other: Hidden) -> float:
    """By how many standard errors one delta is above the other."""
    error = float((one.delta.error**2 + other.delta.error**2) ** 0.5)
    return (one.delta.value - other.delta.value) / max(error, 1e-300)
