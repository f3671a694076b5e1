"""Every combination of the choices that the paper leaves open.

:mod:`grid` (the engine), :mod:`specification` (groups and tests) with :mod:`key_cells` (averaged
tables), :mod:`fit_choices` (penalty and paths of the fuzzy fits).
"""
