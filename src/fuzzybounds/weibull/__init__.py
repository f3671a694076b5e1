"""Weibull boundaries: shape, learning classes, likelihood, fit and model selection.

The modules stand in the order in which they build on each other: :mod:`boundary` (Eq. 1),
:mod:`models` (shape x learning class), :mod:`trials` (what they read), :mod:`learner` (one trial at
a time), :mod:`kernel` and :mod:`likelihood` (compiled), :mod:`search` and :mod:`fit`,
:mod:`simulate`, :mod:`selection`, :mod:`results` (tables) and :mod:`recovery`.  Importing the
package imports none of them: numba and pandas are paid for by those who use them.
"""
