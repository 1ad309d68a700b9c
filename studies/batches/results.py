"""All that this study measured."""

from __future__ import annotations

from dataclasses import dataclass

from studies.batches.cases import Played
from studies.batches.hidden import Hidden
from studies.batches.tight import Change

#: A claim fails only where it does so by so many standard errors.
SIGMAS = 4.5


@dataclass(frozen=True)
class Results:
    """Settings played, what is hidden by gap and by stream (the first of each has no gap), and changes of leaders."""

    played: list[Played]
    gaps: list[Hidden]
    streams: list[Hidden]
    changes: list[Change]

    def at_tolerance(self, tolerance: float) -> list[Played]:
        """Some of the settings."""
        return [one for one in self.played if one.setting.tolerance == tolerance]
