"""What came out, beside what was expected."""

from __future__ import annotations

from math import log

from discreet.bounds import asi_theorem_5_sharp
from studies.page import Finding
from studies.realizable.any_losses import any_losses
from studies.realizable.cases import OTHERS, RANDOM, REALIZABLE, SEQUENCES, TURNING
from studies.realizable.nearly_findings import nearly_perfect
from studies.realizable.results import Results

#: A claim fails only where it does so by so many standard errors.
SIGMAS = 4.5


def findings(results: Results) -> list[Finding]:
    """All of them."""
    made = [_flat(results), _growing(results), _random(results), _actions(results), _epsilon(results)]
    made += [
        *any_losses(results),
        *nearly_perfect(results),
        _switches(results),
        _tail(results),
        _lower(results),
        _distance(results),
    ]
    return made


def _flat(results: Results) -> Finding:
    growth = {(one, s): results.growth(one, s) for one in REALIZABLE for s in SEQUENCES}
    row = results.settled("SparseVectorExperts", "halving")
    allowed = log(row[-1].rounds) / log(row[0].rounds)
    powers = [results.power("rounds", *case)[0] for case in growth]
    worst = max(growth, key=lambda case: growth[case][0])
    further = results.far[0]
    return Finding(
        f"Table 1: with a perfect action regret is flat in T up to logarithms: at most {allowed:.2f} times from "
        f"{row[0].rounds:,} to {row[-1].rounds:,} rounds, as log T.",
        f"{min(ratio for ratio, _ in growth.values()):.2f} to {growth[worst][0]:.2f} times ({worst[0]} on {worst[1]} "
        f"grows most), powers of T from {round(min(powers), 2) + 0.0:.2f} to {max(powers):.2f}; `SparseVectorExperts` "
        f"on halving loses {further} in {further.rounds:,} rounds.",
        all(ratio <= allowed + SIGMAS * error for ratio, error in growth.values()),
    )


def _growing(results: Results) -> Finding:
    powers = [results.power("rounds", one, s)[0] for one in OTHERS for s in TURNING]
    ratios = []
    for sequence in TURNING:
        mine = results.settled("SparseVectorExperts", sequence)[-1].mean
        ratios += [results.settled(one, sequence)[-1].mean / mine for one in OTHERS]
    return Finding(
        "Learners for losses of one law: regret grows with T, as T^(1/3) or more, where actions turn bad.",
        f"powers of T from {min(powers):.2f} to {max(powers):.2f}; at the most rounds {min(ratios):,.0f} to "
        f"{max(ratios):,.0f} times the regret of `SparseVectorExperts`.",
        min(powers) > 1 / 3,
    )


def _random(results: Results) -> Finding:
    powers = [results.power("rounds", one, RANDOM)[0] for one in OTHERS]
    last = results.settled("SparseVectorExperts", RANDOM)[-1]
    others = [results.settled(one, RANDOM)[-1] for one in OTHERS]
    return Finding(
        "The same on random losses with one zero action (asked here): the others' regret grows with T there too.",
        f"powers of T from {round(min(powers), 2) + 0.0:.2f} to {round(max(powers), 2) + 0.0:.2f}. "
        "It is flat, and much smaller: "
        + ", ".join(f"{other.learner} {other.mean:.1f}" for other in others)
        + f" where `SparseVectorExperts` loses {last}: losses of one law are what the others are made for.",
        min(powers) > 1 / 3,
    )


def _actions(results: Results) -> Finding:
    found = {(one, s): results.power("actions", one, s)[0] for one in REALIZABLE for s in SEQUENCES}
    sizes = results.row("actions", "SparseVectorExperts", "halving")
    (least, *_, most) = sorted(found, key=lambda case: found[case])
    return Finding(
        "Theorem 1, for pure privacy: regret grows no faster than log² K (to within a power of 0.05).",
        f"powers of log K from {min(found.values()):.2f} ({' on '.join(least)}) to "
        f"{max(found.values()):.2f} ({' on '.join(most)}), K from "
        f"{sizes[0].n_actions} to {sizes[-1].n_actions:,}, T = {sizes[0].rounds:,}. The constants are calculated for "
        "each K, and no sequence here is the worst for every learner, so the order of the worst case may be larger.",
        max(found.values()) <= 2.05,
    )


