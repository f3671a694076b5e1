"""Fuzzy rules against boundaries: every model a hazard, all on one likelihood.

In reading order: :mod:`lattice` (bins of time, and where the canoe can be then), :mod:`kernel` and
:mod:`likelihood` (exact sums over all paths, with slopes), :mod:`model` (what a model is, and its
fit), :mod:`boundaries`, :mod:`rules` (compiled in :mod:`rule_kernel`) and :mod:`controls` (the
hazards), :mod:`two_class` (rules from two-class points), :mod:`observer` (what the canoe tells
about the condition, and the optimal policy), :mod:`catalogue` (all models by name), :mod:`data` and
:mod:`fits` (subjects, folds, and what is left out), :mod:`predictions` (exact, and simulated
trials), :mod:`checks` (of predictions), :mod:`comparison` with :mod:`answers`, :mod:`brief` (in
every run), :mod:`sensitivity` (other bins), :mod:`sessions` (hazards that shift from trial to
trial), :mod:`hierarchy` (all sessions, with priors over subjects) and :mod:`session_fits`
(parameters for the simulated cohort).
"""
