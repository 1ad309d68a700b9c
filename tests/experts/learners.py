"""The learners that the checks run on, each with what it should claim."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

from discreet.experts import (
    AdaHedge,
    AdaptiveSparseVectorExperts,
    FollowTheLeader,
    Hedge,
    Learner,
    NoisyLeader,
    PotentialExperts,
    PrefixSoftmax,
    PrivateLeader,
    SparseVectorExperts,
    TreeExperts,
    TreeLeader,
)
from discreet.guarantees import ApproxDP, GaussianDP, PureDP


@dataclass(frozen=True)
class Case:
    """A learner with its parameters, and the epsilon and delta, or the mu, that it should claim.

    None where it is not private.
    """

    kind: type[Learner]
    parameters: tuple[tuple[str, Any], ...] = ()
    claims: float | None = None
    delta: float = 0.0
    mu: float | None = None

    @property
    def name(self) -> str:
        return " ".join([self.kind.__name__, *(f"{name}={value}" for name, value in self.parameters)])

    def make(self, **changes: Any) -> Any:
        return self.kind(**({"n_actions": 3} | dict(self.parameters) | changes))

    @property
    def claim(self) -> PureDP | ApproxDP | GaussianDP:
        if self.mu is not None:
            return GaussianDP(self.mu, within=dict(self.parameters).get("sensitivity"))
        assert self.claims is not None
        return ApproxDP(self.claims, self.delta) if self.delta else PureDP(self.claims)


def _private(epsilon: float, **more: Any) -> Case:
    return Case(PrivateLeader, (("epsilon", epsilon), *more.items()), epsilon)


def _noisy(noise: str, resample: bool, calibration: str) -> Case:
    doubled = noise == "exponential" and calibration == "paper"
    parameters = (("epsilon", 1.0), ("noise", noise), ("resample", resample), ("calibration", calibration))
    return Case(NoisyLeader, parameters, 2.0 if doubled else 1.0)


BLOCK_CASES = [
    _private(0.1),
    _private(1.0),
    _private(4.0),
    _private(1.0, weights=(3, 2, 1)),
    Case(PrefixSoftmax, (("epsilon", 1.0),), 0.25),
    Case(PrefixSoftmax, (("epsilon", 1.0), ("capped", False)), 1.0),
    *(_noisy(*row) for row in product(("laplace", "exponential", "gumbel"), (False, True), ("proved", "paper"))),
]


def _watching(kind: type[Learner], epsilon: float, claims: float, delta: float = 0.0, **more: Any) -> Case:
    more = {"epsilon": epsilon, "rounds": 4096} | ({"delta": delta} if delta else {}) | more
    return Case(kind, tuple(more.items()), claims, delta)


#: Those with the paper's constants need an epsilon or a threshold at which they learn anything in 3000 rounds.
WATCHING_CASES = [
    _watching(SparseVectorExperts, 1.0, 1.0),
    _watching(SparseVectorExperts, 1.0, 1.0, best_loss=5.0, failure=0.2),
    _watching(SparseVectorExperts, 1.0, 1.0, delta=1e-3),
    _watching(SparseVectorExperts, 8.0, 8.0, constants="paper"),
    _watching(SparseVectorExperts, 4.0, 4.0, delta=1e-3, constants="paper"),
    _watching(AdaptiveSparseVectorExperts, 1.0, 1.0),
    _watching(PotentialExperts, 4.0, 4.0),
    _watching(AdaptiveSparseVectorExperts, 16.0, 18.27413718459354, constants="paper", switches=6, threshold=150.0),
]
#: Trees have so much noise that they need this epsilon to leave two bad actions within 1200 rounds.
TREE_CASES = [
    _watching(TreeExperts, 4.0, 4.0),
    _watching(TreeExperts, 8.0, 8.0, batch=2),
    _watching(TreeExperts, 16.0, 16.0, batch=5, failure=0.2),
]


def _leading(mu: float, true: float, **more: Any) -> Case:
    return Case(TreeLeader, (("mu", mu), ("rounds", 4096), *more.items()), mu=true)


#: 12 levels and a move of sqrt(3): with deviation 32, whatever mu allows, 12 · sqrt(3) / 32 is what is revealed.
LEADER_CASES = [
    _leading(1.0, 1.0),
    _leading(0.5, 0.5, sensitivity=0.3),
    _leading(0.9, 0.649519052838329, noise="least-regret"),
    _leading(math.inf, 0.649519052838329, noise="least-regret"),
    _leading(0.3, 0.3, noise="least-regret"),
]
OPEN_CASES = [Case(FollowTheLeader), Case(Hedge), Case(AdaHedge)]
CASES = BLOCK_CASES + WATCHING_CASES + TREE_CASES + LEADER_CASES + OPEN_CASES
#: Those whose totals are sums of the table's rows.
SUMMING_CASES = [case for case in BLOCK_CASES if ("resample", True) not in case.parameters]
