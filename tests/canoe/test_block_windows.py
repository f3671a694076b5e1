import pandas as pd

from fuzzybounds.canoe.block_windows import block_ranges, compared

COLUMNS = ["from_block", "to_block", "overlap"]


def trials_of(subject, blocks, session=1):
    return pd.DataFrame({"subject": subject, "session": session, "block": list(blocks)})


def test_windows_end_with_the_subjects_own_last_block_and_overlap_is_told():
    for blocks, first, last in ((40, (1, 20, 0), (21, 40, 0)), (30, (1, 20, 10), (11, 30, 10))):
        table = block_ranges(trials_of("a", range(1, blocks + 1)))
        assert table[COLUMNS].to_numpy().tolist() == [list(first), list(last)]


def test_several_sessions_compare_the_first_blocks_of_the_first_and_last():
    sessions = [trials_of("t", range(40 * s + 1, 40 * s + 41), s + 1) for s in range(3)]
    table = block_ranges(pd.concat(sessions))
    assert table[COLUMNS].to_numpy().tolist() == [[1, 20, 0], [81, 100, 0]]


def test_boundaries_are_compared_over_subjects_of_one_session_if_there_are_any():
    several = pd.concat([trials_of("t", [1]), trials_of("t", [2], session=2)])
    both = pd.concat([trials_of("a", [1, 2]), several])
    assert set(compared(both)["subject"]) == {"a"}
    assert set(compared(several)["subject"]) == {"t"}
