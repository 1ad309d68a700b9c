"""What came out on resampling, claim by claim."""

from __future__ import annotations

from studies.page import Finding
from studies.resampling.conditions import CASES, covariance, pairs
from studies.resampling.cost import EPSILONS, Pairs, Search
from studies.resampling.example import MENDED, PRINTED, SWAPPED, worse
from studies.resampling.laws import NOISES, ROUNDING
from tools.table import Table

_LIMIT_EPSILON = 1e4
_BLOCKS = (1, 2, 4, 8, 16, 32, 64)


def on_the_example() -> list[Finding]:
    """The chances after the first round in the paper's example, and in two that mend it."""
    without, resampled = (worse(PRINTED, None, 1.0, b) for b in (False, True))
    near = max(abs(worse(PRINTED, noise, _LIMIT_EPSILON, False) - without) for noise in NOISES)
    rises = [
        worse(PRINTED, noise, epsilon, True) - worse(PRINTED, noise, epsilon, False) > ROUNDING
        for noise in NOISES
        for epsilon in (0.1, 1.0, 10.0, 100.0)
    ]
    longer = [worse(PRINTED, None, 1.0, True, rounds) - worse(PRINTED, None, 1.0, False, rounds) for rounds in _BLOCKS]
    mended = [worse(MENDED, None, 1.0, b) for b in (False, True)]
    swapped = [worse(SWAPPED, None, 1.0, b) for b in (False, True)]
    return [
        Finding(
            "Section 3.1: action 1 always loses 0.3, action 2 loses 0.4 with probability 0.8, else 0; without noise "
            "the worse action 2 is played with probability 0.8 after the first round.",
            f"The probability is {without:.4g}: action 2 leads only when it loses 0. (All three noises at epsilon "
            f"{_LIMIT_EPSILON:,.0f} come within {near:.1g} of it.) With 0.7 in place of 0.8 the mean of action 2 falls "
            f"below 0.3, the worse action is action 1, and it is played with probability {swapped[0]:.4g}.",
            abs(without - 0.8) < ROUNDING,
        ),
        Finding(
            "Section 3.1: with resampling that probability is at most 0.5.",
            f"It is {resampled:.4g}.",
            resampled <= 0.5,
        ),
        Finding(
            "Section 3.1: so resampling lowers the chance of the worse action in the example as printed.",
            f"It raises it, from {without:.4g} to {resampled:.4g} without noise, and in {sum(rises)} of {len(rises)} "
            "cases with noise (three noises, four values of epsilon). Of the blocks of 1, 2, 4, ..., "
            f"{_BLOCKS[-1]} rounds it does so, without noise, in {sum(r > 0 for r in longer)} of {len(_BLOCKS)}.",
            not any(rises),
        ),
        Finding(
            "Some instance with the same means bears the claim out: 0.8 without resampling and at most 0.5 with.",
            "Action 1 always loses 0.3, action 2 loses 0.2 with probability 0.8, else 0.8: "
            f"{mended[0]:.4g} without and {mended[1]:.4g} with.",
            abs(mended[0] - 0.8) < ROUNDING and mended[1] <= 0.5,
        ),
    ]


def on_the_lemma(lemma: Table) -> list[Finding]:
    """Lemma 6 with resampling, and without."""
    cases, broken = (sum(row[column] for row in lemma.rows) for column in (3, 6))
    chances = worse(MENDED, None, 1.0, False), worse(MENDED, "exponential", 10.0, False)
    return [
        Finding(
            "Lemma 6: with resampling a better action is never less likely, and P(j) is at most 1/j.",
            f"Enumerated in {cases:,} cases (three noises, up to {max(row[0] for row in lemma.rows)} actions): "
            f"{broken} break one of the claims.",
            broken == 0,
        ),
        Finding(
            "Without resampling both claims of lemma 6 can fail (the reason that section 3.2 gives for resampling).",
            f"On the example turned round the worse action has {chances[0]:.4g} without noise and {chances[1]:.4g} "
            "with exponential noise at epsilon 10, both above 1/2, exactly.",
            min(chances) > 0.5,
        ),
    ]


