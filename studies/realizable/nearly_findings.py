"""What came out where the best action is nearly perfect."""

from __future__ import annotations

from math import log

from studies.page import Finding
from studies.realizable.cases import ANY, OTHERS, Makers
from studies.realizable.nearly import ADAPTIVE, TOLD, UNTOLD, WORLDS, Near, general
from studies.realizable.results import Results


def nearly_perfect(results: Results) -> list[Finding]:
    """All of them."""
    turning = [one for one in results.near if one.world == WORLDS[0]]
    random = [one for one in results.near if one.world == WORLDS[1]]
    last, order = turning[-1], general(10, turning[-1].rounds)
    slope = (last.regrets[TOLD][0] - turning[0].regrets[TOLD][0]) / last.best_loss
    best = {one.best_loss: _worst_told(one) for one in turning}
    told = [one for one in turning if one.regrets[TOLD][0] < one.regrets[UNTOLD][0]]
    return [
        Finding(
            f"Where actions turn bad, algorithms 1 and 2 are the right choice up to L* = sqrt(T) = {last.best_loss}, "
            "and below table 1's order for other learners, sqrt(T log K) + T^(1/3) log(K)/epsilon (constants 1).",
            f"they lose at most {max(best.values()):.0f}, where that order is {order:.0f}; at L* = {last.best_loss} "
            f"{_worst_told(last):.0f}, the best of the two block learners {min(_of(OTHERS, last)):,.0f}, the best "
            f"`TreeLeader` {min(_of(ANY, last)):.0f}. {ended(turning)}",
            max(best.values()) < order and not any(_worst_told(one) > min(_of(OTHERS | ANY, one)) for one in turning),
        ),
        Finding(
            "Theorem 1: each loss of the best action costs up to log K times, if it is told.",
            f"regret grows by {slope:.2f} for each of L* (log K = {log(10):.2f}), told. Told 0 instead it is "
            f"{last.regrets[UNTOLD][0]:.0f} at the largest L*, not {last.regrets[TOLD][0]:.0f}; telling is better at "
            f"{len(told)} of {len(turning)} L*. Theorem 1 needs to be told, these sequences do not: what L* adds to "
            f"the threshold is lost at each switch. Algorithm 2 loses {last.regrets[ADAPTIVE][0]:.0f}.",
            slope <= log(10),
        ),
        Finding(
            "On random losses they are the right choice at least for L* = 0, and no longer somewhere up to sqrt(T).",
            f"never: at L* = 0 `PrivateLeader` loses {random[0].regrets['PrivateLeader'][0]:.0f} and algorithm 1 "
            f"{random[0].regrets[TOLD][0]:.0f}; at L* = {random[-1].best_loss} "
            f"{random[-1].regrets['PrivateLeader'][0]:.0f} and {random[-1].regrets[TOLD][0]:.0f}.",
            random[0].regrets[TOLD][0] < random[0].regrets["PrivateLeader"][0],
        ),
    ]


def _worst_told(one: Near) -> float:
    """Of the learners that the paper would use: told L*, or adapting to it."""
    return max(one.regrets[TOLD][0], one.regrets[ADAPTIVE][0])


def _of(makers: Makers, one: Near) -> list[float]:
    return [one.regrets[name][0] for name in makers]


def ended(turning: list[Near]) -> str:
    """Where somebody else is the better choice."""
    ends = [one.best_loss for one in turning if one.regrets[TOLD][0] > min(_of(OTHERS | ANY, one))]
    own = [one.best_loss for one in turning if one.regrets[ADAPTIVE][0] > min(_of(OTHERS | ANY, one))]
    if not ends + own:
        return "So the end is not reached."
    said = [", ".join(map(str, found)) or "none" for found in (ends, own)]
    return (
        f"One of the others is better than algorithm 1, told, at L* = {said[0]}; than algorithm 2 at L* = {said[1]} "
        "(it promises less: a delta)."
    )
