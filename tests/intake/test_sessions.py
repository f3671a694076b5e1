"""Data sets with one file per participant and session."""

from __future__ import annotations

import pytest

from fuzzybounds.intake.logs import read_logs
from fuzzybounds.intake.validation import validate
from fuzzybounds.storage.errors import InputError

HEADER = "onset\tduration\ttrial_type\tresponse_time\tblock\tcorrect\tposition\n"
ROWS = "0\tn/a\teasy\t1.25\t1\t1\t67.5\n9\tn/a\thard\tn/a\t2\t0\t-3\n"


@pytest.fixture
def bids(tmp_path):
    def write(*names: str, text: str = HEADER + ROWS):
        for name in names:
            (tmp_path / f"{name}_task-canoe_beh.tsv").write_text(text)
        return sorted(tmp_path.iterdir())

    return write


def test_subject_and_session_come_from_the_name(bids):
    raw, notes = read_logs(bids("sub-01_ses-1", "sub-01_ses-02", "sub-01_ses-10", "sub-02_ses-1"))
    assert raw["subject"].tolist() == ["01"] * 6 + ["02"] * 2
    assert raw["session"].tolist() == ["1", "1", "2", "2", "10", "10", "1", "1"]
    # Blocks start again in every session: they are counted on, and it is said.
    assert raw["block"].tolist() == ["1", "2", "3", "4", "5", "6", "1", "2"]
    assert notes == [
        "sub-01_ses-1_task-canoe_beh.tsv, sub-01_ses-02_task-canoe_beh.tsv, "
        "sub-01_ses-10_task-canoe_beh.tsv and 1 more: separated by tabs",
        "block numbers of 1 subject restart in every session and were renumbered",
    ]
    trials = validate(raw).trials
    assert trials["responded"].tolist() == [True, False] * 4
    assert trials["session"].tolist() == [1, 1, 2, 2, 10, 10, 1, 1]
    assert trials.groupby("subject")["trial"].max().to_dict() == {"01": 6, "02": 2}


def test_without_a_session_in_the_name_there_is_one(bids):
    raw, _ = read_logs(bids("sub-01", "sub-02"))
    assert raw["session"].unique().tolist() == ["1"]


def test_a_session_that_is_not_a_number_is_an_error(bids):
    with pytest.raises(InputError) as error:
        validate(read_logs(bids("sub-01_ses-pre")).raw)
    assert error.value.problems[0].startswith(
        "not_a_number: 2 rows, column session; expected a finite number; first: "
        "sub-01_ses-pre_task-canoe_beh.tsv row 2 ('pre')"
    )


def test_numbers_that_go_on_are_left_alone(tmp_path):
    header = "subject,session,block,rt,condition,correct,position\n"
    (tmp_path / "a1.csv").write_text(header + "a,1,1,1.25,easy,1,67.5\n")
    (tmp_path / "a2.csv").write_text(header + "a,2,2,1.25,easy,1,67.5\n")
    raw, notes = read_logs(tmp_path.iterdir())
    assert raw["block"].tolist() == ["1", "2"]
    assert notes == []
