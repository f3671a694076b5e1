"""What the paper has, in the order of its sections.

:mod:`boundaries` (explicit boundaries and their fits: Figs. 1 to 3), :mod:`fuzzy` (the neuro-fuzzy
model: Figs. 4 to 12), :mod:`groups` (fast and slow subjects: Figs. 13 to 15), :mod:`reinforcement`
(learning the consequents: Figs. 16 and 17), :mod:`worked_example` (the numbers that the paper works
out) and :mod:`figures`, one module per figure.  Nothing here imports :mod:`fuzzybounds.beyond`.
"""
