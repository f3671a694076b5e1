"""Simulated subjects whose truth is known.

:mod:`boundary_subjects` (subjects with the parameters of people), :mod:`fuzzy_subjects` (subjects
that follow fuzzy rules), :mod:`sessions` (what they do in the task) with
:mod:`validated`.
"""
