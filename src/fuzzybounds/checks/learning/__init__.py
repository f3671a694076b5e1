"""Learning when to respond, beyond the paper's rule.

:mod:`optimum` (the best possible), :mod:`sweep` (every reading of the paper's rule) with
:mod:`sweep_summary`, and :mod:`post_error` (what people do after an error, without a model).
"""
