"""The report: one HTML file that shows every result beside what the paper says about it.

:mod:`page` (the whole), :mod:`text` (numbers and words), :mod:`registry` (what notebooks say about
their figures), :mod:`figures` (pictures and captions),
:mod:`explorer` (fitted rules to play with), :mod:`comparison` (two analyses side by side),
:mod:`provenance` (commit, versions), :mod:`queries` (numbers in sentences),
:mod:`abstract` (what was found), :mod:`article` (the replication in words),
:mod:`linked_data` (claims and tables for other programs), :mod:`crate` (a run to be shared),
:mod:`terminal` (the last lines of a run).
"""
