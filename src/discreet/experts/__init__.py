"""Learners: rules that choose one of K actions each round and learn every action's loss afterwards."""

from discreet.experts.ada_hedge import AdaHedge
from discreet.experts.base import Learner
from discreet.experts.follow_the_leader import FollowTheLeader
from discreet.experts.hedge import Hedge
from discreet.experts.noisy_leader import NoisyLeader
from discreet.experts.prefix_softmax import PrefixSoftmax
from discreet.experts.private_leader import PrivateLeader

__all__ = ["AdaHedge", "FollowTheLeader", "Hedge", "Learner", "NoisyLeader", "PrefixSoftmax", "PrivateLeader"]
