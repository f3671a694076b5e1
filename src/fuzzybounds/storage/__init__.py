"""Result tables and everything about keeping them.

:mod:`registry` (every table and column), :mod:`tables` (reading and writing), :mod:`results` (a
data set's tables by name), :mod:`checksums`, :mod:`schemas` (configuration), :mod:`seeds` (random
numbers by name), :mod:`sharding` (subjects in separate files), :mod:`natural_order` (S2 before
S10), :mod:`source_graph` (which module needs which), :mod:`compilation` (machine code that is never
stale), :mod:`elementary` (exp and log, the same on every processor), :mod:`damped_step` (of
scoring, likewise), :mod:`fitting` (of any model to one subject), :mod:`comparison` (two runs, to
the digits that hold), :mod:`folder_lock` (reading a folder that grows), :mod:`first_look` (results
of few subjects) and :mod:`errors`.
"""
