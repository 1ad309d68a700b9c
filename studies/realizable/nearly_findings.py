"""What came out where the best action is nearly perfect."""

from __future__ import annotations

from math import hypot, log

from studies.page import Finding
from studies.realizable.cases import ANY, OTHERS
from studies.realizable.nearly import ADAPTIVE, TOLD, UNTOLD, WORLDS, Near, general
from studies.realizable.results import Results

#: One learner is better than another where its mean is less by so many standard errors.
SIGMAS = 1.96


def nearly_perfect(results: Results) -> list[Finding]:
    """All of them."""
    turning = [one for one in results.near if one.world == WORLDS[0]]
    random = [one for one in results.near if one.world == WORLDS[1]]
    return [_right_choice(turning), _told(turning), _random(random)]


def _right_choice(turning: list[Near]) -> Finding:
    last, order = turning[-1], general(10, turning[-1].rounds)
    most = max(one.regrets[name][0] for one in turning for name in (TOLD, ADAPTIVE))
    theirs = [min(last.regrets[name][0] for name in makers) for makers in (OTHERS, ANY)]
    return Finding(
        f"Where actions turn bad, algorithms 1 and 2 are the right choice up to L* = sqrt(T) = {last.best_loss}, "
        "and below table 1's order for other learners, sqrt(T log K) + T^(1/3) log(K)/epsilon (constants 1).",
        f"they lose at most {most:.0f}, where that order is {order:.0f}. At L* = {last.best_loss} algorithm 1, told, "
        f"loses {last.regrets[TOLD][0]:.0f}, algorithm 2 {last.regrets[ADAPTIVE][0]:.0f}, the better block learner "
        f"{theirs[0]:,.0f}, the better `TreeLeader` {theirs[1]:.0f}. {ended(turning)}",
        most < order and not any(beaten(one, name) for one in turning for name in (TOLD, ADAPTIVE)),
    )


def beaten(one: Near, name: str) -> bool:
    """Whether one of the others is better, by more than sampling error."""
    mine, error = one.regrets[name]
    others = [one.regrets[other] for other in OTHERS | ANY]
    return any(mean + SIGMAS * hypot(error, own) < mine for mean, own in others)


def ended(turning: list[Near]) -> str:
    """Where somebody else is the better choice."""
    at = {name: [f"{one.best_loss}" for one in turning if beaten(one, name)] for name in (TOLD, ADAPTIVE)}
    if not any(at.values()):
        return "None of the others is better at any L* by more than sampling error, so the end is not reached."
    told, own = (", ".join(found) or "none" for found in at.values())
    return (
        f"By more than sampling error one of the others is better than algorithm 1, told, at L* = {told}; than "
        f"algorithm 2 at L* = {own}."
    )


def _told(turning: list[Near]) -> Finding:
    last = turning[-1]
    slope = (last.regrets[TOLD][0] - turning[0].regrets[TOLD][0]) / last.best_loss
    told = [f"{one.best_loss}" for one in turning if one.regrets[TOLD][0] < one.regrets[UNTOLD][0]]
    return Finding(
        "Theorem 1: each loss of the best action costs up to log K times, if it is told.",
        f"regret grows by {slope:.2f} for each of L* (log K = {log(10):.2f}), told. Told 0 instead it is "
        + ", ".join(f"{one.regrets[UNTOLD][0]:,.0f}" for one in turning)
        + f"; telling is better at L* = {', '.join(told) or 'none'}. What L* adds to the threshold is lost at each "
        "switch; without it all draws may be used up before the best action is the best again, and the last one is "
        "kept, good or bad. Algorithm 2 needs no telling.",
        slope <= log(10),
    )


def _random(random: list[Near]) -> Finding:
    first, last = random[0].regrets, random[-1].regrets
    return Finding(
        "On random losses they are the right choice at least for L* = 0, and no longer somewhere up to sqrt(T).",
        f"never: at L* = 0 `PrivateLeader` loses {first['PrivateLeader'][0]:.0f}, algorithm 1 {first[TOLD][0]:.0f} and "
        f"the better `TreeLeader` {min(first[name][0] for name in ANY):.0f}; at L* = {random[-1].best_loss} "
        f"{last['PrivateLeader'][0]:.0f}, {last[TOLD][0]:.0f} and {min(last[name][0] for name in ANY):.0f}.",
        first[TOLD][0] < first["PrivateLeader"][0],
    )
