from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import free_walk
from fuzzybounds.intake import recordings
from fuzzybounds.intake.logs import read_tidy
from fuzzybounds.intake.validation import validate as validate_logs
from fuzzybounds.storage.errors import InputError


def path_rows(subject: str, trial: int, directions: list[int], frames: int) -> pd.DataFrame:
    """A recorded path at 60 Hz, up to and with a frame."""
    walk = free_walk(np.array([directions]))[0, : frames + 1]
    time = (np.arange(frames + 1) / 60).round(5)
    table = pd.DataFrame({"trial": trial, "time": time, "position": walk, "file": "p.csv"})
    table.insert(0, "subject", subject)
    return table


@pytest.fixture
def logged(tidy_log, trial_row):
    """Validated logs: four responses and a missed deadline."""
    rows = [
        trial_row(),  # 90 px and half a step back
        trial_row(trial="2", rt="5", total="9.05", position="420"),
        trial_row(trial="3", rt="1.03333", total="5.08333", position="87"),
        trial_row(trial="4", rt="0", total="22.05", correct="0", reward="-20", position="0"),
        trial_row(subject="08", position="-67.5"),
    ]
    return validate_logs(read_tidy([tidy_log(rows)]))


@pytest.fixture
def paths():
    """The paths of those trials."""
    return pd.concat(
        [
            path_rows("7", 1, [1, 1, -1], 75),
            path_rows("7", 2, [1] * 10, 300),
            path_rows("7", 3, [1, 1, -1], 62),
            path_rows("7", 4, [1, -1] * 15, 900),
            path_rows("08", 1, [-1, -1, 1], 75),
        ],
        ignore_index=True,
    )


def cell(paths, subject, trial, row):
    """Index of one row of one path."""
    own = paths.index[(paths["subject"] == subject) & (paths["trial"] == trial)]
    return own[row]


def test_paths_that_fit_come_back_in_order(logged, paths):
    shuffled = paths.sample(frac=1, random_state=1)
    result = recordings.validate(shuffled, logged.trials)
    assert list(result.columns) == ["subject", "trial", "time", "position"]
    assert str(result["trial"].dtype) == "int32"
    expected = paths.sort_values(["subject", "trial", "time"], ignore_index=True)
    pd.testing.assert_frame_equal(result, expected[list(result)].astype({"trial": "int32"}))


def test_no_paths_are_a_table_without_rows(logged):
    for nothing in (recordings.read([]), recordings.empty()):
        result = recordings.validate(nothing, logged.trials)
        assert result.empty
        assert {name: str(dtype) for name, dtype in result.dtypes.items()} == {
            "subject": "str",
            "trial": "int32",
            "time": "float64",
            "position": "float64",
        }


def test_trials_without_a_path_are_allowed(logged, paths):
    some = paths[paths["subject"] == "08"]
    assert len(recordings.validate(some, logged.trials)) == 76


@pytest.mark.parametrize(
    ("subject", "trial", "row", "column", "value", "expected"),
    [
        ("7", 1, 0, "time", 0.001, "the first time is 0"),
        ("7", 1, 0, "position", 1.0, "the canoe starts at 0 px"),
        ("7", 1, 5, "time", round(4 / 60, 5), "every time is later than the one before"),
        ("7", 2, 290, "position", 420.5, "at most 420 px from the centre"),
        ("7", 1, 20, "position", 32.0, "at most 90 px/s"),
        ("7", 1, -1, "position", 70.5, "the path ends at the logged position"),
        ("7", 4, -1, "position", 2.5, "the path ends at the logged position"),
    ],
)
def test_each_rule_broken_alone(logged, paths, subject, trial, row, column, value, expected):
    index = cell(paths, subject, trial, row)
    paths.loc[index, column] = value
    with pytest.raises(InputError) as error:
        recordings.validate(paths, logged.trials)
    time, position = paths.loc[index, ["time", "position"]]
    assert error.value.problems == [
        f"expected: {expected}; not so in 1 frame of 1 trial; first: p.csv, subject {subject}, "
        f"trial {trial}, time {time:g} s, position {position:g} px"
    ]
    assert error.value.summary == "recorded paths: 1 problem"


