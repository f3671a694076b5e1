"""Fast and slow subjects (Figs. 13 to 15).

:mod:`fast_and_slow` (the stages: who is fast, averaged rules and outputs) and :mod:`comparisons`
(the tests of Fig. 15).
"""
