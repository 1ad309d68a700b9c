"""Agarwal & Singh, The Price of Differential Privacy for Online Learning, 2017: leaders of noisy sums, any losses."""

from __future__ import annotations

import math

from discreet.bounds.conditions import needs_actions, needs_deviation, needs_rounds


def agarwal_singh(n_actions: int, rounds: int, deviation: float, rounding: float = 0.0) -> float:
    """Whoever follows the leader of sums with Gaussian noise of this standard deviation has at most this regret.

    sqrt(2 log K) (deviation + T / (4 · deviation)), where nothing is rounded. Explicit, on expected regret over T
    rounds, for losses in [0, 1] that are fixed in advance. Every round plays the action with the smallest sum of all
    losses before, each sum with noise N(0, deviation^2), independent between actions; how the noise of one round hangs
    together with that of another does not matter. Least at deviation = sqrt(T)/2: sqrt(2 T log K).

    rounding: how far, in losses, a sum that is played may lie above the smallest, because what is compared is not
    exactly normal. It adds T · rounding · sqrt(2 log(K + 1)) / deviation.

    Proof. Expected regret adds up rounds one by one, so the noise Z may be taken to be the same in all of them. Let
    F(S) be the expected smallest entry of S + Z. Its gradient p(S) are the chances of the leaders; it is concave; let
    -M be its Hessian. Then <p(S), x> = F(S + x) - F(S) + D, and D is at most half of x'Mx for an M between. Added up:
    regret = F(total) - F(0) - (best total) + sum of D. F(total) is at most the best total (Jensen); -F(0), the expected
    largest of K normal numbers, at most deviation · sqrt(2 log K). The rows of M sum to 0 and are not positive off the
    diagonal, so x'Mx, which adds up -M_ij (x_i - x_j)^2 over pairs, is at most half the trace of M for x in [0, 1]^K.
    The trace is E[-Z of the leader] / deviation^2, at most sqrt(2 log K) / deviation. So D is at most a quarter of it.
    With rounding, another action than the leader may be played where the second is so near. That gap has a density at
    s, the sum of the M_jj after s is added to action j alone: E[-Z of the leader, where it leads by s] / deviation^2,
    at most sqrt(2 log(K + 1)) / deviation.

    Lee (2018, lemma 3.14) has D at most sqrt(2 log K) / deviation, as is right for losses in [-1, 1]: that would be
    least at deviation = sqrt(T), and twice as much there.

    >>> round(agarwal_singh(n_actions=100, rounds=10_000, deviation=50.0), 1)
    303.5
    """
    needs_actions(n_actions)
    needs_rounds(rounds)
    needs_deviation(deviation, rounding)
    width, further = math.sqrt(2 * math.log(n_actions)), math.sqrt(2 * math.log(n_actions + 1))
    return width * (deviation + rounds / (4 * deviation)) + rounds * rounding * further / deviation
