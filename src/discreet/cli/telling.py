"""What is said of every simulation: what was simulated, what the numbers are, and what is proved."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from discreet.cli.learners import DELTA

if TYPE_CHECKING:
    from rich.console import Console

    from discreet.cli.plans import Plan
    from discreet.experts import Learner

_SEEDED = "So it is on system entropy; the runs here are seeded, to be repeatable, and promise nothing."


_CAPPED = " Its rate is capped, so that it spends less than the epsilon asked for; --uncapped spends all of it."


def to_json(facts: Any) -> str:
    """Facts as JSON, which has no word for what is infinite or not a number: null.

    >>> to_json([1.5, float("nan")]).split()
    ['[', '1.5,', 'null', ']']
    """
    return json.dumps(_finite(facts), indent=2, allow_nan=False)


def _finite(facts: Any) -> Any:
    if isinstance(facts, dict):
        return {name: _finite(value) for name, value in facts.items()}
    if isinstance(facts, list | tuple):
        return [_finite(value) for value in facts]
    return None if isinstance(facts, float) and not math.isfinite(facts) else facts


def say(console: Console, label: str, text: str) -> None:
    """A line with its label in bold."""
    from rich.text import Text

    console.print(Text.assemble((f"{label}: ", "bold"), text))


def introduce(console: Console, plan: Plan) -> None:
    """What was simulated, and the warning where its losses are somebody's."""
    from rich.text import Text

    from discreet.report.words import NOT_PRIVATE, count
    from discreet.simulate.curve import KINDS

    if plan.world.recorded:
        console.print(Text(f" {NOT_PRIVATE} ", style="bold reverse"))
        console.print(Text("All of this is computed from the raw losses of the log and may reveal them."), "")
    say(console, "Environment", repr(plan.world.environment))
    say(console, "Simulated", f"{count(plan.rounds, 'round')} in {count(plan.runs, 'run')}, seed {plan.seed}")
    say(console, "Regret", KINDS[plan.kind])


def promise(learner: Learner) -> str:
    """What the learner promises where its draws are unpredictable."""
    from discreet.experts import PrefixSoftmax
    from discreet.guarantees import GaussianDP, NoGuarantee

    claim = learner.claim
    if isinstance(claim, NoGuarantee):
        return claim.words()
    capped = isinstance(learner, PrefixSoftmax) and learner.epsilon > float(vars(claim)["epsilon"])
    gaussian = isinstance(claim, GaussianDP)
    proves = f" It proves epsilon {claim.epsilon(DELTA):.4g} at delta {DELTA:g}." if gaussian else ""
    return f"{claim!r}: {claim.words()}{proves} {_SEEDED}{_CAPPED if capped else ''}"


def heading(plan: Plan) -> str:
    """The title of a plot."""
    mark = "NOT PRIVATE. " if plan.world.recorded else ""
    means = f"mean of {plan.runs:,} runs with its 95% interval" if plan.runs > 1 else "one run"
    return f"{mark}{plan.world.environment!r}: {means}"


def facts(plan: Plan) -> dict[str, Any]:
    """What was simulated, as JSON-able data."""
    from discreet.simulate.curve import KINDS

    return {
        "owner_view": plan.world.recorded,
        "environment": repr(plan.world.environment),
        "actions": plan.world.n_actions,
        "rounds": plan.rounds,
        "runs": plan.runs,
        "seed": plan.seed,
        "kind": plan.kind,
        "regret": KINDS[plan.kind],
    }
