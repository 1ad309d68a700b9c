"""What every learner keeps: one function a property, each given a way to make the learner.

`make(**changes)` builds the learner with 3 actions, no seed and one run, unless `changes` say otherwise. Seeds are
fixed; a statistical check fails by accident with probability 1e-6.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.experts.checks.acting import (
    a_table_without_rounds_plays_nothing,
    acting_twice_is_the_same,
    actions_are_whole_numbers_in_range,
    losses_are_left_alone,
    many_runs_take_losses_of_their_own_or_shared,
    play_is_the_loop,
    runs_learn_from_their_own_losses,
    the_array_of_actions_is_the_callers,
)
from tests.experts.checks.laws import (
    a_seed_promises_nothing,
    an_easy_stream_is_learnt,
    equal_losses_leave_all_actions_equally_likely,
    extreme_losses_are_borne,
    permuting_the_actions_permutes_the_law,
    runs_are_independent,
)
from tests.experts.checks.parameters import (
    a_seed_may_be_any_kind_of_whole_number,
    clones_are_equal_and_fresh,
    equality_is_that_of_parameters,
    parameters_can_be_read_and_set,
    representations_evaluate,
)
from tests.experts.checks.playing import K, Make, loop, losses, refuses
from tests.experts.checks.refusals import (
    a_bad_loss_of_one_run_is_not_called_a_round,
    bad_losses_change_nothing,
    bad_numbers_of_actions_are_refused,
    bad_numbers_of_runs_are_refused,
    bad_seeds_are_refused,
)
from tests.experts.checks.states import (
    a_broken_state_changes_nothing,
    a_forged_state_changes_nothing,
    a_state_goes_on_exactly,
    a_state_is_a_snapshot,
    a_state_of_another_learner_is_refused,
    a_state_without_a_seed_is_refused_by_a_seeded_learner,
    a_state_without_a_seed_keeps_totals_and_action,
    pickles_and_copies_keep_the_pending_action,
)

__all__ = [
    "CHECKS",
    "K",
    "Make",
    "a_bad_loss_of_one_run_is_not_called_a_round",
    "a_broken_state_changes_nothing",
    "a_forged_state_changes_nothing",
    "a_seed_may_be_any_kind_of_whole_number",
    "a_seed_promises_nothing",
    "a_state_goes_on_exactly",
    "a_state_is_a_snapshot",
    "a_state_of_another_learner_is_refused",
    "a_state_without_a_seed_is_refused_by_a_seeded_learner",
    "a_state_without_a_seed_keeps_totals_and_action",
    "a_table_without_rounds_plays_nothing",
    "acting_twice_is_the_same",
    "actions_are_whole_numbers_in_range",
    "an_easy_stream_is_learnt",
    "bad_losses_change_nothing",
    "bad_numbers_of_actions_are_refused",
    "bad_numbers_of_runs_are_refused",
    "bad_seeds_are_refused",
    "clones_are_equal_and_fresh",
    "equal_losses_leave_all_actions_equally_likely",
    "equality_is_that_of_parameters",
    "extreme_losses_are_borne",
    "loop",
    "losses",
    "losses_are_left_alone",
    "many_runs_take_losses_of_their_own_or_shared",
    "parameters_can_be_read_and_set",
    "permuting_the_actions_permutes_the_law",
    "pickles_and_copies_keep_the_pending_action",
    "play_is_the_loop",
    "refuses",
    "representations_evaluate",
    "runs_are_independent",
    "runs_learn_from_their_own_losses",
    "the_array_of_actions_is_the_callers",
]

CHECKS: list[Callable[[Make], None]] = [
    acting_twice_is_the_same,
    actions_are_whole_numbers_in_range,
    the_array_of_actions_is_the_callers,
    losses_are_left_alone,
    many_runs_take_losses_of_their_own_or_shared,
    runs_learn_from_their_own_losses,
    play_is_the_loop,
    a_table_without_rounds_plays_nothing,
    a_state_goes_on_exactly,
    a_state_without_a_seed_keeps_totals_and_action,
    a_state_is_a_snapshot,
    a_state_of_another_learner_is_refused,
    a_state_without_a_seed_is_refused_by_a_seeded_learner,
    a_broken_state_changes_nothing,
    a_forged_state_changes_nothing,
    pickles_and_copies_keep_the_pending_action,
    representations_evaluate,
    a_seed_may_be_any_kind_of_whole_number,
    clones_are_equal_and_fresh,
    parameters_can_be_read_and_set,
    equality_is_that_of_parameters,
    bad_numbers_of_actions_are_refused,
    bad_numbers_of_runs_are_refused,
    bad_seeds_are_refused,
    bad_losses_change_nothing,
    a_bad_loss_of_one_run_is_not_called_a_round,
    extreme_losses_are_borne,
    equal_losses_leave_all_actions_equally_likely,
    an_easy_stream_is_learnt,
    permuting_the_actions_permutes_the_law,
    runs_are_independent,
    a_seed_promises_nothing,
]
