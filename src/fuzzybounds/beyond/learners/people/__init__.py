"""Learning rules fitted to people.

:mod:`sequence` (a subject's trials), :mod:`step_decisions` (what can be decided on the way),
:mod:`likelihood`, :mod:`kernel` and :mod:`lattice_pass` (a trial's probability, averaged over all
paths that end at its response), :mod:`fits` (one subject), :mod:`subject_fits` (a table of many),
:mod:`comparison` (which rule holds for most subjects), and :mod:`post_error` (what follows an
error, without a model).
"""
