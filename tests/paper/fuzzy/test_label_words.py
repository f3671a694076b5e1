import pytest

from fuzzybounds.paper.fuzzy.membership import label_words


def test_labels_in_words():
    assert label_words("time", "VVL") == "very very long"
    assert label_words("position", "S") == "small"


@pytest.mark.parametrize("label", ["XS", "VX", "SV", ""])
def test_other_labels_are_refused(label):
    with pytest.raises(ValueError, match="expected S, M or L after any number of V"):
        label_words("time", label)
