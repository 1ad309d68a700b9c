"""The figure of study 2."""

from __future__ import annotations

from math import log

from matplotlib.figure import Figure

from studies.figures import line_style, panels
from studies.why_prefix.costs import Cost
from studies.why_prefix.errors import Floats
from studies.why_prefix.terms import Terms


def figure(one: Terms, turns: dict[int, tuple[Floats, Floats]], cases: list[Cost]) -> Figure:
    """The terms by doublings, the ratio by phase, and the price of the cap."""
    drawn, (terms, phases, caps) = panels(3, width=11.5, height=3.6)
    ends = [2.0**k for k in range(one.last + 1)]
    for place, name in enumerate((f"gaps up to {4 * one.rate:g}", f"gaps above {4 * one.rate:g}")):
        terms.plot(ends, one.sums.sums[:, place], **(line_style(place) | {"label": name}))
    terms.set(xscale="log", xlabel="last m of the doubling", ylabel="sum of F_m, in losses", title=one.instance.name)
    terms.legend(fontsize=7)
    for place, (size, (gaps, ratios)) in enumerate(turns.items()):
        phases.plot(gaps, ratios, **(line_style(place) | {"label": f"K = {size}"}))
    phases.axhline(2 * log(2), color="black", linewidth=0.8)
    phases.set(xscale="log", xlabel="gap", ylabel="regret, prefix / whole block", title="Phase of the clock")
    phases.set_xticks([0.25, 0.35, 0.5], ["0.25", "0.35", "0.5"], minor=False)
    phases.set_xticks([], minor=True)
    phases.legend(fontsize=7)
    for place, gap in enumerate(sorted({case.gap for case in cases}, reverse=True)):
        mine = [case for case in cases if case.gap == gap and case.n_actions == 32]
        style = line_style(place) | {"label": f"gap {gap:g}", "capsize": 2}
        errors = [1.96 * case.cap.error for case in mine]
        caps.errorbar([case.epsilon for case in mine], [case.cap.value for case in mine], yerr=errors, **style)
    caps.set(
        xscale="log", yscale="log", xlabel="epsilon", ylabel="regret, capped / not capped", title="Price of the cap"
    )
    caps.legend(fontsize=7)
    return drawn
