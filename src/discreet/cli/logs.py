"""The options that say how a log of losses is read, and a log as an environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from discreet.environments import Sequence
    from discreet.replay import Log

PANEL = "The log"
#: Losses of a log that a simulation holds in memory, at most.
MOST = 10**8

IndexOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="A column that labels the rounds, such as a date; give it again for another one.",
        rich_help_panel=PANEL,
    ),
]
GainsOption = Annotated[
    bool, typer.Option("--gains", help="The table holds gains: larger is better.", rich_help_panel=PANEL)
]
ScaleOption = Annotated[
    tuple[float, float] | None,
    typer.Option(
        metavar="LOW HIGH",
        help="Bounds of the values, where they are not 0 and 1. They must be known in public, not read off the log.",
        rich_help_panel=PANEL,
    ),
]
ClipOption = Annotated[
    bool,
    typer.Option("--clip", help="Clip values outside the bounds instead of refusing them.", rich_help_panel=PANEL),
]


def recorded(log: Log) -> Sequence:
    """The rounds of a log as an environment."""
    import numpy as np

    from discreet.environments import Sequence
    from discreet.losses import UNITS

    parts, held = [], 0
    for _, units in log.chunks():
        held += units.size
        if max(held, (log.rows or 0) * log.n_actions) > MOST:
            raise ValueError(
                f"{log.path} has more than {MOST:,} losses, and a simulation holds them in memory; "
                f"discreet replay reads a log of any size"
            )
        parts.append(units.T / UNITS)
    sequence = Sequence(np.concatenate(parts))
    sequence.label = f"the log {log.path.name}"
    return sequence
