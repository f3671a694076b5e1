"""Fuzzy IF-THEN rules behind time-varying decision boundaries.

The packages follow the data: :mod:`canoe` (the task), :mod:`intake` (raw logs to validated trials),
:mod:`fuzzy` and :mod:`weibull` (the two models), :mod:`learning` (reinforcement), :mod:`cohort`
(simulated subjects), :mod:`analysis` (comparisons over subjects), :mod:`paper` (claims and errata),
:mod:`figures` and :mod:`report`; :mod:`storage` keeps their tables.  Importing the package imports
none of them, so that every job loads only what it uses.
"""

__version__ = "0.1.0"
