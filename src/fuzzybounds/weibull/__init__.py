"""Weibull boundaries: shape, learning classes, likelihood and fit.

Each module builds on those before it: :mod:`boundary` (Eq. 1), :mod:`models` (shape x learning
class), :mod:`trials` (what they read), :mod:`learning_classes` (one trial at a time), :mod:`kernel`
and :mod:`likelihood` (compiled), :mod:`derivatives` (of several parameter vectors at once),
:mod:`scoring` (steps downhill), :mod:`nesting` (which model contains which), :mod:`leaps` and
:mod:`noise` (places to which no slope leads), :mod:`search`, :mod:`restarts` and :mod:`fit`,
:mod:`simulate`, :mod:`results` (tables), :mod:`subject_fits` (all fits of many subjects) and
:mod:`recovery`.  Importing the package imports none of them, so that a job loads Numba and pandas
only if it uses them.
"""
