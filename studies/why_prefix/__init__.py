"""Study 2: why the softmax looks at a random prefix, term by term of Cesari & Colomboni's lemmas, and what it costs."""

from __future__ import annotations

from math import exp, log

import numpy as np

from studies.page import Finding, Page
from studies.why_prefix.costs import Cost, Search, costs, phases, resonances, search
from studies.why_prefix.errors import Floats
from studies.why_prefix.figure import figure
from studies.why_prefix.tables import cost_table, doubling_table, resonance_table, term_table
from studies.why_prefix.terms import Identity, Terms, identity, instances, terms

ABOUT = """
`PrefixSoftmax` draws its next action by a softmax over the totals of a random prefix of the last block, not of the
whole block. Cesari & Colomboni (2026) prove the regret bound through F_m, the expected gap of an action drawn by that
softmax from the totals of m rounds: lemma 4 says that the regret is at most 1 + 4 (F_1 + F_2 + ...) at every horizon,
lemma 5 that the sum is at most 200 log K / gap + 4 log K / rate. How much of that is there? And what do the random
prefix and the cap of 1/8 on the rate cost, for the proof that they make possible?

**The sum of F_m.** m runs over 1 and then over doublings, 2^(k-1) < m <= 2^k. Each doubling is cut into 16 parts; in
each part every run draws an m uniformly and fresh totals of m rounds, and takes the expected gap under
`Softmax(rate).law`. That is unbiased: no F_m is interpolated. The sum stops where Hoeffding's inequality leaves less
than 1/1000 of a loss. As in the proof of lemma 5, gaps up to 4 · rate ("small", display (5)) and above ("large",
display (6)) are added up apart. ± is 1.96 standard errors. The regret beside it is another simulation, by
`simulate.regret`.

**Lemma 4 is nearly an equality.** The block of 2^(k+1) rounds is chosen from a prefix of the block of 2^k rounds, m
uniform on the 2^(k-1) numbers of a doubling, so it costs 2^(k+1) / 2^(k-1) = 4 times the doubling's sum of F_m. The
first two blocks differ: the first is chosen uniformly and costs F_0, the mean gap, and the second is 2 rounds chosen
from m = 1. So at the end of every block the regret *is* F_0 + 2 F_1 + 4 (F_2 + ... + F_m), with m the longest prefix
used, and lemma 4 gives away 1 - F_0 + 2 F_1, at most 3 losses. For two actions this is checked without sampling: the
sum over the law of the totals, one m after the other, against `simulate.exact_regret`, which knows blocks and no F_m.

**The whole block instead.** `NoisyLeader(noise="gumbel")` is the same softmax over the whole last block; at rate
epsilon/2 it is compared with `PrefixSoftmax(capped=False)`. It costs F_0 + 2 F_1 + 4 F_2 + 8 F_4 + ..., each doubling
2^(k+1) times the F of its last m. So where F_m falls with m, as it does for losses that never vary, the whole block
is never worse, and the prefix at most twice as costly but for the first blocks. Averaged over the phase of the clock
(gaps multiplied by 1 to 2, evenly on a log scale), the whole block's sum is 2 / log 2 times the integral of F_m while
the prefix's is 4 times: a ratio of 2 log 2 = 1.386. The prefix can only be better where F_m rises.

**Where F_m rises.** Two actions (`resonance` in `studies/why_prefix_costs.py`): the better one loses a constant c in
every round, the other one c + d, but nothing in a few rounds; up to c/d + 1 rounds one such lucky round is enough to
look better, so the chance to err rises with m, and drops just behind each power of two. And at the
largest rate of theorem 1, 1/8, a search over random instances: groups of up to 128 actions with gaps from 1/64 to 1/2
whose losses vary fully or never. The smallest ratio found is sampled again with fresh seeds, since the smallest of
many noisy numbers is too small. A search is no proof.
"""


def study(quick: bool, jobs: int) -> Page:
    """The lemmas' terms, then the costs."""
    runs = (60, 400) if quick else (1_500, 20_000)
    found = [terms(one, place, *runs, jobs) for place, one in enumerate(instances(quick))]
    same = identity(*((5, 100) if quick else (9, 2_000)))
    cases = costs(quick, jobs)
    turns = {size: phases(size, 4 if quick else 12) for size in ((2, 64) if quick else (2, 64, 4096))}
    teeth = resonances((0.25, 4.0, 256.0) if quick else (0.25, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0))
    least = search(*((3, 30, 60) if quick else (80, 60, 1_000)))
    findings = [_equality(same, found), _lemma_4(found), _lemma_5(found), _known(found), _prefix(cases, turns)]
    findings += [_cap(cases), _helps(teeth), _searched(least)]
    tables = [term_table(found), doubling_table(found[1]), cost_table(cases), resonance_table(teeth)]
    caption = (
        "Left: the sum of F_m over each doubling of m, small and large gaps apart, where both kinds occur. Middle: "
        "regret with a random prefix over regret with the whole block, exact, for losses that never vary and one gap; "
        "the line is 2 log 2. Right: what the cap on the rate costs, K = 32, with 95 % intervals."
    )
    return Page("Why the prefix", ABOUT, tables, figure(found[1], turns, cases), caption, findings)


def _equality(same: Identity, found: list[Terms]) -> Finding:
    worst = max(abs(one.score) for one in found)
    return Finding(
        "regret at the ends of blocks = F_0 + 2 F_1 + 4 (F_2 + F_3 + ...), so lemma 4 is an equality but for 3 losses",
        f"the two exact sums differ by {same.furthest:.1g} of themselves at most, at the ends of {same.ends} blocks; "
        f"the sampled sum lies {abs(same.score):.1f} standard errors from the exact one; on {len(found)} instances "
        f"regret and sum, sampled apart, differ by at most {worst:.1f} standard errors.",
        bool(same.furthest < 1e-9 and max(worst, abs(same.score)) < 4.5),
    )


