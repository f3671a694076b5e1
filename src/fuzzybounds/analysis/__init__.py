"""Comparisons over subjects.

:mod:`design_check` (does the log follow the design?), :mod:`groups` (fast and slow subjects),
:mod:`comparisons` (tests), :mod:`group_comparison` (the stage that joins the two),
:mod:`specification` (every combination of the open choices), :mod:`model_selection` (random
effects), :mod:`boundary_models` and :mod:`learning_in_people` (its two uses).
"""
