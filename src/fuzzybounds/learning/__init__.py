"""Learning when to respond: the paper's rule, the optimum, and a rule that gets near it.

In reading order: :mod:`design` (payoffs and chances), :mod:`optimum` and :mod:`optimum_tables` (the
best possible), :mod:`policy` and :mod:`policy_value` (what a given stop probability earns,
exactly), :mod:`reach` and :mod:`reach_table` (the best that the fuzzy model can do),
:mod:`update_rules` and :mod:`update_kernel` (the paper's rule, and two that climb the reward rate),
:mod:`curves` (how well they do), :mod:`paper_simulation` (Figs. 16 and 17), :mod:`sweep` (every
reading of the paper's rule), :mod:`comparison` (rules side by side) and :mod:`people` (the rules
fitted to people).
"""
