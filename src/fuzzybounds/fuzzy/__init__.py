"""The fuzzy model of the paper: heuristic IF-THEN rules instead of a decision boundary.

The modules follow the order of the paper: :mod:`membership` and :mod:`rules` (what the subject
says), :mod:`controller` (what the subject then wants to do), :mod:`likelihood`, :mod:`network`
(Fig. 7), :mod:`wang_mendel` (structure learning), :mod:`backpropagation` (the appendix, layer by
layer), :mod:`kernel`, :mod:`optimisers` and :mod:`tuning` (the same gradients, fused, for use),
:mod:`fits`, :mod:`subject_fits` and :mod:`recovery` (tables of many fits); and beyond the paper
:mod:`bridges` and :mod:`survival` (survival-weighted paths) and :mod:`estimator` (scikit-learn).
"""
