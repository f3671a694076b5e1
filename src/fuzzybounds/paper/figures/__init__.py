"""Figs. 1 to 17, one module each, and what they share.

:mod:`style` (sizes, colours, saving), :mod:`parts` (what several figures draw) and :mod:`contrast`
(the two subjects of Figs. 10 to 12).

A function ``draw`` takes result tables by their names, and `dataset`, the content of
``dataset.json``.  Where data are insufficient it raises :class:`~fuzzybounds.core.errors.TooFew`.
"""
