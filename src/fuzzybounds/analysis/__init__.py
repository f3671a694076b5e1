"""Comparisons over subjects.

:mod:`design_check` (does the log follow the design?), :mod:`groups` (fast and slow subjects),
:mod:`comparisons` (tests), :mod:`regression_to_mean` (their control), :mod:`group_comparison` (the
stage that joins these), :mod:`specification` and :mod:`key_cells` (every combination of the open
choices; :mod:`choices`, :mod:`printed_digits`), :mod:`fit_choices` (penalty and paths of the fuzzy
fits), :mod:`intervals` (of shares), :mod:`model_selection` (random effects),
:mod:`boundary_models` with :mod:`boundary_direction` (its control), :mod:`learning_in_people` and
:mod:`stopping_comparison` (its uses; :mod:`stopping_answers`), :mod:`stopping_power` and
:mod:`stopping_sensitivity` (the controls of the last), and :mod:`session_fits`
(boundaries that shift from trial to trial: the parameters of the simulated cohort) with
:mod:`session_recovery`.
"""
