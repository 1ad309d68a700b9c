"""The options that name an environment: one wish from many of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.amounts import whole_number

PANEL = "Environment"
#: How many rounds are simulated unless a number is given.
USUAL_ROUNDS = 10**6


class EnvironmentName(StrEnum):
    """The environments by name."""

    ONE_GAP = "one-gap"
    SPREAD = "spread"
    HARD_FOR_PRIVACY = "hard-for-privacy"
    BERNOULLI = "bernoulli"
    DETERMINISTIC = "deterministic"
    CORRELATED = "correlated"
    TWO_POINT = "two-point"
    LATE_LOSS = "late-loss"
    ONE_BY_ONE = "one-by-one"
    HALVING = "halving"
    LOG = "log"


EnvironmentOption = Annotated[
    EnvironmentName,
    typer.Option(
        help="Where losses come from. one-gap: 0 or 1, one action better than all others. spread: 0 or 1, means "
        "spread evenly. hard-for-privacy: losses that never change, the instance of Wu & Wang's theorem 7. "
        "bernoulli: 0 or 1. deterministic: losses that never change. correlated: 0 or 1, with one shock a round for "
        "all actions. two-point: two values an action. With one perfect action, the others lose from some round on: "
        "late-loss: all at once, near the end, as in Asi et al.'s theorem 5; one-by-one; halving: half of those left, "
        "phase by phase. log: a recorded table.",
        rich_help_panel=PANEL,
    ),
]
ActionsOption = Annotated[
    int | None,
    typer.Option(
        parser=whole_number,
        metavar="K",
        help="How many actions: 100 unless the losses say how many.",
        rich_help_panel=PANEL,
    ),
]
GapOption = Annotated[
    float | None,
    typer.Option(
        help="For one-gap, hard-for-privacy and correlated: how far the others lie above the best; 0.1 unless given.",
        rich_help_panel=PANEL,
    ),
]
LowOption = Annotated[
    float | None, typer.Option(help="For spread: the least mean loss; 0.3 unless given.", rich_help_panel=PANEL)
]
HighOption = Annotated[
    float | None, typer.Option(help="For spread: the largest mean loss; 0.9 unless given.", rich_help_panel=PANEL)
]
MeansOption = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBERS",
        help="For bernoulli, deterministic and correlated: mean losses, with commas between them.",
        rich_help_panel=PANEL,
    ),
]
StrengthOption = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBERS",
        help="For correlated: how far the shock moves each mean, from -1 to 1; one number for all or one for each "
        "action; 0.5 unless given.",
        rich_help_panel=PANEL,
    ),
]
LowLossesOption = Annotated[
    str | None,
    typer.Option(metavar="NUMBERS", help="For two-point: the lower loss of each action.", rich_help_panel=PANEL),
]
HighLossesOption = Annotated[
    str | None,
    typer.Option(metavar="NUMBERS", help="For two-point: the higher loss of each action.", rich_help_panel=PANEL),
]
ChancesOption = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBERS", help="For two-point: each action's chance of its higher loss.", rich_help_panel=PANEL
    ),
]
HardEpsilonOption = Annotated[
    float | None,
    typer.Option(
        help="For late-loss: the epsilon that the last rounds are too few for; 0.1 unless given.",
        rich_help_panel=PANEL,
    ),
]
LogOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="For log: a table of losses, in any format that discreet replay reads.",
        rich_help_panel=PANEL,
    ),
]


@dataclass(frozen=True)
class Wish:
    """An environment as it was asked for: its name, and the options that were given."""

    name: EnvironmentName
    actions: int | None = None
    gap: float | None = None
    low: float | None = None
    high: float | None = None
    means: str | None = None
    strength: str | None = None
    low_losses: str | None = None
    high_losses: str | None = None
    chances: str | None = None
    hard_epsilon: float | None = None
    log: Path | None = None
    index: tuple[str, ...] | None = None
    gains: bool | None = None
    scale: tuple[float, float] | None = None
    clip: bool | None = None
    rounds: int = USUAL_ROUNDS
