"""How well known truths are found again: simulate subjects, fit them as people, tabulate.

:mod:`rules` (subjects that follow rules) with :mod:`rule_tables`.  Stopping models:
:mod:`fuzzybounds.stopping.recovery`.
"""
