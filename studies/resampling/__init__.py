"""Bernoulli resampling: what Wu & Wang's example and lemma 6 say, and what resampling does to regret."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.figures import line_style, panels
from studies.page import Page
from studies.resampling.conditions import conditions_table
from studies.resampling.cost import EPSILONS, Pairs, all_pairs, exact_table, many_table, search, search_table
from studies.resampling.example import MENDED, PRINTED, first_block_table, later_blocks_table, worse
from studies.resampling.findings import on_conditions, on_regret, on_the_example, on_the_lemma
from studies.resampling.laws import NOISES
from studies.resampling.order import enumerate_lemma

ABOUT = """
Before it adds up a block, the noisy leader may replace every loss by 1 with probability equal to the loss, else by 0,
each by a random number of its own: Wu & Wang's Bernoulli resampling, on which their theorem 3 rests. Section 3.1
gives an example in which it is to help; lemma 6 says that with it a better action is never less likely to be played
than a worse one, so that the j-th best has a chance of at most 1/j. Asked here: is the example right, does the lemma
hold, which of its conditions does it need, and what does resampling do to regret?

Almost all of it is exact. The law of the totals of a block is enumerated (`environment.total_law`,
`environment.resampled()`), each vector of totals is given to the selection's own law (`Selection.law`), and expected
regret is `simulate.exact_regret`; chances are right to about 11 digits. *No noise* is the limit of all three noises as
epsilon grows: the smallest total wins and equal ones share (equal but for the rounding of losses to units).
Exponential noise is calibrated as proved. Only the table for many actions is simulated, with fixed seeds; ± is half of
a 95% interval for the mean, and means without and with resampling come from different seeds.

Three remarks on the printed text. The example has its probabilities the wrong way round: action 2 leads after one
round when it loses *0*, which has probability 0.2. In the proof of lemma 6, P(N <= x) is written with 1 - F(s - x)
where it is the chance of a total *of s - x or more*; and the first display has j2 on its left for j1. Neither touches
the lemma, which is proved for actions that are independent and resampled by independent numbers; the second table on
the lemma shows that both are needed.
"""


@dataclass(frozen=True)
class Sizes:
    """How much is computed."""

    actions: dict[int, int]  # longest block of the enumeration, by number of actions
    random: int
    rounds: int
    tries: int
    every: int  # so many steps apart in the family of rare losses
    short: int
    many: int
    runs: int
    horizon: int


FULL = Sizes(
    {2: 8, 3: 8, 4: 5}, random=20, rounds=1023, tries=80, every=1, short=15, many=100, runs=1000, horizon=2**17
)
QUICK = Sizes({2: 3, 3: 2}, random=4, rounds=127, tries=6, every=4, short=7, many=10, runs=60, horizon=2**12)


def study(quick: bool, jobs: int) -> Page:
    """The example, the lemma and the cost."""
    sizes = QUICK if quick else FULL
    lemma = enumerate_lemma(sizes.actions, [0.1, 1.0, 10.0], sizes.random)
    regrets = all_pairs(EPSILONS, sizes.rounds, NOISES[1:])
    found = search(EPSILONS, sizes.tries, sizes.every, [sizes.short, sizes.rounds])
    many = many_table(sizes.many, [0.25, 1.0, 16.0], sizes.horizon, sizes.runs, jobs)
    tables = [
        first_block_table([0.1, 1.0, 10.0, 100.0]),
        later_blocks_table([1, 2, 4, 8, 16, 32, 64]),
        lemma,
        conditions_table([1, 8], [None, 1.0]),
        exact_table(regrets, EPSILONS, sizes.rounds),
        exact_table(all_pairs([1.0], sizes.rounds, NOISES[:1]), [1.0], sizes.rounds),
        search_table(found),
        many,
    ]
    findings = [*on_the_example(), *on_the_lemma(lemma), *on_conditions(), *on_regret(regrets, found, many)]
    return Page("Bernoulli resampling", ABOUT, tables, _figure(regrets), _caption(sizes), findings)


def _figure(regrets: Pairs) -> Figure:
    figure, (first, later, cost) = panels(3, height=3.9, width=11.5)
    _draw_chances(first, later)
    for place, name in enumerate(name for name, noise in regrets if noise == "exponential"):
        cost.plot(EPSILONS, [pair.ratio for pair in regrets[name, "exponential"]], label=name, **line_style(place))
    cost.set(xscale="log", yscale="log", xlabel="epsilon", ylabel="regret with / without", title="Cost in regret")
    cost.legend(fontsize=7, loc="upper left")
    return figure


def _draw_chances(first: Axes, later: Axes) -> None:
    epsilons, blocks = [2.0**k for k in range(-3, 10)], [2**k for k in range(7)]
    cases = product({"as printed": PRINTED, "turned round": MENDED}.items(), (False, True))
    for place, ((name, world), resample) in enumerate(cases):
        style = line_style(place) | {"label": f"{name}, resampled" if resample else name}
        first.plot(epsilons, [worse(world, "exponential", epsilon, resample) for epsilon in epsilons], **style)
        later.plot(blocks, [worse(world, None, 1.0, resample, rounds) for rounds in blocks], **style)
    first.set(xscale="log", ylim=(0, 1), xlabel="epsilon", ylabel="P(worse action)", title="After one round")
    later.set(xscale="log", ylim=(0, 1), xlabel="rounds in the block", title="Without noise")
    later.legend(loc="upper right")


def _caption(sizes: Sizes) -> str:
    return (
        "Left: the chance of the worse action after one round, exponential noise, in Wu & Wang's example and in the "
        "same turned round. Middle: after a block of so many rounds, without noise (resampled, the two are alike). "
        f"Right: expected regret with resampling over that without, two actions, {sizes.rounds:,} rounds, exponential "
        "noise. All exact."
    )
