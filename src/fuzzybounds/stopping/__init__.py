"""Fuzzy rules against boundaries: every model a hazard, all on one likelihood.

In reading order: :mod:`lattice` (bins of time, and where the canoe can be then), :mod:`kernel` and
:mod:`likelihood` (exact sums over all paths, with slopes; :mod:`reference` says the same in
NumPy), :mod:`model` (what a model is), :mod:`boundaries`, :mod:`rules` and :mod:`controls` (the
hazards, compiled in :mod:`hazard_kernel`), :mod:`two_class` (rules from two-class points),
:mod:`advantage` (of the optimal policy), :mod:`belief` (what the canoe tells about the condition),
:mod:`catalogue` (all models by name), :mod:`descent` and :mod:`search` (fits), :mod:`data` and
:mod:`fits` (subjects, folds, and what is left out), :mod:`predictions` (exact, and simulated
trials), :mod:`checks` (of predictions) and :mod:`recovery`.
"""