def on_conditions() -> list[Finding]:
    """What lemma 6 needs, and what it does not."""
    independent, _, apart, last, together, by_each = CASES
    shown, chances = apart.chances(8, 1.0), last.chances(1, None)
    two, before, after = pairs(40, 8), covariance(False), covariance(True)
    return [
        Finding(
            "The proof of lemma 6 uses that the actions are independent within a round; for dependent 0/1 losses, "
            "which resampling leaves as they are, the claims can fail.",
            "Three actions. Where 1 and 3 lose together and 2 apart: after blocks of 8 rounds with Gumbel noise at "
            f"epsilon 1, P(1) = {shown[0]:.4g} and P(2) = {shown[1]:.4g}. Where 1 and 2 lose together and 3 apart: "
            f"after one round without noise, P(3) = {chances[2]:.4g}, above 1/3. So the proof of theorem 3 does not "
            "reach dependent actions such as those of `Correlated`.",
            apart.order(8, 1.0).inversion > ROUNDING
            and last.order(1, None).excess > ROUNDING
            and independent.order(8, 1.0).holds,
        ),
        Finding(
            "Two actions need no independence: of their difference every value k is at least as likely as -k.",
            f"Over 40 random dependent laws, blocks of up to 8 rounds, with noise and without, P(worse) - P(better) is "
            f"at most {two:.2g}.",
            two <= ROUNDING,
        ),
        Finding(
            "Every action must be resampled by a number of its own; one number for all is not enough.",
            "Actions 1 and 3 always lose 1/2, action 2 loses 0 or 1 with mean 0.52. After blocks of 8 rounds with "
            f"Gumbel noise at epsilon 1, P(2) = {together.chances(8, 1.0)[1]:.4g} with one number for all and "
            f"{by_each.chances(8, 1.0)[1]:.4g} with a number for each; it should be at most 1/3.",
            together.order(8, 1.0).inversion > ROUNDING and by_each.order(8, 1.0).holds,
        ),
        Finding(
            "Numbers of their own do not make dependent actions independent: the covariance of two losses stays as it "
            "was, and only their variances grow.",
            f"Losses (0.2, 0.3) or (0.6, 0.9), evenly: covariance {before[0]:.4g} and {after[0]:.4g} before and after, "
            f"correlation {before[1]:.4g} and {after[1]:.4g}.",
            abs(before[0] - after[0]) < ROUNDING and after[1] < before[1],
        ),
    ]


def on_regret(regrets: Pairs, found: list[Search], many: Table) -> list[Finding]:
    """Where resampling gains and where it costs."""
    best = min(found, key=lambda search: search.gains[0])
    longest = max(search.rounds for search in found)
    private = {s.rounds: min(t.gains[0] for t in found if t.rounds == s.rounds and t.epsilon <= 4) for s in found}
    worst = max(found, key=lambda search: search.costs[0])
    turned = {noise: regrets["the example turned round", noise] for noise in NOISES[1:]}
    still = next(row for row in many.rows if row[0] == "never change, gap 1/64" and row[1] == 16.0)
    return [
        Finding(
            "Section 3.1: resampling strictly reduces the regret of some instances.",
            f"Of {best.tried} instances of two actions (exact, exponential noise) one has a regret with resampling of "
            f"{best.gains[0]:.3f} times that without, at epsilon {best.epsilon:g} over {best.rounds:,} rounds: the "
            "better action always loses a little, the other mostly nothing: resampling makes ties of small losses.",
            best.gains[0] < 1 - ROUNDING,
        ),
        Finding(
            f"Section 3.1 sets no limit to epsilon: it does so for epsilon up to 4 too, over {longest:,} rounds.",
            "The smallest ratio at epsilon up to 4 is "
            + " and ".join(f"{ratio:.4f} over {rounds:,} rounds" for rounds, ratio in private.items())
            + ". A search is no proof.",
            private[longest] < 1 - 1e-6,
        ),
        Finding(
            "Even where it corrects the first block it need not lower the regret: it adds variance to all blocks.",
            "On the example turned round, expected regret without and with resampling: "
            + "; ".join(
                f"{noise}, epsilon {epsilon:g}: {pair.without:.3g} and {pair.resampled:.3g}"
                for noise, row in turned.items()
                for epsilon, pair in zip(EPSILONS, row, strict=True)
                if epsilon in (1.0, EPSILONS[-1])
            )
            + ".",
            all(pair.ratio > 1 for row in turned.values() for pair in row),
        ),
        Finding(
            "Where losses vary little it costs most: they get the variance of 0/1 losses, and with it log(K)/gap.",
            f"Two actions: up to {worst.costs[0]:.3g} times the regret, at epsilon {worst.epsilon:g}. Losses that "
            f"never change, gap 1/64, epsilon 16, simulated: {still[2]:.3g} ± {still[3]:.1g} without, {still[4]:.4g} ± "
            f"{still[5]:.2g} with.",
            still[4] - still[5] > 2 * (still[2] + still[3]),
        ),
        Finding(
            "For losses of 0 and 1 it changes nothing.",
            "The exact regrets are equal with both noises at every epsilon.",
            all(abs(pair.ratio - 1) < ROUNDING for n in NOISES[1:] for pair in regrets["0/1 losses, gap 1/8", n]),
        ),
    ]
