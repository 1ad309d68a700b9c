"""How far the learner lies behind the action that looks best in the end, as reports tell it, with a band."""

from __future__ import annotations

from discreet.replay.estimates import LEVEL, Estimates
from discreet.report.svg import axes, drawing, figure, inline, log_rounds, thousands
from discreet.report.theme import stand_in
from discreet.report.words import plain

TITLE = "Estimated loss of the learner beyond that of one action, over the rounds, with a band"


def draw(estimates: Estimates, form: str) -> str:
    """The figure for a wide page or a narrow one."""
    from matplotlib.ticker import MaxNLocator

    wide = form == "wide"
    with drawing():
        made = figure(*(860, 380) if wide else (350, 300))
        ax = axes(made, left=60 if wide else 48, right=16, top=26, bottom=44)
        color = stand_in("line-0")
        ax.fill_between(estimates.marks, *estimates.band(), color=color, alpha=0.16, lw=0)
        ax.axhline(0, color=stand_in("edge"), lw=1)
        (line,) = ax.plot(estimates.marks, estimates.lead, color=color, lw=3.0)
        if len(estimates.marks) == 1:
            line.set(marker="o", clip_on=False)
        log_rounds(ax, max(estimates.rounds, 2))
        ax.yaxis.set_major_locator(MaxNLocator(6))
        ax.yaxis.set_major_formatter(thousands())
        ax.grid(True, which="major", lw=0.8)
        ax.set_xlabel("rounds played (tenfold steps)")
        place = (0.0, 1.0)
        ax.annotate("losses more than that action", place, (-44, 12), "axes fraction", "offset points", fontsize=12)
        return inline(made, f"lead-{form}", TITLE)


def caption(estimates: Estimates) -> str:
    """What the figure shows."""
    name = plain(estimates.actions[estimates.best])
    return (
        f"Estimated total loss of the learner less that of “{name}”, the action that looks best in the end. Noise is "
        f"in both. The true difference stays within the band in all rounds, whichever action had been chosen for this, "
        f"with {LEVEL:.0%} certainty. Where both played the same action, nothing is added to either."
    )
