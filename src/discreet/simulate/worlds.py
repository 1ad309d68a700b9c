"""The environment that a simulation was given, made fit for its learner."""

from __future__ import annotations

from discreet.environments import Environment, Made
from discreet.environments.sequence import Maker
from discreet.experts import Learner


def world_for(learner: Learner, environment: Environment | Maker) -> Environment:
    """The environment, or the one that a bare function makes; refused where it has another number of actions."""
    world = environment if isinstance(environment, Environment) else Made(environment)
    if world.n_actions not in (None, learner.n_actions):
        raise ValueError(f"the learner has {learner.n_actions} actions and the environment {world.n_actions}")
    return world
