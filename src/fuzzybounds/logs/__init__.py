"""From raw logs, recordings and other laboratories' files to validated trials.

Reading: :mod:`retrieval` (published logs), :mod:`files` (which files are logs), :mod:`sources`
(tables of any kind as text), :mod:`columns`, :mod:`reading` and :mod:`recordings`.  Other
laboratories' files: :mod:`proposal` and :mod:`importing`.  Judgement: :mod:`study_design` (what a
data set was recorded with), :mod:`registration` (what was frozen before), :mod:`units` (of times
and positions), :mod:`validation` (judges every row), :mod:`problems` (what a person reads about
it), :mod:`dataset` (all of it, as one stage), :mod:`design_check` (does a log follow the design?)
and :mod:`subject_designs` (whose canoe did not).
"""
