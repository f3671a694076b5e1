"""What the paper says, and whether it holds.

:mod:`claims` (what it concludes), :mod:`boundary_multiverse` (how C02 to C04 depend on choices),
:mod:`errata` (where it contradicts itself or is silent, with evidence), :mod:`scoring` (claims and
errata of a data set), :mod:`controls` and :mod:`boundary_controls` (the judges on
cohorts of known truth).
"""
