"""Weibull boundaries: shape, learning classes, likelihood, fit and model selection.

The modules stand in the order in which they build on each other: :mod:`boundary` (Eq. 1),
:mod:`models` (shape x learning class), :mod:`likelihood`, :mod:`fit`, :mod:`simulate`,
:mod:`selection`, :mod:`recovery`, and :mod:`evidence` with :mod:`results` for what is reported.
Importing the package imports none of them: only the last ones need numba or pandas.
"""
