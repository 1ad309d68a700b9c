"""The example log of the demo: a made-up clinic that chooses among ways of sending reminders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Mean losses of the twelve actions: two near-best, the others spread out above.
_NAMES = (
    "letter", "call_evening", "text_monday", "call_morning", "email_plain", "app_badge",
    "text_friday", "email_long", "postcard", "call_weekend", "app_push", "letter_color",
)  # fmt: skip
_MEANS = (0.52, 0.44, 0.30, 0.47, 0.56, 0.62, 0.32, 0.60, 0.66, 0.50, 0.54, 0.58)


@dataclass(frozen=True)
class ExampleLog:
    """Losses in [0, 1], (rounds, actions), and the names of the actions."""

    names: tuple[str, ...]
    losses: NDArray[np.float64]


def example_log(rounds: int = 20_000, seed: int = 20_260_101) -> ExampleLog:
    """A log of losses: 12 actions, correlated within a round, two of them near-best (means 0.30 and 0.32).

    A round is a patient. How hard the patient is to reach is a shock that all actions share; each action adds its
    mean and noise of its own, and the sum is clipped to [0, 1]. So losses of one round are correlated (about 0.6),
    rounds are independent, and clipping leaves the order of the means as it is.

    >>> log = example_log(rounds=1000)
    >>> log.losses.shape, log.names[int(log.losses.mean(axis=0).argmin())]
    ((1000, 12), 'text_monday')
    """
    rng = np.random.default_rng(seed)
    shock = rng.normal(0.0, 0.18, size=(rounds, 1))
    own = rng.normal(0.0, 0.15, size=(rounds, len(_MEANS)))
    return ExampleLog(_NAMES, np.clip(np.array(_MEANS) + shock + own, 0.0, 1.0))
