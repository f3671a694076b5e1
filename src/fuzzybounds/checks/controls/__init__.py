"""Tests that could refute what the paper concludes.

:mod:`regression_to_mean` (of groups that are chosen by what is then compared),
:mod:`boundary_direction` (a constant boundary met by a walking canoe), :mod:`known_boundaries`
(subjects simulated with boundaries that fall or stay), :mod:`simulated_groups` (cohorts whose
boundaries differ or approach each other), :mod:`bridges` (paths
weighted by their survival under a model).
"""
