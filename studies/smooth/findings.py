"""What came out, beside what was expected."""

from __future__ import annotations

from collections.abc import Sequence

from studies.page import Finding
from studies.smooth.cases import NOISY, SHARP, SMOOTH, Played
from studies.smooth.results import pick, power, rows

#: How far an exponent may be from what it is said to be.
NEAR = 0.1
#: Of the public implementation.
PUBLIC = 93 / 145


def findings(swept: Sequence[Played], noises: Sequence[Played]) -> list[Finding]:
    """All of them."""
    made = [_third(swept, 10, "one direction"), _third(swept, 10, "all directions"), _third(swept, 100, None)]
    made += [_half(swept, SHARP, "not smooth"), _half(swept, NOISY, "not realizable"), _theorem(swept)]
    return [*made, _noises(noises), _public(noises), _bound(swept)]


def _third(swept: Sequence[Played], dimension: int, design: str | None) -> Finding:
    names = SMOOTH if design is None else (design,)
    found = {
        f"{name}, epsilon {epsilon:g}": pick(swept, name, dimension, epsilon)
        for name in names
        for epsilon in (1.0, 10.0)
    }
    shown = "; ".join(
        f"{power(row)[0]:.2f} ± {1.96 * power(row)[1]:.2f} ({name}; {row[-1].mean / row[-1].still:.2f} of standing "
        "still at the end)"
        for name, row in found.items()
    )
    where = "" if design is None else f", {design}"
    return Finding(
        f"Theorem 4: T^(1/3) up to logarithms on smooth losses with an exact solution, d = {dimension}{where} (the "
        f"power to within {NEAR}).",
        f"powers {shown}. Where regret is near that of standing still, the learner has hardly begun to learn, and "
        "regret still grows nearly as T itself.",
        all(abs(power(row)[0] - 1 / 3) <= NEAR for row in found.values()),
    )


def _half(swept: Sequence[Played], kind: str, name: str) -> Finding:
    row = pick(swept, kind, regularization="general")
    slope, error = power(row)
    return Finding(
        f"Where losses are {name} ({kind}), T^(1/2) (table 1; to within {NEAR}), d = 10, epsilon 10.",
        f"power {slope:.2f} ± {1.96 * error:.2f}; at the most rounds {row[-1]}, {row[-1].mean / row[-1].still:.2f} of "
        "what standing still loses.",
        abs(slope - 1 / 2) <= NEAR,
    )


def _theorem(swept: Sequence[Played]) -> Finding:
    ratios, powers = [], []
    for design in SMOOTH:
        for epsilon in (1.0, 10.0):
            printed = pick(swept, design, epsilon=epsilon, regularization="theorem")
            ours = {one.setting.rounds: one.mean for one in pick(swept, design, epsilon=epsilon)}
            ratios.append(printed[-1].mean / ours[printed[-1].setting.rounds])
            powers.append(power(printed)[0])
    return Finding(
        "The regularization that theorem 4 prints gives T^(1/3) up to logarithms too, and no more regret than another.",
        f"powers {min(powers):.2f} to {max(powers):.2f}, and {min(ratios):.1f} to {max(ratios):.1f} times the regret "
        "of the regularization by variance at the most rounds: it is too little. The noise of a tree has a variance "
        "that grows as log² T where the theorem counts log T, and a replaced gradient moves by twice its length.",
        all(abs(one - 1 / 3) <= NEAR for one in powers) and max(ratios) <= 1,
    )


def _noises(noises: Sequence[Played]) -> Finding:
    good, worst = True, 0.0
    groups = [noises[start::2][place : place + 3] for place in (0, 3) for start in (0, 1)]
    for tree, reduced, toeplitz in groups:
        good = good and toeplitz.mean < reduced.mean < tree.mean
        worst = max(worst, reduced.mean / tree.mean)
    return Finding(
        "Less noise is less regret: Toeplitz below the reduced tree, the reduced tree below the tree.",
        f"so on both designs with both regularizations; the reduced tree loses up to {worst:.2f} of what the tree does."
        if good
        else "not on all designs and regularizations: see the table.",
        good,
    )


def _public(noises: Sequence[Played]) -> Finding:
    groups = [noises[start::2][place : place + 3] for place in (0, 3) for start in (0, 1)]
    ratios = {f"{row[0].setting.regularization}, {row[0].design}": row[-1].mean / row[0].mean for row in groups}
    return Finding(
        f"A public implementation: Toeplitz noise to the tree as 93 to 145 = {PUBLIC:.2f}, here to within {NEAR}.",
        "; ".join(f"{ratio:.2f} ({name})" for name, ratio in ratios.items())
        + ". How much of the difference in noise is left depends on the regularization and on the losses.",
        all(abs(ratio - PUBLIC) <= NEAR for ratio in ratios.values()),
    )


def _bound(swept: Sequence[Played]) -> Finding:
    parts = [(one.mean / one.bound, one) for row in rows(swept) for one in row if one.bound is not None]
    most = max(part for part, _ in parts)
    return Finding(
        "Below the bound of theorem 4's proof, 4 lambda + 16 V / lambda², with its constants.",
        f"regret is at most {most:.3f} of it.",
        all(one.mean + 4.5 * one.error <= (one.bound or 0.0) for _, one in parts),
    )
