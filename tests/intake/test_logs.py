from __future__ import annotations

import random

import pytest

from fuzzybounds.intake.logs import (
    COLUMNS,
    PUBLISHED_COLUMNS,
    read_published,
    read_tidy,
)
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.natural_order import natural_key

HEADER = "subject,block,rt,condition,correct,position"
ROW = "7,1,1.25,easy,1,67.5"


@pytest.fixture
def write(tmp_path):
    def write(text: str | bytes, name: str = "log.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def refused(path, read=None):
    with pytest.raises(InputError) as error:
        read(path) if read else read_tidy([path])
    assert str(error.value).startswith(f"{path}: ")
    return error.value


class TestTidy:
    def test_cells_stay_text_with_their_file_and_row(self, write):
        raw = read_tidy([write(f"{HEADER}\n{ROW}\n01,2,0.50,2,0,-45\n")])
        assert raw.to_dict("list") == {
            "file": ["log.csv", "log.csv"],
            "row": [2, 3],
            "subject": ["7", "01"],
            "block": ["1", "2"],
            "rt": ["1.25", "0.50"],
            "condition": ["easy", "2"],
            "correct": ["1", "0"],
            "position": ["67.5", "-45"],
        }

    @pytest.mark.parametrize("name", ["01", "NA", "nan", "1e3", "None", "S 1", "Zoë", "a,b", "²"])
    def test_subject_names_are_kept_as_written(self, write, name):
        raw = read_tidy([write(f'{HEADER}\n"{name}",1,1.25,easy,1,67.5\n')])
        assert raw["subject"].tolist() == [name]

    def test_columns_come_in_any_order(self, write):
        path = write("position,correct,condition,rt,block,subject\n67.5,1,easy,1.25,1,7\n")
        assert read_tidy([path])[HEADER.split(",")].iloc[0].tolist() == ROW.split(",")

    def test_blanks_around_names_and_cells_do_not_matter(self, write):
        path = write(" subject , block,rt ,condition,correct,position\n 7 ,1, 1.25,easy ,1,67.5 \n")
        raw = read_tidy([path])
        assert raw[HEADER.split(",")].iloc[0].tolist() == ROW.split(",")

    @pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("byte_order_mark", [b"", b"\xef\xbb\xbf"])
    @pytest.mark.parametrize("last", [True, False])
    def test_the_editors_habits_do_not_matter(self, write, line_end, byte_order_mark, last):
        text = line_end.join([HEADER, ROW, ROW]) + line_end * last
        raw = read_tidy([write(byte_order_mark + text.encode())])
        assert raw["row"].tolist() == [2, 3]
        assert raw["subject"].tolist() == ["7", "7"]
        assert raw["position"].tolist() == ["67.5", "67.5"]

    def test_blank_lines_are_not_trials_and_do_not_shift_row_numbers(self, write):
        raw = read_tidy([write(f"{HEADER}\n\n{ROW}\n\n\n{ROW}\n\n")])
        assert raw["row"].tolist() == [3, 6]

    @pytest.mark.parametrize("name", ["a\x0cb", "a\u2028b", "a\x85b", "a\nb", "a\r\nb", 'a"b'])
    def test_no_character_within_a_cell_breaks_its_row(self, write, name):
        quoted = name.replace('"', '""')
        raw = read_tidy([write(f'{HEADER}\n"{quoted}",1,1.25,easy,1,67.5\n{ROW}\n')])
        assert raw["subject"].tolist() == [name, "7"]
        assert raw["row"].tolist() == [2, 3]

    def test_several_files_come_in_the_order_of_their_names(self, write):
        paths = [write(f"{HEADER}\n{name},1,1.25,easy,1,67.5\n", f"{name}.csv") for name in "cab"]
        raw = read_tidy(paths)
        assert raw["file"].tolist() == ["a.csv", "b.csv", "c.csv"]
        assert raw["subject"].tolist() == ["a", "b", "c"]
        assert raw["row"].tolist() == [2, 2, 2]
        assert raw.index.tolist() == [0, 1, 2]

    def test_a_column_that_some_files_lack_is_named(self, write):
        paths = [
            write(f"{HEADER}\n{ROW}\n", "a.csv"),
            write(f"session,{HEADER}\n2,{ROW}\n", "b.csv"),
        ]
        with pytest.raises(InputError, match=r"a\.csv: no column 'session', which b\.csv has"):
            read_tidy(paths)

    def test_no_files(self):
        with pytest.raises(InputError, match="no logs"):
            read_tidy([])


class TestHeader:
    @pytest.mark.parametrize("column", [c for c in COLUMNS if c.required], ids=lambda c: c.name)
    def test_a_missing_column_is_named_with_its_meaning(self, write, column):
        names = [c.name for c in COLUMNS if c.required and c is not column]
        error = refused(write(",".join(names) + "\n" + ",".join("1" * len(names))))
        assert error.problems == [f"row 1: missing column {column.name!r} ({column.meaning})"]

    @pytest.mark.parametrize("column", [c.name for c in COLUMNS if not c.required])
    def test_optional_columns_may_be_there_or_not(self, write, column):
        raw = read_tidy([write(f"{column},{HEADER}\n1,{ROW}\n")])
        assert raw[column].tolist() == ["1"]
        assert column not in read_tidy([write(f"{HEADER}\n{ROW}\n")])

    def test_an_unknown_column_is_answered_with_the_nearest(self, write):
        error = refused(write(f"{HEADER},sesion\n{ROW},1\n"))
        assert error.problems == ["row 1: unknown column 'sesion'; did you mean 'session'?"]

    def test_an_unknown_column_like_no_other_is_answered_with_all(self, write):
        (problem,) = refused(write(f"{HEADER},zzz\n{ROW},1\n")).problems
        assert problem == (
            "row 1: unknown column 'zzz'; known: subject, session, block, trial, rt, total, "
            "reward, condition, correct, position"
        )

    def test_a_repeated_column_is_named_once(self, write):
        error = refused(write(f"{HEADER},rt,rt\n{ROW},1,1\n"))
        assert error.problems == ["row 1: column 'rt' appears 3 times"]

    def test_all_problems_of_a_header_are_listed_at_once(self, write):
        error = refused(write("subject,blok,zzz,rt,condition\n1,1,1,1,1\n"))
        assert error.summary.endswith("the header does not fit")
        assert error.problems == [
            "row 1: unknown column 'blok'; did you mean 'block'?",
            "row 1: unknown column 'zzz'; known: subject, session, block, trial, rt, total, "
            "reward, condition, correct, position",
            "row 1: missing column 'correct' (1 or 0)",
            "row 1: missing column 'position' (canoe position at the response (or deadline), right "
            "positive)",
            "columns of other names are mapped by `fuzzybounds import`, which proposes a mapping",
        ]

    @pytest.mark.parametrize(
        ("name", "meant"),
        [
            ("RT", "rt"),
            ("Reaction time (ms)", "rt"),
            ("Participant", "subject"),
            ("acc", "correct"),
        ],
    )
    def test_a_column_of_another_name_is_one_problem_with_its_hint(self, write, name, meant):
        error = refused(write(f"{HEADER}\n{ROW}\n".replace(meant, name)))
        assert error.problems == [f"row 1: unknown column {name!r}; did you mean {meant!r}?"]

    def test_a_problem_of_several_files_is_one_line(self, write):
        paths = [write(f"{HEADER}\n{ROW}\n".replace("rt", "RT"), f"s{n}.csv") for n in range(1, 7)]
        paths.append(write("", "t.csv"))
        with pytest.raises(InputError) as error:
            read_tidy([*paths, write(f"{HEADER}\n{ROW}\n", "good.csv")])
        assert str(error.value) == (
            f"{paths[0].parent}: 7 of 8 files cannot be used\n"
            "  - s1.csv, s2.csv, s3.csv and 3 more: the header does not fit: row 1: unknown column "
            "'RT'; did you mean 'rt'?\n"
            "  - t.csv: empty: expected a header and one row per trial"
        )


class TestUnreadable:
    @pytest.mark.parametrize("text", ["", "\ufeff"])
    def test_an_empty_file(self, write, text):
        assert "empty" in refused(write(text)).summary

    @pytest.mark.parametrize("text", [f"{HEADER}\n", f"{HEADER}", f"{HEADER}\n\n\n"])
    def test_a_header_and_no_trials(self, write, text):
        assert "no trials" in refused(write(text)).summary

    def test_ragged_rows_are_one_problem(self, write):
        error = refused(write(f"{HEADER}\n{ROW}\n7,1,1.25\n{ROW},9\n\n7\n"))
        assert "not one row per trial" in error.summary
        names = HEADER.replace(",", ", ")
        assert error.problems == [
            f"3 of 4 rows do not have 6 fields ({names}): row 3 has 3, row 4 has 7, row 6 has 1"
        ]

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(f'{HEADER}\n"7"x,1,1.25,easy,1,67.5\n'.encode(), id="quoting"),
            pytest.param(f'{HEADER}\n"7,1,1.25,easy,1,67.5\n'.encode(), id="open quote"),
            pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", id="an image"),
        ],
    )
    def test_what_is_not_text_or_not_csv(self, write, content):
        assert "not a readable CSV file" in refused(write(content)).summary

    def test_no_file(self, tmp_path):
        assert "not a readable CSV file" in refused(tmp_path / "none.csv").summary


