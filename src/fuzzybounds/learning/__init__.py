"""Learning when to respond: the paper's rule, the optimum, and a rule that gets near it.

In reading order: :mod:`process` (the task as a decision process), :mod:`optimum` (the best that
anybody can do), :mod:`policy` and :mod:`evaluation` (what a given stop probability earns, exactly),
:mod:`simulator` (the same by chance, fast), :mod:`reach` (the best that the fuzzy model can do),
:mod:`learner` (the paper's rule, and two that climb the reward rate), :mod:`curves` (how well they
do), :mod:`trial` (one trial, rule by rule) and :mod:`human` (the rules fitted to people).
"""