def test_the_rules_leave_room_for_a_frame(logged, paths):
    last = cell(paths, "7", 1, -1)
    paths.loc[last, "position"] += 1.5
    paths.loc[last, "time"] += 0.008
    paths.loc[cell(paths, "7", 1, 20), "position"] += 1.4
    recordings.validate(paths, logged.trials)


class TestEnds:
    def problems(self, paths, logged, *rest):
        with pytest.raises(InputError) as error:
            recordings.validate(paths, logged.trials, *rest)
        return [
            problem.removeprefix("expected: ").split(";")[0] for problem in error.value.problems
        ]

    def test_a_path_must_end_with_the_response(self, logged, paths):
        # The canoe turned at frame 60: four frames before the response it was at the same place.
        others = paths[(paths["trial"] != 3)]
        early = pd.concat([others, path_rows("7", 3, [1, 1, -1], 58)])
        assert self.problems(early, logged) == ["the path ends at the response, or at the deadline"]

    def test_the_path_of_a_missed_trial_must_end_with_the_deadline(self, logged, paths):
        others = paths[(paths["trial"] != 4)]
        early = pd.concat([others, path_rows("7", 4, [1, -1] * 15, 840)])
        assert self.problems(early, logged) == ["the path ends at the response, or at the deadline"]

    @pytest.mark.filterwarnings("ignore:You are merging on int and float")
    @pytest.mark.parametrize(("subject", "trial"), [("7", 9), ("8", 1), ("7", 1.5)])
    def test_a_path_must_belong_to_a_trial(self, logged, paths, subject, trial):
        own = paths["subject"] == "08"
        paths = paths.assign(
            subject=paths["subject"].mask(own, subject),
            trial=paths["trial"].astype(float).mask(own, trial),
        )
        assert self.problems(paths, logged) == ["a trial of the log"]

    def test_all_problems_are_listed_at_once(self, logged, paths):
        paths.loc[cell(paths, "7", 1, 0), "position"] = 1.0
        paths.loc[cell(paths, "7", 2, -1), "position"] = 425.0
        paths.loc[cell(paths, "08", 1, 0), "time"] = 0.001
        assert set(self.problems(paths, logged)) == {
            "the first time is 0",
            "the canoe starts at 0 px",
            "at most 420 px from the centre",
            "at most 90 px/s",
            "the path ends at the logged position",
        }

    def test_one_path_recorded_twice_is_found(self, logged, paths):
        with pytest.raises(InputError, match="not so in 76 frames of 1 trial") as error:
            recordings.validate(pd.concat([paths, paths[paths["subject"] == "08"]]), logged.trials)
        assert len(error.value.problems) == 1


class TestExcludedTrials:
    def test_their_paths_are_left_out_with_them(self, tidy_log, trial_row, paths):
        rows = [trial_row(), trial_row(trial="2", rt="5", total="9.05", position="420", reward="1")]
        logs = validate_logs(read_tidy([tidy_log(rows)]), {"reward_mismatch": "exclude"})
        own = paths[(paths["subject"] == "7") & paths["trial"].isin([1, 2])]
        with pytest.raises(InputError, match="a trial of the log"):
            recordings.validate(own, logs.trials)
        result = recordings.validate(own, logs.trials, logs.exclusions)
        assert result["trial"].unique().tolist() == [1]
        assert len(result) == 76

    def test_a_trial_that_only_its_repetition_left_keeps_its_path(self, tidy_log, trial_row, paths):
        rows = [trial_row(), trial_row(position="22.5")]
        logs = validate_logs(read_tidy([tidy_log(rows)]), {"repeated_trial": "exclude"})
        own = paths[(paths["subject"] == "7") & (paths["trial"] == 1)]
        assert len(recordings.validate(own, logs.trials, logs.exclusions)) == 76

    def test_a_trial_off_the_lattice_keeps_its_path(self, tidy_log, trial_row, paths):
        logs = validate_logs(read_tidy([tidy_log([trial_row(position="70.5")])]))
        assert logs.exclusions["scope"].tolist() == ["paths"]
        own = paths[(paths["subject"] == "7") & (paths["trial"] == 1)].copy()
        own.loc[cell(own, "7", 1, -1), "position"] = 70.5
        assert len(recordings.validate(own, logs.trials, logs.exclusions)) == 76

    def test_other_paths_must_still_belong_to_a_trial(self, tidy_log, trial_row, paths):
        rows = [trial_row(), trial_row(trial="2", position="x")]
        logs = validate_logs(read_tidy([tidy_log(rows)]), {"not_a_number": "exclude"})
        with pytest.raises(InputError, match="a trial of the log"):
            recordings.validate(paths, logs.trials, logs.exclusions)


