"""Learning when to respond, beyond the paper's rule.

:mod:`optimum` (the best possible), :mod:`reach` (the best that the fuzzy model can do) with
:mod:`rate_gradient`, :mod:`sweep` (every reading of the paper's rule) with
:mod:`sweep_summary`, :mod:`comparison` (rules side by side) and :mod:`post_error` (what people do
after an error, without a model).
"""
