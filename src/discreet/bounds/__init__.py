"""Regret bounds as plain functions of numbers, their conditions checked."""

from discreet.bounds.block_leader import block_leader
from discreet.bounds.cesari_colomboni import cesari_colomboni_theorem_1

__all__ = ["block_leader", "cesari_colomboni_theorem_1"]
