"""Tidy logs: cells stay as they are, headers are explained, sessions are continued."""

from __future__ import annotations

import pytest

from fuzzybounds.core.errors import InputError
from fuzzybounds.logs.columns import COLUMNS, NAMES, PUBLISHED_COLUMNS
from fuzzybounds.logs.reading import read_logs, read_published
from fuzzybounds.logs.validation import validate

HEADER = "subject,block,rt,condition,correct,position"
ROW = "7,1,1.25,easy,1,67.5"
KNOWN = ", ".join(NAMES)


class TestTidy:
    def test_cells_stay_text_with_their_file_and_row(self, write):
        # Columns come in any order; blanks around names and cells do not matter.
        header = " block ,subject,rt,condition,correct,position"
        raw = read_logs([write(f"{header}\n\n{ROW}\n\n2, 01,0.50,2,0,-4 ")]).raw
        assert list(raw) == ["file", "row", *header.strip().replace(" ", "").split(",")]
        assert raw.to_numpy().tolist() == [
            ["log.csv", 3, "7", "1", "1.25", "easy", "1", "67.5"],
            ["log.csv", 5, "2", "01", "0.50", "2", "0", "-4"],
        ]

    @pytest.mark.parametrize(
        "name",
        [
            *("01", "NA", "nan", "1e3", "None", "S 1", "Zoë", "a,b", "²"),
            *("a\x0cb", "a\u2028b", "a\x85b", "a\nb", "a\r\nb", 'a"b'),
        ],
    )
    def test_names_are_kept_as_written_and_break_no_row(self, write, name):
        quoted = name.replace('"', '""')
        raw = read_logs([write(f'{HEADER}\n"{quoted}",1,1.25,easy,1,67.5\n{ROW}\n')]).raw
        assert raw["subject"].tolist() == [name, "7"]
        assert raw["row"].tolist() == [2, 3]


MISSING = {c.name: f"row 1: missing column {c.name!r} ({c.meaning})" for c in COLUMNS}


class TestHeader:
    @pytest.mark.parametrize(
        ("header", "problems"),
        [
            (
                f"Title\n{HEADER},sesion",
                ["row 2: unknown column 'sesion'; did you mean 'session'?"],
            ),
            (
                "subject,blok,zzz,rt,condition",
                [
                    "row 1: unknown column 'blok'; did you mean 'block'?",
                    f"row 1: unknown column 'zzz'; known: {KNOWN}",
                    MISSING["correct"],
                    MISSING["position"],
                    "columns of other names are mapped by `fuzzybounds import`, which proposes a "
                    "mapping",
                ],
            ),
        ],
    )
    def test_what_does_not_fit_is_explained(self, write, header, problems):
        path = write(f"{header}\n{','.join('1' * len(header.splitlines()[-1].split(',')))}\n")
        with pytest.raises(InputError) as error:
            read_logs([path])
        assert error.value.summary == f"{path}: the header does not fit"
        assert error.value.problems == problems


def test_the_published_layout_has_no_header(write):
    text = "1,1,1.2161,8.2661,-20,1,0,70.5\n1,2,0,4.05,-1,2,0,-64.5\n"
    raw = read_published(write(text))
    assert tuple(raw.columns) == ("file", "row", *PUBLISHED_COLUMNS)
    cells = raw[["row", "block", "position"]].to_numpy().tolist()
    assert cells == [[1, "1", "70.5"], [2, "2", "-64.5"]]
    with pytest.raises(InputError, match=r"1 of 3 rows do not have 8 fields .* row 3 has 3"):
        read_published(write(f"{text}1,2,0\n"))


class TestSessions:
    """Data sets with one file per participant and session."""

    TEXT = (
        "onset\tduration\ttrial_type\tresponse_time\tblock\tcorrect\tposition\n"
        "0\tn/a\teasy\t1.25\t1\t1\t67.5\n9\tn/a\thard\tn/a\t2\t0\t-3\n"
    )

    def bids(self, write, *names):
        return [write(self.TEXT, f"{name}_task-canoe_beh.tsv") for name in names]

    def test_subject_and_session_come_from_the_name(self, write):
        names = ("sub-01_ses-1", "sub-01_ses-02", "sub-01_ses-10", "sub-02")
        raw, notes = read_logs(self.bids(write, *names))
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
        assert trials.groupby("subject")["trial"].max().to_dict() == {"01": 6, "02": 2}

    @pytest.mark.parametrize(
        ("numbers", "read"),
        [
            # Block and trial of one subject's rows, and the trials that are read.
            ("1.1 1.2 2.1 2.2", "1234"),
            ("1.0 1.1 2.0 2.1", "1234"),
            ("1.1 1.2 2.1 2.1", "1211"),
            ("1.1 1.2 2.1 1.2", "1212"),
            ("1.1 1.2 2.3 2.4", "1234"),
            ("1.1 1.2 2.2 2.3", "1223"),
            ("1.3 1.4", "34"),
        ],
    )
    def test_trials_that_restart_in_every_block_are_counted_on(self, write, numbers, read):
        rows = [f"{name},{n.replace('.', ',')},{ROW[4:]}" for name in "ab" for n in numbers.split()]
        path = write("\n".join(["subject,block,trial,rt,condition,correct,position", *rows]))
        raw, notes = read_logs([path])
        assert "".join(raw["trial"]) == 2 * read
        note = "trial numbers of 2 subjects restart in every block and were renumbered"
        assert notes == [note] * ("".join(raw["trial"]) != 2 * numbers.replace(".", "")[1::3])

    @pytest.mark.parametrize(("second", "read", "expected"), [("2", "2", 0), ("1", "2", 1)])
    def test_numbers_that_go_on_are_left_alone(self, write, second, read, expected):
        header = "subject,session,block,rt,condition,correct,position\n"
        write(header + "a,1,1,1.25,easy,1,67.5\n", "a1.csv")
        path = write(header + f"a,2,{second},1.25,easy,1,67.5\n", "a2.csv")
        raw, notes = read_logs(path.parent.iterdir())
        assert raw["block"].tolist() == ["1", read]
        assert len(notes) == expected
