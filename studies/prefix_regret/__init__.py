"""Study 1: the regret of the randomized-prefix softmax, against the bounds of Cesari & Colomboni and of Wu & Wang."""

from __future__ import annotations

from studies.page import Finding, Page
from studies.prefix_regret.cases import ROUNDS, Case, Hard, cases, hard_cases
from studies.prefix_regret.figure import figure
from studies.prefix_regret.fit import Fit, fit, powers
from tools.table import Table

ABOUT = """
Theorem 1 of Cesari & Colomboni (2026) says that `PrefixSoftmax` loses at most 1 + 800 log K / gap + 16 log K / rate in
expectation, rate = min(epsilon/2, 1/8), whatever the horizon, and so at most 1000 (log K / gap + log K / epsilon).
Theorem 7 of Wu & Wang (2026) says that no private learner can lose less than about log K / epsilon. How large is the
regret itself, does it stop growing, and does it depend on K, gap and epsilon as the theorems say?

**How.** Pseudo-regret of `PrefixSoftmax(K, epsilon)` in `one_gap(K, gap)` (losses of 0 and 1, the best mean at
1/2 - gap/2 and all others at 1/2 + gap/2) up to 10^12 rounds, by `simulate.regret`, each case with a seed of its own.
Regret that is kept for a whole block makes heavy tails: the tables give the standard error of each mean relative to
it, and intervals are 95 % by Student's t.

**Flat.** The regret of a run never falls. By Hoeffding's inequality, all that the blocks after round H add is at most
1/10,000 of a loss in expectation, for an H that is worked out for each case; a run that grows after H grows by a gap
times many rounds, so the chance that any run of this study does is below the number that the finding states. The claim
is held to agree if no run grows at all. Apart from the bound, the table says by which round 99 % of the regret was
there.

**Slopes.** Least squares with no negative slope, of the mean regret on log K / gap and log K / rate, each case divided
by its mean: relative errors count alike. Intervals are from 1000 draws of cases with replacement, so they show how
badly the straight form fits as well as sampling error. `rate` stands where the theorem has epsilon, since with the cap
every epsilon from 1/4 on is the same learner: log K / rate is 2 log K / epsilon up to 1/4, and 8 log K from there on.
For losses that never vary the slope on log K / rate is known: the sum of gap (K-1) / (K-1 + e^(rate gap m)) over all
m is log K / rate to within one gap, and 4 times that is the regret (see the study of the prefix).

**Lower bound.** On `hard_for_privacy(K, gap)`, the instance of theorem 7 (K of 6 or more), losses never vary, so
`simulate.exact_regret` gives the expectation without sampling; the average over positions is the same number, since
the learner treats actions alike. With the cap, `PrefixSoftmax` is min(epsilon, 1/4)-private, so the larger lower bound,
that of min(epsilon, 1/4), must hold as well. So must `bounds.wu_wang_theorem_7_sharp`, which is larger: in the proof
action t depends on t - 1 rounds, but t are paid for. (Where the proof says "any t >= T", t <= T is meant.)
"""


def study(quick: bool, jobs: int) -> Page:
    """Simulate the grid, sum the lower bound's instances exactly, and compare."""
    done, hard = cases(quick, jobs), hard_cases(quick)
    line = fit(done)
    findings = [_flat(done), _below(done), _constant(done), *_slopes(line), _one_log(done), _above(hard), _same(done)]
    tables = [_fit_table(line, done), _hard_table(hard), _case_table(line, done)]
    caption = (
        "Left: mean regret of PrefixSoftmax over rounds, with 95 % intervals, for the largest K. Middle: mean regret "
        "of every case against the fitted straight form. Right: regret / (log K / gap + log K / epsilon), where the "
        "paper says 1000."
    )
    return Page("Regret of PrefixSoftmax", ABOUT, tables, figure(line, done), caption, findings)


def _flat(done: list[Case]) -> Finding:
    grown = sum(case.grown for case in done)
    return Finding(
        f"flat in the horizon up to 10^{len(str(ROUNDS)) - 1} rounds",
        f"{grown} of {sum(case.runs for case in done)} runs in {len(done)} cases grew after their H (H between "
        f"{min(case.still_after for case in done):.2g} and {max(case.still_after for case in done):.2g} rounds; chance "
        f"of any at most {sum(case.chance_of_growth for case in done):.1g}); 99 % of the regret was there by round "
        f"{max(case.settles for case in done):.2g} at the latest.",
        grown == 0,
    )


def _below(done: list[Case]) -> Finding:
    first = max(case.high / case.bound_1 for case in done)
    second = max(case.high / case.bound_2 for case in done)
    return Finding(
        "below both forms of theorem 1",
        f"regret is at most {first:.3f} of form (1) and {second:.4f} of form (2), upper ends of the intervals.",
        max(first, second) < 1,
    )


def _constant(done: list[Case]) -> Finding:
    low, high = min(case.constant for case in done), max(case.constant for case in done)
    wide = [case.constant for case in done if case.gap == max(other.gap for other in done)]
    private = [case.constant for case in done if case.epsilon <= 1 / 4]
    return Finding(
        "7 to 15 where the paper says 1000",
        f"{low:.1f} to {high:.1f}. At the largest gap it is {min(wide):.1f} to {max(wide):.1f}, and less where the gap "
        f"is small beside epsilon. With epsilon up to 1/4 it is at most {max(private):.1f}; from there on the cap "
        "keeps the regret where it is while the form falls.",
        low >= 7 and high <= 15,
    )


