"""The judges of the claims: numbers, and no sentence.

:mod:`judge` (what a judge is), :mod:`task` (C01, C17, C23, C27), :mod:`boundaries` (C02 to C04,
C22, C24), :mod:`worked` (C05 to C08, C21), :mod:`groups` (C09, C13, C14), :mod:`rules` (C10 to
C12, C15, C18 to C20, C25, C26), :mod:`learning` (C16), :mod:`rules_or_boundary` (B01 and B02, which
the paper concludes without a test).
"""
