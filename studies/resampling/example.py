"""Wu & Wang's example for resampling: who leads after a block, with and without it."""

from __future__ import annotations

from discreet.environments import Environment, TwoPoint
from studies.resampling.laws import NOISES, after_block, block_law, selection
from tools.table import Table

#: As printed: action 1 always loses 0.3, action 2 loses 0.4 with probability 0.8, else 0.
PRINTED = TwoPoint(low=[0.3, 0.0], high=[0.3, 0.4], chance=[0.0, 0.8])
#: The same means, turned round: action 2 loses 0.2 with probability 0.8, else 0.8.
MENDED = TwoPoint(low=[0.3, 0.2], high=[0.3, 0.8], chance=[0.0, 0.2])
#: One digit changed: 0.4 with probability 0.7. Now action 2 is the better one, and action 1 leads too often.
SWAPPED = TwoPoint(low=[0.3, 0.0], high=[0.3, 0.4], chance=[0.0, 0.7])

EXAMPLES: dict[str, Environment] = {
    "as printed: 0.3; 0.4 w.p. 0.8, else 0": PRINTED,
    "turned round: 0.3; 0.2 w.p. 0.8, else 0.8": MENDED,
    "0.7 for 0.8: 0.3; 0.4 w.p. 0.7, else 0": SWAPPED,
}


def worse(environment: Environment, how: str | None, epsilon: float, resample: bool, rounds: int = 1) -> float:
    """The chance that the action with the larger mean is played after a block; without noise where `how` is None."""
    drawn = next((selection(noise, epsilon) for noise in NOISES if noise == how), None)
    means = environment.means
    assert means is not None
    return float(after_block(drawn, block_law(environment, rounds, resample), rounds)[means.argmax()])


def first_block_table(epsilons: list[float]) -> Table:
    """The worse action after the first round, for each noise and epsilon, and in the limit."""
    shown = [f"epsilon {epsilon:g}" for epsilon in epsilons]
    table = Table("P(the worse action) after the first round", ["losses", "noise", "resampled", *shown, "no noise"])
    for name, environment in EXAMPLES.items():
        for noise in NOISES:
            for resample in (False, True):
                chances = [worse(environment, noise, epsilon, resample) for epsilon in epsilons]
                limit = worse(environment, None, 1.0, resample)
                table.rows.append([name, noise, resample, *chances, limit])
    table.notes.append(
        "`no noise` is the limit of all three as epsilon grows: the smallest total wins, equal ones share."
    )
    return table


def later_blocks_table(blocks: list[int]) -> Table:
    """The worse action after a block of so many rounds, without noise."""
    title = "P(the worse action) after a block of n rounds, without noise"
    table = Table(title, ["losses", "resampled", *(f"n = {n}" for n in blocks)])
    for name, environment in EXAMPLES.items():
        for resample in (False, True):
            table.rows.append([name, resample, *(worse(environment, None, 1.0, resample, n) for n in blocks)])
    return table
