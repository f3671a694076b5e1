"""Every combination of the choices that the paper leaves open.

:mod:`grid` (the engine, also of the sweep over update rules and of the claims about boundaries),
:mod:`specification` (groups and tests) with :mod:`key_cells` (averaged tables).
"""
