from __future__ import annotations

import pickle

import pytest

from fuzzybounds.core.errors import InputError


@pytest.mark.parametrize(
    ("count", "last"),
    [(InputError.SHOWN, "  - problem 49"), (InputError.SHOWN + 3, "  - ... and 3 more")],
)
def test_a_long_list_is_cut_with_a_count_but_kept_whole(count, last):
    error = InputError("many", (f"problem {number}" for number in range(count)))
    lines = str(error).splitlines()
    assert lines[0] == "many"
    assert lines[-1] == last
    assert lines[InputError.SHOWN] == f"  - problem {InputError.SHOWN - 1}"
    assert error.problems == [f"problem {number}" for number in range(count)]


def test_it_survives_the_way_back_from_another_process():
    error = pickle.loads(pickle.dumps(InputError("summary", ["a", "b"])))
    assert isinstance(error, InputError)
    assert (error.summary, error.problems) == ("summary", ["a", "b"])
    assert str(error) == "summary\n  - a\n  - b"
