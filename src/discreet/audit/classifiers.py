"""Scores for outcomes of several continuous numbers: anything with `fit` and `predict_proba` can give them."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, Protocol

import numpy as np

from discreet.audit.samples import Floats, Outcomes

_RIDGE = 1e-3
_STEPS = 12


class Classifier(Protocol):
    """What is used of a classifier: scikit-learn's fit, but nothing here imports it.

    `audit.lower_bound(..., classifier=HistGradientBoostingClassifier())` is how to use one of theirs.
    """

    def fit(self, features: Any, labels: Any, /) -> Any:
        """Learn to tell label 1 from label 0."""

    def predict_proba(self, features: Any, /) -> Any:
        """The chance of each label for every row, (rows, 2)."""


class QuadraticLogistic:
    """Logistic regression on the columns and their products, which is exact between any two normal laws.

    Columns are put on one scale by their median and quartiles and cut at ten quartile ranges, so that heavy tails
    do no harm; a little ridge keeps perfectly separated samples finite. Newton's method, a fixed number of steps.

    >>> rng = np.random.default_rng(1)
    >>> left, right = rng.normal(0, 1, (500, 2)), rng.normal(0, 2, (500, 2))
    >>> model = QuadraticLogistic().fit(np.concatenate([left, right]), np.repeat([0, 1], 500))
    >>> near, far = model.predict_proba(np.array([[0.0, 0.0], [4.0, 4.0]]))[:, 1]
    >>> bool(near < 0.5 < far)
    True
    """

    def fit(self, features: Outcomes, labels: Outcomes) -> QuadraticLogistic:
        """Learn the weights."""
        low, self._middle, high = np.quantile(features, [0.25, 0.5, 0.75], axis=0)
        self._width = np.where(high > low, high - low, 1.0)
        design = self._design(features)
        self._weights = np.zeros(design.shape[1])
        ridge = _RIDGE * len(design) * np.eye(design.shape[1])
        for _ in range(_STEPS):
            chances = _logistic(design @ self._weights)
            slope = design.T @ (labels - chances) - ridge @ self._weights
            curvature = (design * (chances * (1 - chances))[:, None]).T @ design + ridge
            self._weights = self._weights + np.linalg.solve(curvature, slope)
        return self

    def predict_proba(self, features: Outcomes) -> Floats:
        """The chance of both labels for every row."""
        chances = _logistic(self._design(features) @ self._weights)
        return np.column_stack([1 - chances, chances])

    def _design(self, features: Outcomes) -> Floats:
        scaled = np.nan_to_num(np.clip((features - self._middle) / self._width, -10, 10))
        products = [scaled[:, i] * scaled[:, j] for i, j in combinations_with_replacement(range(scaled.shape[1]), 2)]
        return np.column_stack([np.ones(len(scaled)), scaled, *products])


def _logistic(x: Floats) -> Floats:
    half: Floats = np.tanh(x / 2)
    return (1 + half) / 2