def _lemma_4(found: list[Terms]) -> Finding:
    used = [one.sums.regret / one.lemma_4 for one in found]
    above = max((one.regret - one.lemma_4) / float(np.hypot(one.regret_error, one.sums.regret_error)) for one in found)
    return Finding(
        "regret at most 1 + 4 (F_1 + F_2 + ...) (lemma 4)",
        f"{min(used):.3f} to {max(used):.3f} of it; the simulated regret is never above it by more than "
        f"{max(above, 0.0):.1f} standard errors.",
        bool(max(used) <= 1 and above < 4.5),
    )


def _lemma_5(found: list[Terms]) -> Finding:
    small = [one.small / one.bound_small for one in found if one.bound_small]
    large = [one.large / one.bound_large for one in found if one.bound_large]
    return Finding(
        "small gaps add up to at most 200 log K / gap (5), large ones to at most 4 log K / rate (6) (lemma 5)",
        f"small gaps to at most {200 * max(small, default=0.0):.2f} log K / gap where the proof has 200, large gaps to "
        f"at most {4 * max(large, default=0.0):.2f} log K / rate where it has 4.",
        max(small + large) <= 1,
    )


def _known(found: list[Terms]) -> Finding:
    alone = [one for one in found if not one.bound_small]
    shares = [one.large * one.rate / log(one.n_actions) for one in alone]
    return Finding(
        "where all gaps are large and equal, the sum of F_m is log K / rate (to within 2 %): (6) needs 1 for its 4",
        f"{min(shares):.3f} to {max(shares):.3f} times log K / rate on {len(alone)} such instances.",
        max(abs(share - 1) for share in shares) <= 0.02,
    )


def _prefix(cases: list[Cost], turns: dict[int, tuple[Floats, Floats]]) -> Finding:
    values = [case.prefix.value for case in cases]
    mean, error = float(np.mean(values)), float(np.linalg.norm([case.prefix.error for case in cases])) / len(cases)
    sizes = sorted({case.n_actions for case in cases})
    means = [np.mean([case.prefix.value for case in cases if case.n_actions == size]) for size in sizes]
    exact = np.concatenate([ratios for _, ratios in turns.values()])
    return Finding(
        "the random prefix costs about 1.4 times the whole block; 2 log 2 = 1.386 on average over the clock's phase",
        f"{mean:.3f} ± {1.96 * error:.3f} on average over {len(cases)} one-gap cases ({min(values):.2f} to "
        f"{max(values):.2f}; least at large gaps and rates, where the first blocks count, which both share), "
        f"{', '.join(f'{m:.2f}' for m in means)} for K = {', '.join(map(str, sizes))}; "
        f"exactly {exact.min():.3f} to {exact.max():.3f} by phase for losses that never vary, {exact.mean():.3f} on "
        "average.",
        bool(abs(mean - 1.4) <= 0.1 and abs(exact.mean() - 2 * log(2)) <= 0.02),
    )


def _cap(cases: list[Cost]) -> Finding:
    top = max(case.epsilon for case in cases)
    at_top = [case for case in cases if case.epsilon == top]
    worst = max(at_top, key=lambda case: case.cap.value)
    least = min(at_top, key=lambda case: case.cap.value)
    constants = [case.regrets[1] / (log(case.n_actions) * (1 / case.gap + 1 / case.epsilon)) for case in cases]
    return Finding(
        f"the cap on the rate costs up to 10 times at epsilon {top:g} (to within a quarter)",
        f"up to {worst.cap} times (K = {worst.n_actions}, gap {worst.gap:g}) and down to {least.cap} (K = "
        f"{least.n_actions}, gap {least.gap:g}): where the gap is small, the losses' own noise costs more than "
        f"privacy. Without the cap theorem 1 is not proved, yet regret is at most {max(constants):.1f} where form (2) "
        "has 1000.",
        7.5 <= worst.cap.value <= 12.5,
    )


def _helps(teeth: list[tuple[float, float]]) -> Finding:
    epsilon, ratio = min(teeth, key=lambda tooth: tooth[1])
    mild = max((tooth for tooth in teeth if tooth[0] <= 4), key=lambda tooth: tooth[0])
    return Finding(
        "there are instances that resonate with the clock of the whole block, on which the random prefix loses less",
        f"{ratio:.3f} times the whole block's regret, exactly, on two actions whose F_m rises, at epsilon {epsilon:g} "
        f"without the cap; at epsilon {mild[0]:g} the softmax is too flat to see this and the ratio is {mild[1]:.3f}.",
        ratio < 1,
    )


def _searched(least: Search) -> Finding:
    below = least.again.value + 1.96 * least.again.error < 1
    groups = ", ".join(f"{size} at {gap:.3f}" for size, gap in zip(least.sizes, least.gaps, strict=True))
    return Finding(
        "such instances at the rates for which theorem 1 is proved, up to 1/8 (asked here, not claimed by the paper)",
        f"{'one' if below else 'none'} among {least.tried} random instances: the smallest ratio was {least.first:.3f}, "
        f"and {least.again} when sampled again (actions at gaps: {groups}). At that rate one loss moves the odds of an "
        f"action by a factor of {exp(1 / 8):.2f} at most.",
        bool(below),
    )
