"""The environments by name, made from the options that were given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discreet.cli.logs import recorded
from discreet.cli.wishes import EnvironmentName, Wish

if TYPE_CHECKING:
    from discreet.environments import Environment

#: Actions of an environment that is made here, at most.
MOST_ACTIONS = 10**7


@dataclass(frozen=True)
class World:
    """An environment, and what is known about it beside."""

    environment: Environment
    n_actions: int
    rounds: int | None = None  # of a recorded log
    hard_gap: float | None = None  # where it is the instance of a lower bound

    @property
    def recorded(self) -> bool:
        """Whether its losses are somebody's, so that all that is computed from them is the owner's."""
        return self.rounds is not None


_KINDS: dict[EnvironmentName, tuple[str, ...]] = {
    EnvironmentName.ONE_GAP: ("gap",),
    EnvironmentName.SPREAD: ("low", "high"),
    EnvironmentName.HARD_FOR_PRIVACY: ("gap",),
    EnvironmentName.BERNOULLI: ("means",),
    EnvironmentName.DETERMINISTIC: ("means",),
    EnvironmentName.CORRELATED: ("means", "gap", "strength"),
    EnvironmentName.TWO_POINT: ("low_losses", "high_losses", "chances"),
    EnvironmentName.LATE_LOSS: ("hard_epsilon",),
    EnvironmentName.ONE_BY_ONE: (),
    EnvironmentName.HALVING: (),
    EnvironmentName.LOG: ("log", "index", "gains", "scale", "clip"),
}


def make_world(wish: Wish) -> World:
    """The environment that was asked for; an option that does not belong to it is refused."""
    for option, value in vars(wish).items():
        if value is not None and option not in ("name", "actions", "rounds", *_KINDS[wish.name]):
            homes = " or ".join(name for name, options in _KINDS.items() if option in options)
            raise ValueError(f"--{_written(option)} goes with --environment {homes}")
    if wish.actions is not None and wish.actions > MOST_ACTIONS:
        raise ValueError(f"--actions is {wish.actions:,}; at most {MOST_ACTIONS:,} are simulated")
    world = _MAKERS[wish.name](wish)
    if wish.actions not in (None, world.n_actions):
        raise ValueError(f"--actions is {wish.actions}, but the losses given are those of {world.n_actions} actions")
    return world


def _one_gap(wish: Wish) -> World:
    from discreet.environments import one_gap

    k = wish.actions or 100
    return World(one_gap(k, _or(wish.gap, 0.1)), k)


def _spread(wish: Wish) -> World:
    from discreet.environments import spread

    k = wish.actions or 100
    return World(spread(k, _or(wish.low, 0.3), _or(wish.high, 0.9)), k)


def _hard_for_privacy(wish: Wish) -> World:
    from discreet.environments import hard_for_privacy

    k, gap = wish.actions or 100, _or(wish.gap, 0.1)
    return World(hard_for_privacy(k, gap), k, hard_gap=gap)


def _bernoulli(wish: Wish) -> World:
    from discreet.environments import Bernoulli

    return _counted(Bernoulli(_numbers(wish, "means")))


def _deterministic(wish: Wish) -> World:
    from discreet.environments import Deterministic

    return _counted(Deterministic(_numbers(wish, "means")))


def _correlated(wish: Wish) -> World:
    from discreet.environments import Correlated, one_gap

    if wish.means is not None and wish.gap is not None:
        raise ValueError("--means and --gap both say what the means are; give one of them")
    strength = _numbers(wish, "strength") if wish.strength else [0.5]
    means = _numbers(wish, "means") if wish.means else one_gap(wish.actions or 100, _or(wish.gap, 0.1)).means
    assert means is not None
    return _counted(Correlated(means, strength if len(strength) > 1 else strength[0]))


def _two_point(wish: Wish) -> World:
    from discreet.environments import TwoPoint

    return _counted(TwoPoint(*(_numbers(wish, name) for name in ("low_losses", "high_losses", "chances"))))


def _late_loss(wish: Wish) -> World:
    from discreet.environments import late_loss

    k = wish.actions or 100
    return World(late_loss(k, _or(wish.hard_epsilon, 0.1), wish.rounds), k)


def _one_by_one(wish: Wish) -> World:
    from discreet.environments import one_by_one

    k = wish.actions or 100
    return World(one_by_one(k, wish.rounds), k)


def _halving(wish: Wish) -> World:
    from discreet.environments import halving

    k = wish.actions or 100
    return World(halving(k, wish.rounds), k)


def _log(wish: Wish) -> World:
    from discreet.losses import Scale
    from discreet.replay import open_log

    if wish.log is None:
        raise ValueError("--environment log wants --log FILE")
    scale = Scale(*(wish.scale or (0.0, 1.0)), clip=bool(wish.clip))
    sequence = recorded(open_log(wish.log, wish.index or (), bool(wish.gains), scale))
    return World(sequence, sequence.n_actions, rounds=len(sequence.units))


_MAKERS: dict[EnvironmentName, Callable[[Wish], World]] = {
    EnvironmentName.ONE_GAP: _one_gap,
    EnvironmentName.SPREAD: _spread,
    EnvironmentName.HARD_FOR_PRIVACY: _hard_for_privacy,
    EnvironmentName.BERNOULLI: _bernoulli,
    EnvironmentName.DETERMINISTIC: _deterministic,
    EnvironmentName.CORRELATED: _correlated,
    EnvironmentName.TWO_POINT: _two_point,
    EnvironmentName.LATE_LOSS: _late_loss,
    EnvironmentName.ONE_BY_ONE: _one_by_one,
    EnvironmentName.HALVING: _halving,
    EnvironmentName.LOG: _log,
}


def _counted(environment: Environment) -> World:
    assert environment.n_actions is not None
    return World(environment, environment.n_actions)


def _numbers(wish: Wish, option: str) -> list[float]:
    text = getattr(wish, option)
    if text is None:
        raise ValueError(f"--environment {wish.name} wants --{_written(option)}")
    return numbers(f"--{_written(option)}", text)


def numbers(option: str, text: str) -> list[float]:
    """The numbers of an option, with commas between them.

    >>> numbers("--means", "0.1, 0.2")
    [0.1, 0.2]
    """
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{option} is {text!r}; it is numbers with commas between them, such as 0.1,0.5,1") from None


def _written(option: str) -> str:
    return option.replace("_", "-")


def _or(given: float | None, usual: float) -> float:
    return usual if given is None else given
