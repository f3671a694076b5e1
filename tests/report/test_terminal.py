"""The end of a run: one line per claim, where results are, and whether to trust them."""

from __future__ import annotations

from fuzzybounds.report.terminal import LOOKS
from fuzzybounds.scorecard import verdicts


def test_every_verdict_and_conclusion_has_a_sign():
    words = {word for name, word in vars(verdicts).items() if name.isupper()}
    assert set(LOOKS) == words - {verdicts.CANNOT}
