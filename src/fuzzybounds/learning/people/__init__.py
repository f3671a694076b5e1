"""Learning rules fitted to people.

:mod:`sequence` (a subject's trials), :mod:`likelihood`, :mod:`kernel` and :mod:`lattice_pass` (a
trial's probability, averaged over all paths that end at its response), :mod:`fits` (one subject)
and :mod:`subject_fits` (a table of many).
"""