def _slopes(line: Fit) -> list[Finding]:
    (gap_low, rate_low), (gap_high, rate_high) = line.intervals
    return [
        Finding(
            "slopes of at most 800 on log K / gap and 16 on log K / rate, as in form (1)",
            f"{line.slopes[0]:.2f} [{gap_low:.2f}, {gap_high:.2f}] on log K / gap and {line.slopes[1]:.2f} "
            f"[{rate_low:.2f}, {rate_high:.2f}] on log K / rate (for epsilon up to 1/4, {2 * line.slopes[1]:.2f} on "
            f"log K / epsilon); the form fits to within {100 * line.worst:.0f} % in every case.",
            bool(gap_high <= 800 and rate_high <= 16),
        ),
        Finding(
            "4 on log K / rate (to within 5 %) where the gap is large, as for losses that never vary",
            f"{line.slopes[1]:.2f} [{rate_low:.2f}, {rate_high:.2f}] in the joint fit; regret · rate / log K is "
            f"{line.alone[0]:.2f} to {line.alone[1]:.2f} in the cases whose gap is at least 16 rates, where log K / "
            "gap hardly counts.",
            max(abs(slope - 4) for slope in line.alone) <= 0.05 * 4,
        ),
    ]


def _one_log(done: list[Case]) -> Finding:
    found = powers(done)
    low, high = min(power for power, _ in found), max(power for power, _ in found)
    return Finding(
        "regret grows like log K to the power 1 (to within 0.1), not 2, at every gap and rate",
        f"powers from {low:.3f} to {high:.3f} (standard errors up to {max(error for _, error in found):.3f}).",
        max(1 - low, high - 1) <= 0.1,
    )


def _above(hard: list[Hard]) -> Finding:
    printed = [case.regret / case.lower_true for case in hard]
    sharp = [case.regret / case.lower_sharp for case in hard]
    return Finding(
        "above theorem 7's lower bound on its own instance",
        f"the exact regret is {min(printed):.1f} to {max(printed):.0f} times the lower bound as printed for "
        f"min(epsilon, 1/4), and {min(sharp):.1f} to {max(sharp):.1f} times the sharper one (K from "
        f"{hard[0].n_actions} to {hard[-1].n_actions}).",
        min(printed + sharp) >= 1,
    )


def _same(done: list[Case]) -> Finding:
    capped = sorted({case.epsilon for case in done if case.epsilon > 1 / 4})
    pairs = [
        (one, two)
        for one in done
        for two in done
        if (one.n_actions, one.gap) == (two.n_actions, two.gap) and one.epsilon < two.epsilon and one.rate == two.rate
    ]
    worst = max(abs(one.mean - two.mean) / (one.error**2 + two.error**2) ** 0.5 for one, two in pairs)
    return Finding(
        f"epsilon of {' and '.join(f'{epsilon:g}' for epsilon in capped)} is one and the same learner, by the cap",
        f"{len(pairs)} pairs of independent simulations differ by at most {worst:.1f} standard errors.",
        worst < 4.5,
    )


def _fit_table(line: Fit, done: list[Case]) -> Table:
    rows = [
        [name, float(slope), float(low), float(high), printed]
        for name, slope, low, high, printed in zip(
            ("log K / gap", "log K / rate"), line.slopes, *line.intervals, (800, 16), strict=True
        )
    ]
    return Table("Slopes", ["of", "slope", "low", "high", "theorem 1"], rows, [f"{len(done)} cases."])


def _hard_table(hard: list[Hard]) -> Table:
    columns = [
        "K",
        "epsilon",
        "exact regret",
        "theorem 7 at epsilon",
        "at min(epsilon, 1/4)",
        "sharper",
        "regret / sharper",
    ]
    rows = [
        [case.n_actions, case.epsilon, case.regret, case.lower, case.lower_true, case.lower_sharp, ratio]
        for case, ratio in ((case, case.regret / case.lower_sharp) for case in hard)
    ]
    notes = [f"gap {hard[0].gap:g}, {ROUNDS:.0e} rounds. sharper: `wu_wang_theorem_7_sharp` at min(epsilon, 1/4)."]
    return Table("Theorem 7's instance", columns, rows, notes)


def _case_table(line: Fit, done: list[Case]) -> Table:
    columns = ["K", "gap", "epsilon", "rate", "runs", "regret", "relative error", "fitted", "constant (for 1000)"]
    columns += ["share of form (1)", "99 % by round", "nothing after"]
    notes = ["regret: mean at the last horizon; relative error: one standard error over the mean."]
    return Table("All cases", columns, [_case_row(line, case) for case in done], notes)


def _case_row(line: Fit, case: Case) -> list[int | float]:
    setting = [case.n_actions, case.gap, case.epsilon, case.rate, case.runs]
    found = [case.mean, case.error / case.mean, line.of(case), case.constant, case.mean / case.bound_1]
    return [*setting, *found, case.settles, case.still_after]
