"""The sentences about claims, made of the numbers that judges find.

:mod:`words` (what is said about a claim), :mod:`policy` (verdicts explained), and by the modules of
judges: :mod:`task`, :mod:`boundaries`, :mod:`worked`, :mod:`groups`, :mod:`rules`, :mod:`learning`,
:mod:`rules_or_boundary`.
"""

from fuzzybounds.scorecard.words import (  # noqa: F401 (each defines words)
    boundaries,
    groups,
    learning,
    rules,
    rules_or_boundary,
    task,
    worked,
)
