"""Learners: rules that choose one of K actions each round and learn every action's loss afterwards."""

from discreet.experts.ada_hedge import AdaHedge
from discreet.experts.adaptive_sparse_vector import AdaptiveSparseVectorExperts
from discreet.experts.base import Learner
from discreet.experts.follow_the_leader import FollowTheLeader
from discreet.experts.hedge import Hedge
from discreet.experts.noisy_leader import NoisyLeader
from discreet.experts.potential import PotentialExperts
from discreet.experts.prefix_softmax import PrefixSoftmax
from discreet.experts.private_leader import PrivateLeader
from discreet.experts.sparse_vector import SparseVectorExperts
from discreet.experts.tree import TreeExperts
from discreet.experts.tree_leader import TreeLeader

__all__ = [
    "AdaHedge",
    "AdaptiveSparseVectorExperts",
    "FollowTheLeader",
    "Hedge",
    "Learner",
    "NoisyLeader",
    "PotentialExperts",
    "PrefixSoftmax",
    "PrivateLeader",
    "SparseVectorExperts",
    "TreeExperts",
    "TreeLeader",
]