class TestPublished:
    TEXT = "1,1,1.2161,8.2661,-20,1,0,70.5\n1,2,0,4.05,-1,2,0,-64.5\n"

    def test_has_no_header(self, write):
        raw = read_published(write(self.TEXT))
        assert tuple(raw.columns) == ("file", "row", *PUBLISHED_COLUMNS)
        assert raw["row"].tolist() == [1, 2]
        assert raw["block"].tolist() == ["1", "2"]
        assert raw["position"].tolist() == ["70.5", "-64.5"]

    def test_must_have_all_columns(self, write):
        error = refused(write(self.TEXT + "1,2,0\n"), read_published)
        assert error.problems == [
            "1 of 3 rows do not have 8 fields (subject, block, rt, total, reward, condition, "
            "correct, position): row 3 has 3"
        ]

    def test_an_empty_file(self, write):
        assert "empty" in refused(write(""), read_published).summary


class TestNaturalKey:
    @pytest.mark.parametrize(
        "ordered",
        [
            ["1", "2", "10", "26"],
            ["S1", "S2", "S10"],
            ["S01", "S2", "S10", "T1"],
            ["a1b2", "a1b10", "a2b1"],
            ["2", "10", "S1"],
            ["", "1"],
            ["1", "1²", "S²", "²"],
            ["٣", "4", "١٠"],  # 3 and 10 in Arabic digits
        ],
    )
    def test_numbers_within_names_sort_as_numbers(self, ordered):
        for seed in range(5):
            shuffled = random.Random(seed).sample(ordered, len(ordered))
            assert sorted(shuffled, key=natural_key) == ordered
