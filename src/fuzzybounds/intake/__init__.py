"""From raw logs, recordings and other laboratories' files to validated trials.

Logs: :mod:`retrieval` (published ones), :mod:`files` (which files are logs), :mod:`sources` (tables
of any kind as text), :mod:`columns`, :mod:`logs` and :mod:`recordings`.  Other laboratories' files:
:mod:`mapping`, :mod:`proposal` and :mod:`importing`.  Judgement: :mod:`study_design` (what a data
set was recorded with), :mod:`checks` (what can be wrong), :mod:`units` (in which unit times and
positions are), :mod:`validation` (judges every row), :mod:`problems` (what a person reads about
it), :mod:`data_warnings` (what a data set is too small for), :mod:`subjects` (all, or the first
few) and :mod:`dataset` (all of it, as one stage).
"""
