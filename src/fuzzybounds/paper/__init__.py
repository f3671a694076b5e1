"""What the paper has, in the order of its sections.

:mod:`boundaries` (explicit boundaries, Eq. 1, and their fits: Figs. 1 to 3), :mod:`fuzzy` (the
neuro-fuzzy model, Eqs. 2, fuzzy_O and cross_entropy, and the appendix: Figs. 4 to 12),
:mod:`groups` (fast and slow subjects: Figs. 13 to 15), :mod:`reinforcement` (learning the
consequents, Eq. update_theta_final: Figs. 16 and 17), :mod:`worked_example` (the numbers that the
paper works out), :mod:`printed` (the numbers that it prints) and :mod:`figures`, one module per
figure.  Nothing here imports what goes beyond the paper.

To follow one subject from its log to Fig. 14, read what ``workflow/rules/paper.smk`` calls:
``canoe/samples.py`` (two-class points), ``fuzzy/subject_fits.py`` (the stages) with
``fuzzy/fits.py``, ``fuzzy/wang_mendel.py`` (its rules), ``groups/fast_and_slow.py`` (groups and
averages) and
``figures/fig14_group_consequents.py``.
"""
