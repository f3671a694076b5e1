"""What the paper says.

:mod:`worked_example` (the numbers of its figures), :mod:`claims` (what it concludes),
:mod:`boundary_multiverse` (how C02 to C04 depend on open choices), :mod:`errata` (where it
contradicts itself or is silent) with their :mod:`evidence`, :mod:`scoring` (claims and errata of a
data set).
"""
