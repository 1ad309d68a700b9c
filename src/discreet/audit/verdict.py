"""What a test of a claim found: the verdict, and where the claim fails."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.audit.events import Event
from discreet.guarantees import Guarantee


@dataclass(frozen=True)
class Witness:
    """Where the claim fails: `event` is too likely under `losses`, compared with its chance under `neighbor`.

    The two shares are those of all `runs` drawn under the two tables, the ones that chose the event included: they
    say what was seen and are no unbiased estimates. `pair` is the place of the pair among those given.
    """

    pair: int
    losses: object
    neighbor: object
    event: Event
    share: float
    neighbor_share: float
    runs: int


@dataclass(frozen=True)
class Verdict:
    """Whether the claim is rejected, after how many runs, and with what evidence.

    `evidence` is what one unit of money has become by betting against the claim: a true claim lets it ever reach
    1/false_alarm with probability at most false_alarm. `p_value` is 1 over the most it has been. `witness` is where
    the bets were placed last, None if there never was a reason to bet. A claim that is not rejected is not thereby
    true.
    """

    rejected: bool
    claim: Guarantee
    runs: int
    evidence: float
    p_value: float
    witness: Witness | None

    def __str__(self) -> str:
        """The verdict in plain words."""
        after = f"after {self.runs} runs, evidence {self.evidence:.3g} to 1"
        if not self.rejected:
            return f"{self.claim!r} is not rejected {after}"
        seen = self.witness
        assert seen is not None, "a claim is rejected by bets, and bets have an event"
        shares = f"{seen.share:.4g} of the runs against {seen.neighbor_share:.4g} under the neighbor"
        return f"{self.claim!r} is rejected {after}: {seen.event!r} of pair {seen.pair} had {shares}"
