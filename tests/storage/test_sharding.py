import re

import pytest

from fuzzybounds.storage.sharding import assign, shard_size


def names(count):
    return [f"subject {number}" for number in range(count)]


@pytest.mark.parametrize(
    ("subjects", "size"), [(1, 1), (64, 1), (65, 16), (1024, 16), (1025, 64), (10**6, 64)]
)
def test_small_cohorts_have_a_shard_a_subject_and_large_ones_share(subjects, size):
    assert shard_size(subjects) == size


@pytest.mark.parametrize(("subjects", "size"), [(26, None), (300, None), (300, 7), (40, 1)])
def test_every_subject_is_in_one_shard_of_allowed_size(subjects, size):
    shards = assign(names(subjects), size)
    members = [subject for own in shards.values() for subject in own]
    assert sorted(members) == sorted(names(subjects))
    assert max(map(len, shards.values())) <= (size or shard_size(subjects))


def test_shard_names_can_be_file_names_and_differ():
    odd = ["../x", "a b", "Ü", "", "ok-1", "x" * 200, "a/b"]
    shards = assign(odd)
    assert len(shards) == len(odd)
    assert all(re.fullmatch(r"[\w-]+", name) for name in shards)
    assert shards["s_ok-1"] == ["ok-1"]


def test_shards_are_called_as_their_subjects_are():
    named = {own: name for name, (own,) in assign(["Jürgen", "Anna B."]).items()}
    assert named["Jürgen"] == "s_Jürgen"
    assert named["Anna B."].startswith("x_Anna_B_")


@pytest.mark.parametrize(("subjects", "size"), [(26, 1), (500, 16)])
def test_a_new_subject_changes_one_shard_at_the_most(subjects, size):
    before = assign(names(subjects), size)
    for number in range(subjects, subjects + 20):
        after = assign([*names(subjects), f"subject {number}"], size)
        gone = [own for name, own in before.items() if after.get(name) != own]
        assert len(gone) <= (0 if size == 1 else 1)


def test_the_order_of_subjects_does_not_matter():
    assert assign(reversed(names(200))) == assign(names(200))
