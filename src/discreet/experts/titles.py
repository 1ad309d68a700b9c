"""What a learner is called in tables and figures."""

from __future__ import annotations

from discreet.experts.adaptive_sparse_vector import AdaptiveSparseVectorExperts
from discreet.experts.noisy_leader import NoisyLeader
from discreet.experts.potential import PotentialExperts
from discreet.experts.prefix_softmax import PrefixSoftmax
from discreet.experts.sparse_vector import SparseVectorExperts
from discreet.experts.tree import TreeExperts
from discreet.experts.tree_leader import TreeLeader


def title(learner: object) -> str:
    """The learner's name with the parameters that set it apart.

    >>> title(NoisyLeader(3, epsilon=1.0, noise="gumbel", resample=True))
    'NoisyLeader (gumbel, resampled)'
    """
    marks = []
    if isinstance(learner, NoisyLeader):
        marks = [learner.noise] + ["resampled"] * learner.resample
        marks += ["as printed: 2 epsilon"] * (learner.noise == "exponential" and learner.calibration == "paper")
    if isinstance(learner, PrefixSoftmax):
        marks = ["capped at 1/4"] if learner.capped and learner.epsilon > 1 / 4 else []
    if isinstance(learner, SparseVectorExperts | AdaptiveSparseVectorExperts | PotentialExperts):
        marks = ["the paper's constants"] * (learner.constants == "paper")
    if isinstance(learner, PotentialExperts):
        marks += ["the paper's noise"] * (learner.calibration == "paper")
    if isinstance(learner, TreeExperts):
        marks = [f"{learner.batch} at a time"] * (learner.batch > 1)
    if isinstance(learner, TreeLeader):
        marks = ["least regret"] * (learner.noise == "least-regret")
    return type(learner).__name__ + (f" ({', '.join(marks)})" if marks else "")
