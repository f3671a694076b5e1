"""When do people stop on evidence that the experimenter can see?  Models on one likelihood.

In reading order: :mod:`lattice` (bins of time, and what a subject sees then), :mod:`kernel` and
:mod:`likelihood` (exact sums over all paths, with slopes), :mod:`recorded` (paths that are known),
:mod:`model` (what a hazard and a model are, and how a model is fitted), :mod:`boundaries`,
:mod:`rules` and :mod:`smooth` (the hazards), :mod:`catalogue` (all models by name), :mod:`data`,
:mod:`sequences` (hazards that users write, and other tasks), :mod:`variable_delay` and :mod:`fits`
(subjects, folds, and what is left out), :mod:`predictions` (exact, and simulated trials),
:mod:`outward` and :mod:`surface_view` (where the canoe is heading, and how often people respond
where) with :mod:`direct_view` (in every run), :mod:`checks` (of predictions), :mod:`comparison`
with :mod:`answers`, :mod:`sensitivity` (to bins, priors and delays), :mod:`recovery` (simulated
subjects, fitted again), :mod:`brief` (in every run), :mod:`rule_posterior` (the exact posterior of
rules), :mod:`sessions` (hazards that shift from trial to trial), :mod:`shuffled_errors` (their
control), :mod:`hierarchy` (all sessions, with priors over subjects), :mod:`session_comparison`,
:mod:`session_recovery` and :mod:`session_fits` (parameters for the simulated cohort, and their
recovery), :mod:`designs` (starts and gates) with :mod:`gate` (what their trials say),
:mod:`planning`, :mod:`design_power` and :mod:`design_view` (which design would decide).
"""
