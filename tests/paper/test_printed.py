"""The numbers that the paper prints."""

from fuzzybounds.paper.printed import printed
from fuzzybounds.scorecard.claims import CLAIMS


def test_printed_numbers_are_those_of_the_claims():
    assert printed("C16") == {"initial": -0.2, "after": 0.6, "trials": 3000, "window": 1000}
    for name in ("C16", "C17", "C21"):
        assert CLAIMS[name].printed == printed(name)
