"""Reinforcement learning of the consequents (Figs. 16 and 17).

In reading order: :mod:`design` (payoffs and chances), :mod:`policy` (when a fuzzy subject stops),
:mod:`policy_value` (what that earns, exactly), :mod:`update_rules` (the paper's rule, and one that
follows the gradient of the reward rate) with its compiled part :mod:`update_kernel`, and
:mod:`paper_simulation` (the stage).
"""