class TestRead:
    HEADER = "subject,trial,time,position\n"

    @pytest.fixture
    def write(self, tmp_path):
        def write(text, name="p.csv"):
            path = tmp_path / name
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            return path

        return write

    def test_csv(self, write):
        path = write(self.HEADER + "01,1,0,0\nNA,2,0.5,-45.0\n")
        assert recordings.read([path]).to_dict("list") == {
            "subject": ["01", "NA"],
            "trial": [1, 2],
            "time": [0, 0.5],
            "position": [0, -45],
            "file": ["p.csv", "p.csv"],
        }

    def test_parquet_and_csv_are_the_same(self, tmp_path, paths):
        paths = paths.drop(columns="file")
        paths.to_parquet(tmp_path / "p.parquet", index=False)
        paths.to_csv(tmp_path / "p.csv", index=False)
        ours, theirs = (
            recordings.read([tmp_path / name]).drop(columns="file")
            for name in ("p.parquet", "p.csv")
        )
        pd.testing.assert_frame_equal(ours, theirs)
        pd.testing.assert_frame_equal(ours, paths)

    def test_several_files_in_the_order_of_their_names(self, write):
        files = [write(f"{self.HEADER}{name},1,0,0\n", f"{name}.csv") for name in "ba"]
        assert recordings.read(files)["file"].tolist() == ["a.csv", "b.csv"]

    def test_other_columns_and_orders_do_not_matter(self, write):
        path = write("note,position,time,trial,subject\nx,-1.5,0.5,3,S1\n")
        assert recordings.read([path]).iloc[0].tolist() == ["S1", 3, 0.5, -1.5, "p.csv"]

    def test_blanks_around_names_and_a_byte_order_mark_do_not_matter(self, write):
        path = write(b"\xef\xbb\xbf" + (self.HEADER + " S1 ,1,0,0\n").encode())
        assert recordings.read([path])["subject"].tolist() == ["S1"]

    @pytest.mark.parametrize("missing", list(recordings.COLUMNS))
    def test_a_missing_column_is_named_with_its_meaning(self, write, missing):
        names = [name for name in recordings.COLUMNS if name != missing]
        with pytest.raises(InputError, match="the header does not fit") as error:
            recordings.read([write(",".join(names) + "\n1,1,1\n")])
        meaning = recordings.COLUMNS[missing]
        assert error.value.problems == [f"missing column {missing!r} ({meaning})"]

    def test_all_cells_that_are_not_numbers_are_named(self, write):
        path = write(self.HEADER + "S1,x,0,0\nS1,1,,0\nS1,1,0,inf\nS1,1,0,0\n")
        with pytest.raises(InputError, match="cells that are not numbers") as error:
            recordings.read([path])
        assert error.value.problems == [
            "column trial: 1 row; expected a number; first: row 2 ('x')",
            "column time: 1 row; expected a number; first: row 3 ('')",
            "column position: 1 row; expected a number; first: row 4 ('inf')",
        ]

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("", id="empty"),
            pytest.param("subject,trial,time,position\nS1,1,0,0,9\nS1,1,0,0,9\n", id="longer rows"),
            pytest.param("subject,trial,time,position\nS1,1,0,0\nS1,1,0,0,9\n", id="a longer row"),
            pytest.param('subject,trial,time,position\n"S1,1,0,0\n', id="open quote"),
        ],
    )
    def test_what_is_not_a_table_is_an_input_error(self, write, text):
        with pytest.raises(InputError, match=r"p\.csv: (not|empty)"):
            recordings.read([write(text)])

    def test_semicolons_decimal_commas_and_other_encodings(self, write):
        path = write("subject;trial;time;position\nZoë;1;0,5;-1,5\n".encode("cp1252"))
        assert recordings.read([path]).iloc[0].tolist() == ["Zoë", 1, 0.5, -1.5, "p.csv"]

    def test_what_is_no_parquet_is_an_input_error(self, write):
        with pytest.raises(InputError, match=r"p\.parquet: not a readable parquet table"):
            recordings.read([write("text", "p.parquet")])
