"""Fast and slow subjects (Figs. 13 to 15).

:mod:`fast_and_slow` (who is fast, averaged consequents and outputs), :mod:`comparisons` (tests) and
:mod:`group_comparison` (the stages that join these).
"""
