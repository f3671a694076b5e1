"""What every package uses: result tables, random numbers, fits, errors.

Tables: :mod:`dictionary` (every table and column), :mod:`words` (that occur in several),
:mod:`thresholds` (of answers), :mod:`tables` (reading and writing), :mod:`results` (a data set's
tables by name) and :mod:`inventory` (what runs have made, and whether it is still whole).  Inputs:
:mod:`documents` (YAML and its schemas), :mod:`subjects` (their order and shards),
:mod:`folder_lock` (a folder that grows), :mod:`errors` and :mod:`suggestions` (what a user may have
meant).  Computation: :mod:`seeds` (random
numbers by name), :mod:`fitting` (of any model to one subject), :mod:`statistics`,
:mod:`model_selection` (over subjects), :mod:`source_graph` (which module needs which) and
:mod:`compilation` (machine code that is never stale).
"""
