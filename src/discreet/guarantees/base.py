"""What every guarantee is: a frozen value with two questions, composition, groups, words and a plot."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, overload

from discreet.guarantees import checks
from discreet.guarantees.checks import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Guarantee(ABC):
    """A promise about everything that is ever released.

    Neighbors are two inputs that differ in one round: any one round's whole loss vector may be replaced.
    A guarantee is true of the release for every pair of neighbors, in both orders, even when each round
    depends on what was released before. Every number errs, where floating point must err, towards less
    privacy: deltas, epsilons and compositions are never too small, trade-off curves never too high.

    Values are frozen, compare and hash by kind and fields, pickle, and have a ``repr`` that evaluates.
    Fields live in the instance's dictionary; ``_delta_at``, ``_epsilon_at`` and ``_betas`` are the three
    answers that a kind must know.

    >>> from discreet.guarantees import PureDP
    >>> PureDP(1.0) == PureDP(1), PureDP(1.0) == PureDP(2.0)
    (True, False)
    """

    kind: ClassVar[str]

    def delta(self, epsilon: float) -> float:
        """Return the smallest delta that this proves at ``epsilon``."""
        return self._delta_at(checks.exponent("epsilon", epsilon))

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon that this proves at ``delta``; infinity where it proves none."""
        delta = checks.probability("delta", delta)
        return 0.0 if delta == 1 else self._epsilon_at(delta)

    @overload
    def trade_off(self, alpha: float) -> float: ...

    @overload
    def trade_off(self, alpha: Floats | Sequence[float]) -> Floats: ...

    def trade_off(self, alpha: float | Floats | Sequence[float]) -> float | Floats:
        """Return the least chance to miss that a test with false-alarm chance ``alpha`` can have."""
        alphas = checks.probabilities("alpha", alpha)
        betas = self._betas(alphas)
        return betas if alphas.ndim else float(betas)

    def compose(self, *others: "Guarantee") -> "Guarantee":
        """Return what holds of all the releases together, each of which may depend on the earlier ones."""
        from discreet.guarantees.composition import compose

        return compose(self, *others)

    def for_group(self, k: int) -> "Guarantee":
        """Return what holds when ``k`` rounds are replaced at once: a person present in ``k`` rounds."""
        k = checks.count("k", k)
        return self if k == 1 else self._for_group(k)

    @abstractmethod
    def words(self) -> str:
        """Return the promise in plain words."""

    def describe(self) -> dict[str, Any]:
        """Return the kind, the fields and the words as JSON-able data; ``from_description`` reads it."""
        fields = {name: list(x) if isinstance(x, tuple) else x for name, x in vars(self).items()}
        return {"kind": self.kind, **fields, "words": self.words()}

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the trade-off curve, and the diagonal on which nothing is revealed."""
        from discreet.guarantees.plot import plot

        return plot(self, ax)

    @abstractmethod
    def _delta_at(self, epsilon: float) -> float: ...

    @abstractmethod
    def _epsilon_at(self, delta: float) -> float: ...

    @abstractmethod
    def _betas(self, alphas: Floats) -> Floats: ...

    @abstractmethod
    def _for_group(self, k: int) -> "Guarantee": ...

    def __str__(self) -> str:
        """Return the plain words."""
        return self.words()

    def __repr__(self) -> str:
        """Return an expression that evaluates to this guarantee."""
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"

    def __eq__(self, other: object) -> bool:
        """Compare kind and fields."""
        if type(other) is not type(self):
            return NotImplemented
        return vars(self) == vars(other)

    def __hash__(self) -> int:
        """Hash kind and fields."""
        return hash((type(self), *vars(self).values()))

    def __reduce__(self) -> tuple[type["Guarantee"], tuple[Any, ...]]:
        """Pickle and copy through the constructor, which checks again."""
        return type(self), tuple(vars(self).values())

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse."""
        raise FrozenInstanceError(f"a guarantee is frozen: make a new one instead of setting {name}")

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse."""
        raise FrozenInstanceError(f"a guarantee is frozen: {name} cannot be deleted")
