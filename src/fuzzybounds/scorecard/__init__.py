"""What the paper says, and whether it holds.

Three layers share no module. Numbers: :mod:`judges` (whether a claim holds), :mod:`verdicts` (the
words for it), :mod:`controls` and :mod:`boundary_controls` (the judges on cohorts of known truth),
:mod:`boundary_multiverse` (how C02 to C04 depend on choices) with :mod:`boundary_counts`,
:mod:`rule_claims` (what the exact posterior of rules says). Data: :mod:`claims` (what the paper
concludes), :mod:`errata` (where the paper contradicts itself or is silent, and the numbers of the
evidence). Words: :mod:`words` (what is said about numbers), :mod:`findings` (both of a claim),
:mod:`scoring` (claims and errata of a data set).
"""
