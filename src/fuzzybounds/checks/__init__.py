"""What supports or limits the paper's conclusions.

:mod:`controls` (tests that could refute them), :mod:`multiverse` (every combination of the choices
that the paper leaves open), :mod:`recovery` (are known truths found again?), :mod:`learning` (the
optimum, readings of the paper's rule, what follows an error) and :mod:`figures` (the supplementary
ones).
"""
