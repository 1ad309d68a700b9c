"""The local model: noise is added where losses arise, and all that comes after is post-processing."""

from discreet.local.adaptive_batch_leader import AdaptiveBatchLeader
from discreet.local.amplification import amplified_trade_off, least_batch_law
from discreet.local.base import ReportLearner
from discreet.local.batch_law import BatchLaw
from discreet.local.containing_batches import heuristic_ratio, simulated_batch_law
from discreet.local.gaussian_report import GaussianReport
from discreet.local.meta_leader import MetaLeader
from discreet.local.random_walk_leader import RandomWalkLeader
from discreet.local.rolling_regression import RollingRegression
from discreet.local.sensitivity import sensitivity_from_counts

__all__ = [
    "AdaptiveBatchLeader",
    "BatchLaw",
    "GaussianReport",
    "MetaLeader",
    "RandomWalkLeader",
    "ReportLearner",
    "RollingRegression",
    "amplified_trade_off",
    "heuristic_ratio",
    "least_batch_law",
    "sensitivity_from_counts",
    "simulated_batch_law",
]
