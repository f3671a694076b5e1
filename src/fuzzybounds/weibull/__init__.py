"""Weibull boundaries: shape, learning classes, likelihood and fit.

Each module builds on those before it: :mod:`boundary` (Eq. 1), :mod:`learning_classes`,
:mod:`models` (shape x learning class), :mod:`trials` (what they read), :mod:`learner` (one trial at
a time), :mod:`simulate`, :mod:`recursion` (likelihood and derivatives, compiled), :mod:`polish`
(steps downhill), :mod:`search` (evolution of local optima), :mod:`nesting` (which model contains
which), :mod:`fit`, :mod:`results` (tables), :mod:`subject_fits` (all fits of many subjects) and
:mod:`recovery`.  Importing the package imports none of them.
"""
