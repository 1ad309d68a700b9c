"""What came out, beside what was expected."""

from __future__ import annotations

from collections.abc import Sequence

from studies.meta_bound.cases import Played
from studies.meta_bound.learners import FIXED, REACTING
from studies.meta_bound.results import SIGMAS, Results, power
from studies.page import Finding

#: How far an exponent may be from what it is said to be.
NEAR = 0.1


def findings(results: Results) -> list[Finding]:
    """All of them."""
    made = [_bounded(results.fixed(), FIXED, "suggestions that are fixed in advance: here the proof holds")]
    made += [_bounded(results.reacting(), REACTING, "learners that react to the reports' noise, which its proof lacks")]
    return [*made, _rivals(results), _best(results), _worst(results), _growth(results), _difficulty(results)]


def _bounded(rows: Sequence[Played], kinds: Sequence[str], what: str) -> Finding:
    worst = max(rows, key=lambda one: one.part)
    return Finding(
        f"Theorem 3: regret against the best learner is at most its bound, for {what} ({', '.join(kinds)}).",
        f"at most {worst.part:.2f} of the bound in {len(rows)} cases ({worst.case}: {worst.regret} of "
        f"{worst.bound.value:,.0f}).",
        max(one.above() for one in rows) <= SIGMAS,
    )


def _rivals(results: Results) -> Finding:
    large, small = (results.rivals(scale) for scale in (5.0, 1.0))
    shown = "; ".join(
        f"{one.regret} of {one.bound.value:,.0f} at T = {one.case.rounds:,}, {one.regret.value / one.case.rounds:.2f} "
        "a round"
        for one in large
    )
    most = max(one.part for one in small)
    good = max(one.above() for one in (*large, *small)) <= SIGMAS
    return Finding(
        "Theorem 3 as stated, for all functions of past reports: so for two rivals, of which the one that MetaLeader "
        "will follow suggests a bad action.",
        f"at scale 5 {shown}; at scale 1 at most {most:.2f} of the bound."
        + ("" if good else " At scale 5 regret grows like T: theorem 3 is false for learners that react to noise."),
        good,
    )


def _best(results: Results) -> Finding:
    differ = [one for one in results.fixed() if one.case.kind in ("all differ", "taking turns")]
    off = max(abs(one.eigenvalue.value - 1 - 1 / one.case.rounds) for one in differ)
    least = min(results.played, key=lambda one: one.eigenvalue.value)
    return Finding(
        "The best case: where all learners always differ the largest eigenvalue of Sigma* is scale² T (and scale² more "
        "for the initial noise), and it is nowhere smaller.",
        f"it is so to {off:.0e} of scale² T where they always differ. It is smaller where they agree: "
        f"{least.eigenvalue.value:.4f} scale² T for {least.case}, where there is nothing to choose between.",
        off < 1e-9 and least.eigenvalue.value >= 1,
    )


def _worst(results: Results) -> Finding:
    halves = all(
        abs(value - m / 2) < 1e-9 and cliques == (m // 2, m // 2)
        for m, (value, cliques) in results.worst.items()
        if m % 2 == 0
    )
    below = all(value <= m / 2 + 1e-9 for m, (value, _) in results.worst.items())
    seen = max(results.played, key=lambda one: one.eigenvalue.value / one.case.m)
    held = all(one.eigenvalue.value <= one.case.m / 2 + 1 / one.case.rounds + 1e-9 for one in results.played)
    sizes = list(results.worst)
    return Finding(
        "The worst case: two cliques of m/2, with scale² T m/2.",
        f"of all ways in which {sizes[0]} to {sizes[-1]} learners can agree, two equal halves "
        f"{'have' if halves else 'do not have'} the largest eigenvalue, m/2, where m is even, and where it is odd none "
        f"{'has' if below else 'but some have'} more. The most in a case played, beside m: {seen.eigenvalue.value:.3f} "
        f"scale² T ({seen.case}).",
        halves and below and held,
    )


def _growth(results: Results) -> Finding:
    powers = {kind: power(results.growth(kind, "hard gap")) for kind in ("all differ", "two cliques")}
    shown = "; ".join(f"{slope:.2f} ± {1.96 * error:.2f} ({kind})" for kind, (slope, error) in powers.items())
    return Finding(
        f"Regret grows like T^(1/2) where the gap is as hard at each T (the power to within {NEAR} and its interval).",
        f"powers {shown}.",
        all(abs(slope - 0.5) <= NEAR + 1.96 * error for slope, error in powers.values()),
    )


def _difficulty(results: Results) -> Finding:
    rows = [results.growth(kind, "hard gap")[-1] for kind in ("all differ", "two cliques")]
    differ, cliques = rows
    return Finding(
        "Contribution 2: the eigenvalue can be thought of as how difficult the task is; so two cliques should lose "
        "more than learners that all differ (hard gap, scale 5).",
        f"{cliques.regret} with two cliques (bound {cliques.bound.value:,.0f}), {differ.regret} where all differ "
        f"({differ.bound.value:,.0f}), m = {differ.case.m}, T = {differ.case.rounds:,}.",
        cliques.regret.value > differ.regret.value,
    )
