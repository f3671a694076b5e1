"""Fuzzy IF-THEN rules behind time-varying decision boundaries.

The modules stand in the order in which data flows through them: :mod:`task` (the canoe),
:mod:`logs` (raw logs to validated trials), :mod:`paths` (recorded or reconstructed canoe paths),
:mod:`samples` (two-class points), :mod:`fuzzy` and :mod:`weibull` (the two models), and
:mod:`figures`.  Importing the package imports none of them: every job pays for what it uses.
"""

__version__ = "0.1.0"
