"""Shards: every subject in one, whatever others there are."""

import pandas as pd
import pytest

from fuzzybounds.storage.sharding import assign, gather, shard_of, spread

NAMES = [f"subject {number}" for number in range(200)]


@pytest.mark.parametrize("count", [1, 2, 8, 300])
def test_every_subject_is_in_one_shard(count):
    shards = assign(NAMES, count)
    assert len(shards) == count
    assert sorted(subject for own in shards for subject in own) == sorted(NAMES)
    assert assign(reversed(NAMES), count) == shards


def test_shards_are_of_similar_size():
    sizes = [len(own) for own in assign(NAMES, 8)]
    assert min(sizes) > 10
    assert max(sizes) < 45


def test_a_new_subject_changes_one_shard():
    before, after = assign(NAMES, 8), assign([*NAMES, "Jürgen"], 8)
    changed = [number for number in range(8) if before[number] != after[number]]
    assert changed == [shard_of("Jürgen", 8)]


@pytest.mark.parametrize(("count", "chosen"), [(1, ["a"]), (2, ["a", "c"]), (9, list("abcde"))])
def test_some_subjects_are_spread_over_all(count, chosen):
    assert spread("edcba", count) == chosen


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
