"""Tests that could refute what the paper concludes.

:mod:`regression_to_mean` (of groups that are chosen by what is then compared),
:mod:`boundary_direction` (a constant boundary met by a walking canoe), :mod:`bridges` (paths
weighted by their survival under a model).
"""
