"""The canoe task in the browser: from a person in front of a screen to a valid data set.

:mod:`command` (``fuzzybounds task``), :mod:`configuration` (what a study fixes, texts, consent),
:mod:`server` (this machine only), :mod:`messages` (what the page sends, and what becomes of it),
:mod:`folder` and :mod:`participants` (what is on disk), :mod:`durable` (files that grow by whole
rows), :mod:`offline` (the task as one file without a server).  The page itself is in ``page/``;
defaults, texts and schemas are in ``study/``.
"""
