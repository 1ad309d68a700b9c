"""Parameters, copies, repr and equality, all read off the signature of `__init__`."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from discreet.selection.base import positive


class Parametric:
    """Something whose parameters are the arguments of its `__init__`, each kept as an attribute of that name.

    Where the attribute holds what was made of the argument, `_given` keeps the argument itself.
    """

    _given: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def _signature(cls) -> dict[str, Any]:
        """The name and default of each parameter."""
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters}

    def get_params(self) -> dict[str, Any]:
        """The parameters by name."""
        return {name: self._given.get(name, getattr(self, name)) for name in self._signature()}

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters and start afresh: a state belongs to the parameters it was made with."""
        unknown = sorted(parameters.keys() - self._signature().keys())
        if unknown:
            known = ", ".join(self._signature())
            raise ValueError(f"{type(self).__name__} has no parameter {unknown[0]!r}; it has {known}")
        made = type(self)(**(self.get_params() | parameters))
        self.__dict__.clear()
        self.__dict__.update(made.__dict__)
        return self

    def clone(self) -> Self:
        """A fresh one with the same parameters, which has seen nothing."""
        return type(self)(**self.get_params())

    def __repr__(self) -> str:
        defaults = self._signature()
        shown = {name: value for name, value in self.get_params().items() if not _same(value, defaults[name])}
        return f"{type(self).__name__}({', '.join(f'{name}={_written(value)}' for name, value in shown.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parametric) and type(self) is type(other) and self.get_params() == other.get_params()

    __hash__ = None  # type: ignore[assignment]


def _same(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and value == default)


def _written(value: object) -> str:
    """A value as an expression; infinity has no name of its own."""
    return "float('inf')" if isinstance(value, float) and value == math.inf else repr(value)


def whole(name: str, value: object, least: int) -> int:
    """A whole number, at least `least`, or one sentence that says what was given."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{name} is {value!r}; it must be a whole number, at least {least}")
    if value < least:
        raise ValueError(f"{name} is {value}; it must be at least {least}")
    return int(value)


def privacy_level(epsilon: object) -> float:
    """An epsilon: a number above 0, with room to spare for what is computed from it in floats."""
    level = positive("epsilon", epsilon)
    if not 1e-280 <= level <= 1e280:
        raise ValueError(f"epsilon is {level}; it must lie between 1e-280 and 1e+280")
    return level
