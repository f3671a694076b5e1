"""How well known truths are found again: simulate subjects, fit them as people, tabulate.

:mod:`rules` (subjects that follow rules), :mod:`boundary_models` and :mod:`stopping` (subjects that
follow boundaries).  Boundaries of sessions: :mod:`~fuzzybounds.beyond.stopping.session_fits`.
"""
