"""The fuzzy model of the paper: heuristic IF-THEN rules instead of a decision boundary.

The modules follow the paper: :mod:`membership` and :mod:`rules` (what the subject says),
:mod:`controller` (what the subject then wants to do), :mod:`likelihood`, :mod:`network` (Fig. 7 and
the appendix, equation by equation), :mod:`wang_mendel` (structure learning), :mod:`tuning`
(parameter estimation), :mod:`fits` (of many sets of points), :mod:`fitted` (their tables) and
:mod:`subject_fits` (the stages: windows, trials and normalisation of points).
:mod:`fuzzybounds.classifier` is the same model for scikit-learn.
"""
