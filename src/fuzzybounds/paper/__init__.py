"""What the paper says.

:mod:`worked_example` (the numbers of its figures), :mod:`claims` (what it concludes), :mod:`errata`
(where it contradicts itself or is silent), :mod:`scoring` (claims and errata of a data set).
"""
