"""How well known truths are found again: simulate subjects, fit them as people, tabulate.

:mod:`rules` (subjects that follow rules), :mod:`boundary_models`,
:mod:`stopping` and :mod:`sessions` (subjects that follow boundaries).
"""
