"""From raw logs, recordings and other laboratories' files to validated trials.

:mod:`retrieval` (published logs), :mod:`columns`, :mod:`logs` and :mod:`recordings` (files as
text),
:mod:`mapping` (other laboratories' columns), :mod:`checks` (what can be wrong) and
:mod:`validation` (every row is judged), :mod:`study_design` (what a data set was recorded with),
:mod:`data_warnings` (what a data set is too small for).
"""
