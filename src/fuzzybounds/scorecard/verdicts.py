"""The words for the two results of a claim.

``docs/scorecard.md`` states the policy by which a claim gets a verdict and a conclusion.
"""

from __future__ import annotations

AS_PRINTED = "comes out as printed"
READING = "comes out under a reading"
"""By the default reading of what the paper leaves open; others fail, or were not judged."""
CHANGED = "comes out with a change"
"""A statement that the paper prints has to be changed."""
DIRECTION = "in direction only"
DEPENDS = "depends on the reading"
"""A statement without printed digits holds for some of the readings judged, not for others."""
NOT = "does not come out"
UNDECIDED = "undecided"
"""An interval contains the threshold, or there are too few subjects."""
UNTESTABLE = "not testable"
UNPRINTED = "nothing printed"
"""The paper states it without a number or a test."""
SUPPORTED, UNSUPPORTED = "supported", "not supported"
UNIDENTIFIED = "not identified"
"""Where the truth is known, the method does not find it: another method may."""
CANNOT = "cannot be computed"
"""Stands for our value where there are too few data."""
WITHHELD = "withheld"
"""In a first look: a whole run may contradict what few subjects say."""
