"""What came out for `TreeLeader`, which promises something for losses of any kind."""

from __future__ import annotations

from studies.page import Finding
from studies.realizable.cases import ANY, EVEN, TREE, TURNING, Case, power
from studies.realizable.grown import deviation
from studies.realizable.results import Results, growth

MINE = "SparseVectorExperts"


def any_losses(results: Results) -> list[Finding]:
    """All of them."""
    return [_growing(results), _noise(results), _unlimited(results), _actions(results)]


def _growing(results: Results) -> Finding:
    powers = {name: [results.power("rounds", name, s)[0] for s in TURNING] for name in ANY}
    last = {s: results.settled(MINE, s)[-1].mean for s in TURNING}
    times = [results.settled(name, s)[-1].mean / last[s] for name in ANY for s in TURNING]
    return Finding(
        "`TreeLeader`, made for losses of any kind: regret grows with T, as T^(1/3) or more, where actions turn bad "
        "(asked here, from table 1).",
        "powers of T: "
        + "; ".join(f"{name} {min(found):.2f} to {max(found):.2f}" for name, found in powers.items())
        + f"; at the most rounds {min(times):.1f} to {max(times):.1f} times the regret of `{MINE}`. Table 1's order is "
        "for the worst losses, in which no action is perfect; with a perfect one the noise decides (next).",
        min(min(found) for found in powers.values()) > 1 / 3,
    )


def _noise(results: Results) -> Finding:
    sides = {name: [_at(results, name, place) for place in (0, -1)] for name in ANY}
    seen = {name: (growth(start, end), _noises(start, end)) for name, (start, end) in sides.items()}
    first, last = sides[TREE]
    return Finding(
        "With a perfect action regret is in proportion to the noise of a sum (to within a third): for "
        f"{TREE} as log T, {seen[TREE][1]:.2f} times from {first.rounds:,} to {last.rounds:,} rounds; for {EVEN} "
        f"{seen[EVEN][1]:.2f} times, because sqrt(T)/2 is more than privacy demands in the end. (Reckoned beforehand, "
        "by analogy with softmax, whose regret is then about log K over its rate; not proved for this noise.)",
        "means over the three sequences on which actions turn bad: "
        + ", ".join(f"{name} {ratio:.2f} ± {1.96 * error:.2f} times" for name, ((ratio, error), _) in seen.items())
        + f"; {_at(results, TREE, 0).mean / deviation(TREE, *_sizes(first)):.2f} losses for each loss of noise "
        f"with {TREE}, {_at(results, EVEN, 0).mean / deviation(EVEN, *_sizes(first)):.2f} with {EVEN}, at "
        f"T = {first.rounds:,}.",
        all(2 / 3 <= ratio / noise <= 4 / 3 for (ratio, _), noise in seen.values()),
    )


def _at(results: Results, name: str, place: int) -> Case:
    """The mean over the sequences on which actions turn bad."""
    cases = [results.settled(name, sequence)[place] for sequence in TURNING]
    mean = sum(case.mean for case in cases) / len(cases)
    error = sum(case.error**2 for case in cases) ** 0.5 / len(cases)
    return Case(name, "", cases[0].n_actions, cases[0].epsilon, cases[0].rounds, mean, error)


def _noises(start: Case, end: Case) -> float:
    return deviation(end.learner, *_sizes(end)) / deviation(start.learner, *_sizes(start))


def _sizes(case: Case) -> tuple[int, float, int]:
    return case.n_actions, case.epsilon, case.rounds


def _unlimited(results: Results) -> Finding:
    rows = {name: [one for one in results.grown if one.case.learner == name] for name in ANY}
    fitted = {name: power([one.case.rounds for one in row], [one.case for one in row])[0] for name, row in rows.items()}
    first, last = rows[EVEN][0].case, rows[EVEN][-1].case
    times = last.mean / rows[TREE][-1].case.mean
    return Finding(
        f"Where privacy hardly limits, at epsilon {first.epsilon:g}, the regret of {EVEN} grows as sqrt(T), "
        f"the order of its bound, from {first.rounds:,} to {last.rounds:,} rounds (a power of 1/2, to within 0.1).",
        f"on halving a power of {fitted[EVEN]:.2f}, and {fitted[TREE]:.2f} for {TREE}, which loses {times:.0f} times "
        "less in the end: there the proof of regret, not privacy, is what the noise is for.",
        abs(fitted[EVEN] - 0.5) <= 0.1,
    )


def _actions(results: Results) -> Finding:
    powers = {(name, s): _power_of_actions(results.row("actions", name, s)) for name in ANY for s in TURNING}
    mine = {s: results.row("actions", MINE, s) for s in TURNING}
    times = {
        place: [results.row("actions", name, s)[place].mean / mine[s][place].mean for name in ANY for s in TURNING]
        for place in (0, -1)
    }
    least, most = (mine[TURNING[0]][place].n_actions for place in (0, -1))
    rounds = mine[TURNING[0]][0].rounds
    return Finding(
        "The noise of `TreeLeader` grows as sqrt(K), that of the learners for a perfect action as log K: its regret "
        f"grows as K^(1/2) or more (to within 0.1), and with {most:,} actions `{MINE}` loses less on all sequences.",
        f"powers of K from {min(powers.values()):.2f} to {max(powers.values()):.2f}, T = {rounds:,}; "
        f"{min(times[0]):.1f} to {max(times[0]):.1f} times the regret of `{MINE}` at K = {least}, "
        f"{min(times[-1]):.1f} to {max(times[-1]):.1f} times at K = {most:,}.",
        min(powers.values()) >= 0.4 and min(times[-1]) > 1,
    )


def _power_of_actions(row: list[Case]) -> float:
    return power([case.n_actions for case in row], row)[0]
