"""What is proved of how near a walk comes to the law that it walks towards.

Lovász & Vempala, Hit-and-run from a corner (2006), theorem 1.1: let a convex body in n dimensions contain a ball of
radius r and lie in one of radius R, and let the walk begin with a density of at most M times the uniform one (but for a
part of probability d / 2). After more than

    10^10 · n^2 · (R / r)^2 · log(M / d)

steps of hit-and-run its point is within total variation d of uniform. For log-concave densities their bound (Fast
algorithms for logconcave functions, 2006) has the same form, with more logarithms and larger constants; r is then the
radius of a ball within a level set of probability 1/8, and R^2 the mean square distance from the center. So what is
computed here is less than what theory demands.

With rate · score for the negative logarithm of the density, scores of a range of T or less, and n dimensions:

- R is at most the radius D of the ball.
- The mean of rate · (score - least score) is n at most: the integral of e^(-s · rate · (score - least)), times s^n,
  never falls with s, since score is convex; take the derivative of its logarithm at s = 1. So by Markov the level set
  of scores up to u = 8 n / (7 rate) above the least has probability 1/8 or more. By convexity it contains the ball
  shrunk toward the best point by u / T. So r is at least D · min(1, u / T).
- A walk that begins uniformly has M = e^(rate · T) at most.

None of it depends on the losses. From k draws, each within total variation d of one of draws that are (epsilon, 0)
together, follows (epsilon, (1 + e^epsilon) · k · d), by the triangle inequality on both sides.
"""

from __future__ import annotations

import math


def steps_demanded(dimension: int, rate: float, spread: float, log_distance: float) -> float:
    """Steps that theorem 1.1 asks for, with R / r and M as above; log_distance is the logarithm of d.

    >>> f"{steps_demanded(20, rate=0.01, spread=1000.0, log_distance=math.log(1e-9)):.1e}"
    '1.2e+14'
    """
    ratio = max(1.0, 7 * rate * spread / (8 * dimension))
    return 1e10 * dimension**2 * ratio**2 * (rate * spread - log_distance)


def log_distance_of(delta: float, epsilon: float, draws: int) -> float:
    """The logarithm of the total variation d of a draw at which delta is what all of them add to epsilon.

    >>> round(log_distance_of(1e-6, 1.0, 20), 3)
    -18.125
    """
    return math.log(delta) - math.log(draws) - max(epsilon, 0.0) - math.log1p(math.exp(-epsilon))
