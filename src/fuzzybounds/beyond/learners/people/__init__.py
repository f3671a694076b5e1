"""Learning rules fitted to people.

:mod:`sequence` (a subject's trials), :mod:`likelihood` and :mod:`kernel` (a trial's probability,
averaged over all paths that end at its response), :mod:`fits` (of one subject, and of many),
:mod:`comparison` (which rule holds for most subjects), and :mod:`post_error` (what follows an
error, without a model).
"""
