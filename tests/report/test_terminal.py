"""The end of a run: one line per claim, where results are, and whether to trust them."""

from __future__ import annotations

from fuzzybounds.report.terminal import LOOKS
from fuzzybounds.scorecard.claims import claim


def test_every_verdict_and_conclusion_has_a_sign():
    groups = {claim.ARITHMETIC, claim.DESIGN, claim.EMPIRICAL}
    about = {claim.EXPERIMENT_A, claim.ANYONE, claim.UNPUBLISHED}
    words = {word for name, word in vars(claim).items() if name.isupper() and isinstance(word, str)}
    assert set(LOOKS) == words - groups - about - {claim.CANNOT}
