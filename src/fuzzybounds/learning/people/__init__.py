"""Learning rules fitted to people.

:mod:`sequence` (a subject's trials), :mod:`likelihood` and :mod:`kernel` (a trial's probability,
averaged over all paths that end at its response), :mod:`fits` (one subject) and :mod:`subject_fits`
(a table of many).
"""
