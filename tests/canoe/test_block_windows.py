import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, split


def trials_of(subject, blocks, session=1):
    return pd.DataFrame({"subject": subject, "session": session, "block": list(blocks)})


def ranges_of(trials, **options):
    table = block_ranges(trials, **options)
    return {
        (row.subject, row.window): (row.from_block, row.to_block, row.overlap)
        for row in table.itertuples()
    }


def test_forty_blocks_make_two_halves():
    found = ranges_of(trials_of("a", range(1, 41)))
    assert found == {("a", "first"): (1, 20, 0), ("a", "last"): (21, 40, 0)}


def test_the_last_half_ends_with_the_subjects_own_last_block_and_overlap_is_told():
    found = ranges_of(trials_of("a", range(1, 31)))
    assert found == {("a", "first"): (1, 20, 10), ("a", "last"): (11, 30, 10)}


def test_several_sessions_compare_the_first_blocks_of_the_first_and_last():
    sessions = [trials_of("t", range(40 * s + 1, 40 * s + 41), s + 1) for s in range(3)]
    found = ranges_of(pd.concat(sessions))
    assert found == {("t", "first"): (1, 20, 0), ("t", "last"): (81, 100, 0)}


def test_split_takes_each_subject_by_its_own_blocks():
    trials = pd.concat([trials_of("a", range(1, 41)), trials_of("b", range(1, 31))])
    windows = split(trials, block_ranges(trials)).groupby(["subject", "window"])["block"]
    assert windows.agg(["min", "max", "size"]).to_numpy().tolist() == [
        [1, 20, 20],
        [21, 40, 20],
        [1, 20, 20],
        [11, 30, 20],
    ]
