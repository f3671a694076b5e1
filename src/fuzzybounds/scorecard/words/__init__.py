"""The sentences about claims: templates, filled with the numbers that judges find.

``words.yaml`` has the templates, :mod:`words` fills them, :mod:`pieces` makes what is more than one
number, :mod:`rules_or_boundary` says all about B01 and B02,
:mod:`posterior` what the posterior of rules adds, and :mod:`policy` explains verdicts.
"""
