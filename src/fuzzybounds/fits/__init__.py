"""Models of one subject for library users: fitted, judged, simulated and compared alike.

In reading order: :mod:`subject` (what every fit has), :mod:`fuzzy`, :mod:`boundary` and
:mod:`stopping` (the three kinds), :mod:`dispatch` (the one function that fits them by name, and
their list), and :mod:`comparison` (left-out trials, recovery, all subjects together).
"""
