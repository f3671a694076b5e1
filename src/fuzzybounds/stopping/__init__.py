"""Fuzzy rules against boundaries: every model a hazard, all on one likelihood.

In reading order: :mod:`lattice` (bins of time, and where the canoe can be then), :mod:`kernel` and
:mod:`likelihood` (exact sums over all paths, with slopes), :mod:`model` (what a model is, and its
fit), :mod:`boundaries` and :mod:`rules` (the hazards), :mod:`catalogue` (all models by name),
:mod:`data` and :mod:`fits` (subjects, what the canoe tells them about the condition, folds, and
what is left out), :mod:`predictions` (exact, and simulated trials), :mod:`checks` (of predictions),
:mod:`recovery` (simulated subjects, fitted again), :mod:`comparison` with :mod:`answers`,
:mod:`brief` (in every run), :mod:`sessions` (hazards that shift from trial to trial),
:mod:`shuffled_errors` (their control), :mod:`hierarchy` (all sessions, with priors over subjects),
:mod:`session_comparison`, :mod:`session_recovery` and :mod:`session_fits` (parameters for the
simulated cohort, and their recovery).
"""
