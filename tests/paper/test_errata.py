"""Evidence of the errata that tables give."""

import pandas as pd

from fuzzybounds.paper import errata


def test_sign_and_coding_of_stop_are_counted_in_the_sweep():
    counts = {
        "settings": "40",
        "settings that match": "7",
        "settings that match with the sign reversed": "6",
    }
    summary = pd.DataFrame({"quantity": list(counts), "value": list(counts.values())})
    found = errata.ERRATA["A05"].evidence({"learning_sweep_summary": summary})
    assert "of 40 readings 7 give the paper's curve, 6 of them with the sign reversed" in found
