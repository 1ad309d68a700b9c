"""The learners on reports that the checks run on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discreet.local import AdaptiveBatchLeader, MetaLeader, RandomWalkLeader, ReportLearner, RollingRegression

PATTERNS = [RandomWalkLeader(3, 1.0), RollingRegression(4, 0.5), RollingRegression(9), AdaptiveBatchLeader(3, 1.0)]


@dataclass(frozen=True)
class Case:
    """A learner with its parameters; `walks` where it follows noisy totals, so that all actions are alike to it."""

    kind: type[ReportLearner]
    parameters: tuple[tuple[str, Any], ...] = ()
    walks: bool = True

    @property
    def name(self) -> str:
        return " ".join([self.kind.__name__, *(f"{name}={value}"[:20] for name, value in self.parameters)])

    def make(self, **changes: Any) -> Any:
        return self.kind(**({"n_actions": 3} | dict(self.parameters) | changes))


CASES = [
    Case(RandomWalkLeader, (("scale", 5.0),)),
    Case(RandomWalkLeader, (("scale", 0.5),)),
    Case(AdaptiveBatchLeader, (("scale", 5.0),)),
    Case(AdaptiveBatchLeader, (("scale", 0.5), ("tolerance", 0.5))),
    Case(RollingRegression, (("window", 5), ("penalty", 0.0)), walks=False),
    Case(RollingRegression, (("window", 16), ("penalty", 10.0)), walks=False),
    Case(MetaLeader, (("scale", 1.0), ("learners", PATTERNS)), walks=False),
]
