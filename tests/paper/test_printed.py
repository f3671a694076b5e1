"""The numbers that the paper prints."""

from fuzzybounds.paper.printed import printed


def test_printed_numbers_are_read_by_claim():
    assert printed("C16") == {"initial": -0.2, "after": 0.6, "trials": 3000, "window": 1000}
    assert printed("C17", "C13") == {"rate": 0.9, "p_first": 0.005, "p_last": 0.005}
    assert printed("C05") == {}


def test_what_is_read_cannot_be_changed_for_others():
    printed("C17")["rate"] = 0.0
    assert printed("C17") == {"rate": 0.9}
