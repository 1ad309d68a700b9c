"""Learners that choose points of a ball, against convex losses."""

from discreet.convex.budget import gaussian_budget
from discreet.convex.net import net
from discreet.convex.net_experts import NetExperts
from discreet.convex.potential_ball import PotentialBall
from discreet.convex.regularization import by_theorem, by_variance
from discreet.convex.tree_ftrl import TreeFTRL

__all__ = ["NetExperts", "PotentialBall", "TreeFTRL", "by_theorem", "by_variance", "gaussian_budget", "net"]
