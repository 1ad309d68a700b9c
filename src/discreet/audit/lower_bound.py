"""How much a sampler certainly reveals: a bound of epsilon from below, at a stated confidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.audit.cells import learned
from discreet.audit.classifiers import Classifier
from discreet.audit.clopper_pearson import at_least, at_most
from discreet.audit.events import Event, Prefixes, prefixes
from discreet.audit.samples import Floats, Sampler, check_alike, draw, inside, share, whole


@dataclass(frozen=True)
class LowerBound:
    """No claim of less than `epsilon` (at this `delta`) is true, unless the samples are of the unlucky kind.

    `event` is likelier under `likelier` ("losses" or "neighbor"), where its chance is `least` or more; under the
    other it is `most` or less. `runs` counts all draws, those for choosing the event included.
    """

    epsilon: float
    delta: float
    confidence: float
    event: Event
    likelier: str
    least: float
    most: float
    runs: int

    def __str__(self) -> str:
        """The finding in plain words."""
        other = "neighbor" if self.likelier == "losses" else "losses"
        sure = f"with confidence {self.confidence:g}, epsilon is at least {self.epsilon:.4g} at delta {self.delta:g}"
        return (
            f"{sure}: {self.event!r} has a chance of {self.least:.4g} or more under the {self.likelier} "
            f"and of {self.most:.4g} or less under the {other} ({self.runs} runs in all)"
        )


def lower_bound(
    sampler: Sampler,
    losses: object,
    neighbor: object,
    runs: int,
    confidence: float = 0.95,
    delta: float = 0.0,
    *,
    classifier: Classifier | None = None,
) -> LowerBound:
    """Bound the epsilon of any sampler from below, by one event that some samples choose and others certify.

    `sampler(losses, runs)` returns an array with one independent outcome a run: (runs,) or (runs, n); whole numbers
    (actions, sequences of actions) or floats. `runs` counts all that is drawn: half of it under the losses, half
    under the neighbor. The first half of either sample chooses the event and the order of the two sides: the
    prefix, by estimated likelihood ratio, that promises the best bound. The second half certifies.

    **Why it holds.** The second half is independent of the event, so each count is binomial. Clopper and Pearson's
    bounds p >= low and q <= high fail with probability (1 - confidence) / 2 each; there is one event and one order,
    both fixed beforehand, so the union over these two failures is all that there is. Where neither fails,
    (epsilon, delta) privacy says low <= p <= e^epsilon q + delta <= e^epsilon high + delta.

    Outcomes that do not repeat are cut into intervals; those of several floats are scored by a classifier first,
    logistic regression on products of columns unless another is given (`classifier=`, anything with scikit-learn's
    `fit` and `predict_proba`). A poor classifier makes the bound small, never wrong.

    >>> import math
    >>> rng = np.random.default_rng(1)
    >>> def truth_in_three_of_four(losses, runs):
    ...     return np.where(rng.random(runs) < 0.75, losses, 1 - losses)
    >>> found = lower_bound(truth_in_three_of_four, 0, 1, runs=40_000, confidence=0.99)
    >>> found.event, found.likelier, 1.0 < found.epsilon < math.log(3)
    (Event({0}), 'losses', True)
    """
    each = whole("runs", runs, least=8) // 2
    miss = (1 - inside("confidence", confidence)) / 2
    delta = share("delta", delta)
    left, right = draw(sampler, losses, each), draw(sampler, neighbor, each)
    check_alike(left, right)
    half = each // 2
    event, swapped = _choose(
        prefixes(learned(left[:half], right[:half], classifier), left[:half], right[:half]), half, miss, delta
    )
    hits, strays = event.count(left[half:]), event.count(right[half:])
    if swapped:
        hits, strays = strays, hits
    least, most = float(at_least(hits, each - half, miss)), float(at_most(strays, each - half, miss))
    epsilon = max(0.0, float(_epsilon(np.array(least), np.array(most), delta)))
    return LowerBound(
        epsilon, delta, float(confidence), event, "neighbor" if swapped else "losses", least, most, 2 * each
    )


def _choose(found: Prefixes, half: int, miss: float, delta: float) -> tuple[Event, bool]:
    """The event whose bound would be best if it were hit as often again, and whether the neighbor likes it more."""
    if not found.hits.size:  # a single cell: nothing that could tell
        return found.event(0, 0), False
    promised = _epsilon(at_least(found.hits, half, miss), at_most(found.strays, half, miss), delta)
    row, column = np.unravel_index(int(np.argmax(promised)), promised.shape)
    return found.event(int(row), int(column)), bool(row)


def _epsilon(least: Floats, most: Floats, delta: float) -> Floats:
    left = np.maximum(least - delta, 0.0)
    return np.log(np.where(left > 0, left, 1e-300)) - np.log(most)