def _epsilon(results: Results) -> Finding:
    found = {(one, s): results.power("epsilon", one, s)[0] for one in REALIZABLE for s in SEQUENCES}
    (*_, furthest) = sorted(found, key=lambda case: abs(found[case] + 1))
    return Finding(
        "Regret is inversely proportional to epsilon (a power of -1, to within 0.1).",
        f"powers from {min(found.values()):.2f} to {max(found.values()):.2f} "
        f"({' on '.join(furthest)} is furthest off).",
        all(abs(value + 1) <= 0.1 for value in found.values()),
    )


def _switches(results: Results) -> Finding:
    parts = [float(one.total.max()) / one.printed for one in results.switches]
    tight = [one for one in results.switches if one.constants == "tight"]
    slack = [float(one.total.max()) / one.allowed for one in tight]
    used = max(one.exhausted for one in tight)
    chance = max(
        one.exhausted - SIGMAS * (one.exhausted * (1 - one.exhausted) / len(one.total)) ** 0.5 for one in tight
    )
    return Finding(
        "At most 6 ceil(log K) + 24 log(1/beta) draws with probability 1 - beta (theorem 1); at most the tight number "
        "with probability 1 - beta/2.",
        f"the most in any run is {max(parts):.2f} of the printed bound and {max(slack):.2f} of the tight one, which at "
        f"most {used:.2%} of the runs use up where 2.5 % may.",
        max(parts) <= 1 and chance <= 0.025,
    )


def _tail(results: Results) -> Finding:
    ratios = [(share / (2 / 3) ** k, k, share) for one in results.switches for k, share, _ in one.tail()]
    beyond = [share - SIGMAS * error > (2 / 3) ** k for one in results.switches for k, share, error in one.tail()]
    worst = max(ratios, default=(0.0, 1, 0.0))
    mean = max(float(one.between.mean(axis=0).max()) for one in results.switches)
    return Finding(
        "Lemma 3.1: k + 1 draws during one halving of the potential have at most probability (2/3)^k.",
        f"at most {worst[0]:.2f} of it (k = {worst[1]}: {worst[2]:.3f}); the mean number of draws during a halving is "
        f"at most {mean:.2f}, where the lemma allows 4.",
        not any(beyond),
    )


def _lower(results: Results) -> Finding:
    ratios = [(mean / one.least, one.bound) for one in results.hard for mean, _ in one.regrets.values()]
    broken = [mean + SIGMAS * error < one.least for one in results.hard for mean, error in one.regrets.values()]
    first = [ratio for ratio, bound in ratios if bound == "theorem 5"]
    sharp = [ratio for ratio, bound in ratios if bound == "sharper"]
    return Finding(
        "Theorem 5, and the sharper bound: on its instance no private learner loses less.",
        f"{min(first):.1f} to {max(first):.1f} times theorem 5, {min(sharp):.2f} to {max(sharp):.2f} times the sharper "
        "bound. A uniform guess is nearly the best there is: so few rounds may not be told apart.",
        not any(broken),
    )


def _distance(results: Results) -> Finding:
    rows = [
        case for case in results.cases["actions"] if case.learner == "SparseVectorExperts" and case.sequence in TURNING
    ]
    ratios = [case.mean / asi_theorem_5_sharp(case.n_actions, case.epsilon) for case in rows]
    per_log = [ratio / (log(case.n_actions) + log(case.rounds)) for case, ratio in zip(rows, ratios, strict=True)]
    sizes = rows[0].n_actions, rows[-1].n_actions
    first, last = (max(part for case, part in zip(rows, per_log, strict=True) if case.n_actions == k) for k in sizes)
    return Finding(
        "Near-optimal in K: for pure privacy upper and lower bound are log K + log T apart, up to a constant; so that "
        f"constant is no larger at K = {sizes[1]:,} than at K = {sizes[0]} (to within a quarter, for sampling error).",
        f"`SparseVectorExperts` loses {min(ratios):.0f} to {max(ratios):.0f} times the sharper lower bound where "
        f"actions turn bad; as a multiple of log K + log T of it {first:.1f} at K = {sizes[0]}, {last:.1f} at "
        f"K = {sizes[1]:,} and {max(per_log):.1f} at most. That is a large constant: an action may lose the threshold "
        "before it is dropped, and the bound knows of no threshold.",
        last <= 1.25 * first,
    )
