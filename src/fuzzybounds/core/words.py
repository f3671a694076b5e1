"""Words that occur in result tables, each defined once."""

from __future__ import annotations

FIRST, LAST = "first", "last"
"""The windows of blocks that the paper compares."""

FAST, MIDDLE, SLOW = "fast", "middle", "slow"
"""The groups of subjects, by their boundary in the first window."""

STUDENT, WELCH, MANN_WHITNEY, PERMUTATION = "student_t", "welch_t", "mann_whitney", "permutation"
"""Tests of two independent samples."""

PAIRED, WILCOXON, SIGN_FLIP = "paired_t", "wilcoxon", "sign_flip"
"""Tests of two paired samples."""

BETWEEN, WITHIN = "between trials", "within trials"
"""Where the noise of a constant boundary is."""

INDEPENDENT, GROUP = "independent", "group"
"""Priors of rules: each subject's alone, or with those of the group."""

CONSTANT_WITHIN = "constant within"
"""The truth of simulated subjects with a constant boundary and noise within trials."""

DIFFER, ALIKE, APPROACH, STAY = "differ", "alike", "approach", "stay"
"""Kinds of simulated cohorts, by the boundaries of their subjects."""
