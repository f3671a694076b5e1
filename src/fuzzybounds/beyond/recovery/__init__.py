"""How well known truths are found again.

:mod:`rules` (subjects that follow rules), :mod:`boundary_models`,
:mod:`stopping` and :mod:`sessions` (subjects that follow boundaries).
"""
