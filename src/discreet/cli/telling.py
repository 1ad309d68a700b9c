"""What is said of every simulation: what was simulated, what the numbers are, and what is proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from discreet.cli.plans import Plan
    from discreet.experts import Learner

_SEEDED = "So it is on system entropy; the runs here are seeded, to be repeatable, and promise nothing."


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
    from discreet.guarantees import NoGuarantee

    claim = learner.claim
    if isinstance(claim, NoGuarantee):
        return claim.words()
    return f"{claim!r}: {claim.words()} {_SEEDED}"


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
