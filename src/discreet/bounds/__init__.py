"""Regret bounds as plain functions of numbers, their conditions checked.

One function a theorem, named after its authors. A `float` is an explicit bound, every constant included; an `Order`
is a rate without its constant.
"""

from discreet.bounds.agarwal_singh import agarwal_singh
from discreet.bounds.asi import asi_theorem_5, asi_theorem_5_sharp
from discreet.bounds.block_leader import block_leader
from discreet.bounds.cesari_colomboni import (
    cesari_colomboni_lemma_4,
    cesari_colomboni_lemma_5,
    cesari_colomboni_theorem_1,
    cesari_colomboni_theorem_1_simple,
)
from discreet.bounds.hindsight import hindsight
from discreet.bounds.hu import hu_lower, hu_lower_any_gap, hu_upper, hu_upper_any_gap
from discreet.bounds.order import Order
from discreet.bounds.rows import Row, side_by_side
from discreet.bounds.without_privacy import follow_the_leader, free_privacy_gap, non_private_rate, price_of_privacy
from discreet.bounds.wu_wang import wu_wang_corollary_5, wu_wang_corollary_10, wu_wang_theorem_3, wu_wang_theorem_11
from discreet.bounds.wu_wang_constant import (
    softmax_cost,
    softmax_cost_slope,
    wu_wang_lemma_13,
    wu_wang_theorem_11_explicit,
)
from discreet.bounds.wu_wang_lower import wu_wang_theorem_7, wu_wang_theorem_7_sharp

__all__ = [
    "Order",
    "Row",
    "agarwal_singh",
    "asi_theorem_5",
    "asi_theorem_5_sharp",
    "block_leader",
    "cesari_colomboni_lemma_4",
    "cesari_colomboni_lemma_5",
    "cesari_colomboni_theorem_1",
    "cesari_colomboni_theorem_1_simple",
    "follow_the_leader",
    "free_privacy_gap",
    "hindsight",
    "hu_lower",
    "hu_lower_any_gap",
    "hu_upper",
    "hu_upper_any_gap",
    "non_private_rate",
    "price_of_privacy",
    "side_by_side",
    "softmax_cost",
    "softmax_cost_slope",
    "wu_wang_corollary_5",
    "wu_wang_corollary_10",
    "wu_wang_lemma_13",
    "wu_wang_theorem_3",
    "wu_wang_theorem_7",
    "wu_wang_theorem_7_sharp",
    "wu_wang_theorem_11",
    "wu_wang_theorem_11_explicit",
]
