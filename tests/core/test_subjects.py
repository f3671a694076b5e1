"""Shards: every subject in one, whatever others there are."""

import pandas as pd
import pytest

from fuzzybounds.core.subjects import gather, natural_key, shard_of, split

NAMES = [f"subject {number}" for number in range(200)]


def shards_of(names, count):
    trials = pd.DataFrame({"subject": names, "n": 1})
    parts = split(trials, trials[:0], count)
    assert [len(part) for part in parts["samples"]] == [0] * count
    return [part["subject"].tolist() for part in parts["trials"]]


@pytest.mark.parametrize("count", [1, 2, 8, 300])
def test_every_subject_is_in_one_shard(count):
    shards = shards_of(NAMES, count)
    assert sorted(subject for part in shards for subject in part) == sorted(NAMES)
    assert all(shard_of(subject, count) == n for n, part in enumerate(shards) for subject in part)


def test_shards_are_of_similar_size_and_a_new_subject_changes_one():
    before, after = shards_of(NAMES, 8), shards_of([*NAMES, "Jürgen"], 8)
    assert min(map(len, before)) > 10
    assert max(map(len, before)) < 45
    changed = [number for number in range(8) if before[number] != after[number]]
    assert changed == [shard_of("Jürgen", 8)]


def test_natural_order():
    names = ["S10", "S2", "S", "10", "9", "S" + "9" * 5000, "S٣"]
    assert sorted(names, key=natural_key) == ["9", "10", "S", "S2", "S٣", "S10", "S" + "9" * 5000]


def test_gathered_subjects_are_in_natural_order_and_keep_their_types():
    parts = [
        pd.DataFrame({"subject": ["S10", "S10"], "n": [1, 2]}),
        pd.DataFrame({"subject": [], "n": []}),
        pd.DataFrame({"subject": ["S2"], "n": [3]}),
    ]
    table = gather(parts)
    assert table["subject"].tolist() == ["S2", "S10", "S10"]
    assert table["n"].tolist() == [3, 1, 2]
    assert table["n"].dtype == "int64"
