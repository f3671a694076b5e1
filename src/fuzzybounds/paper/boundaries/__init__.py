"""Weibull boundaries: shape, learning classes, likelihood and fit.

In reading order: :mod:`boundary` (Eq. 1), :mod:`learning_classes`, :mod:`models` (shape x learning
class), :mod:`trials` (what they read), :mod:`recursion` (likelihood and derivatives, compiled),
:mod:`simulate`, :mod:`search` (of one model), :mod:`nesting` (which model contains which),
:mod:`fit` (all models, all subjects) and :mod:`comparison` (over subjects).
Importing the package imports none of them.
"""
