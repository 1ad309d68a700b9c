"""The way a loss takes through the rooms, recorded from a learner at work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import FrameType

import discreet
from discreet import experts
from tools.rooms import room_of

HOME = Path(discreet.__file__).parent


@dataclass(frozen=True)
class Stop:
    """A stay in one room: the functions that are entered there for the first time, in order."""

    room: str
    functions: tuple[str, ...]


def way_of_a_loss() -> tuple[Stop, ...]:
    """From one round's losses to the action they lead to: one `update` that ends a block, and the next `act`."""
    learner = experts.PrivateLeader(n_actions=3, epsilon=1.0, seed=1)

    def one_round() -> None:
        learner.update([0.1, 0.9, 0.4])
        learner.act()

    stays = groupby(entered(one_round), key=lambda step: step[0])
    return tuple(Stop(room, tuple(function for _, function in steps)) for room, steps in stays)


def entered(run: Callable[[], object]) -> list[tuple[str, str]]:
    """The public functions of the package that a call enters, (room, function), in the order of first entry."""
    steps: dict[tuple[str, str], None] = {}

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and _public(frame):
            steps[room_of(Path(frame.f_code.co_filename), HOME), frame.f_code.co_qualname] = None

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return list(steps)


def _public(frame: FrameType) -> bool:
    """Whether a call is one of the package that a reader would look up: not private, nested, or a property."""
    code = frame.f_code
    if not Path(code.co_filename).is_relative_to(HOME) or "<" in code.co_qualname or code.co_name.startswith("_"):
        return False
    found: object = sys.modules[frame.f_globals["__name__"]]
    for name in code.co_qualname.split("."):
        found = getattr(found, name, None)
    return not isinstance(found, property)
