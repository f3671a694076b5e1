"""Recorded paths: reading files of any kind, and every rule that a path can break."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import free_walk
from fuzzybounds.core.errors import InputError
from fuzzybounds.logs import recordings
from fuzzybounds.logs.reading import read_logs
from fuzzybounds.logs.validation import validate as validate_logs


def path_rows(subject: str, trial: int, directions: list[int], frames: int) -> pd.DataFrame:
    """A recorded path at 60 Hz, up to and with a frame."""
    walk = free_walk(np.array([directions]))[0, : frames + 1]
    time = (np.arange(frames + 1) / 60).round(5)
    named = {"subject": subject, "trial": trial, "time": time, "position": walk}
    return pd.DataFrame({**named, "file": "p.csv", "row": range(2, frames + 3)})


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
    return validate_logs(read_logs([tidy_log(rows)]).raw)


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
    return paths.index[(paths["subject"] == subject) & (paths["trial"] == trial)][row]


def broken(paths, logged, *rest) -> set[str]:
    """The expectations that paths do not meet."""
    with pytest.raises(InputError, match="in recorded paths") as error:
        recordings.validate(paths, logged.trials, *rest)
    return {problem.split("; ")[1].removeprefix("expected ") for problem in error.value.problems}


def test_paths_that_fit_come_back_in_order(logged, paths):
    result = recordings.validate(paths.sample(frac=1, random_state=1), logged.trials)
    expected = paths.sort_values(["subject", "trial", "time"], ignore_index=True)
    columns = ["subject", "trial", "time", "position"]
    pd.testing.assert_frame_equal(result, expected[columns].astype({"trial": "int32"}))
    # Trials without a path are allowed.
    assert len(recordings.validate(paths[paths["subject"] == "08"], logged.trials)) == 76


END = "the logged position at the end"


@pytest.mark.parametrize(
    ("subject", "trial", "row", "column", "value", "expected"),
    [
        ("7", 1, 0, "time", 0.001, "0 at first"),
        ("7", 1, 0, "position", 1.0, "0 px at first"),
        ("7", 1, 5, "time", round(4 / 60, 5), "every time to be later than the one before"),
        ("7", 2, 290, "position", 420.5, "at most 420 px"),
        ("7", 1, 20, "position", 32.0, "at most 90 px/s"),
        ("7", 1, -1, "position", 70.5, END),
        ("7", 4, -1, "position", 2.5, END),
    ],
)
def test_each_rule_broken_alone(logged, paths, subject, trial, row, column, value, expected):
    index = cell(paths, subject, trial, row)
    paths.loc[index, column] = value
    with pytest.raises(InputError) as error:
        recordings.validate(paths, logged.trials)
    assert str(error.value) == (
        "p.csv: 1 problem in recorded paths\n"
        f"  - paths: 1 row, column {column}; expected {expected}; first: p.csv row "
        f"{paths.loc[index, 'row']} ('{value:g}, subject {subject}, trial {trial}')"
    )


def test_the_rules_leave_room_for_a_frame(logged, paths):
    last = cell(paths, "7", 1, -1)
    paths.loc[last, "position"] += 1.5
    paths.loc[last, "time"] += 0.008
    paths.loc[cell(paths, "7", 1, 20), "position"] += 1.4
    recordings.validate(paths, logged.trials)


# The canoe of trial 3 turned at frame 60: four frames before the response it was at the same place.
@pytest.mark.parametrize(
    ("trial", "directions", "frames"), [(3, [1, 1, -1], 58), (4, [1, -1] * 15, 840)]
)
def test_a_path_must_end_with_the_response_or_the_deadline(
    logged, paths, trial, directions, frames
):
    early = pd.concat([paths[paths["trial"] != trial], path_rows("7", trial, directions, frames)])
    assert broken(early, logged) == {"the response, or the deadline, at the end"}


@pytest.mark.filterwarnings("ignore:You are merging on int and float")
@pytest.mark.parametrize(("subject", "trial"), [("7", 9), ("8", 1), ("7", 1.5)])
def test_a_path_must_belong_to_a_trial(logged, paths, subject, trial):
    of_subject = paths["subject"] == "08"
    trials = paths["trial"].astype(float).mask(of_subject, trial)
    paths = paths.assign(subject=paths["subject"].mask(of_subject, subject), trial=trials)
    assert broken(paths, logged) == {"a trial of the log"}


@pytest.mark.parametrize("repeated", [True, False])
def test_only_paths_of_excluded_trials_are_left_out(tidy_log, trial_row, paths, repeated):
    """The path of a trial whose repetition was excluded stays."""
    changes = {"trial": "1", "position": "22.5"} if repeated else {"trial": "2", "position": "x"}
    rows = read_logs([tidy_log([trial_row(), trial_row(**changes)])]).raw
    excluded = "repeated_trial" if repeated else "not_a_number"
    logs = validate_logs(rows, {excluded: "exclude"})
    early = paths[(paths["subject"] == "7") & (paths["trial"] <= int(changes["trial"]))]
    result = recordings.validate(early, logs.trials, logs.exclusions)
    assert result["trial"].tolist() == [1] * 76
    assert broken(paths, logs, logs.exclusions) == {"a trial of the log"}


class TestRead:
    def test_text(self, write):
        path = write("note;position;time;trial;subject\n\nx;-1,5;0,5;3;01\nx;0;0;1;NA\n", "p.csv")
        rows = recordings.read([path]).to_numpy().tolist()
        assert rows == [["01", 3, 0.5, -1.5, "p.csv", 3], ["NA", 1, 0, 0, "p.csv", 4]]

    def test_a_missing_column_and_all_cells_that_are_not_numbers_are_named(self, write):
        with pytest.raises(InputError, match="missing column 'time'"):
            recordings.read([write("subject,trial,position\n1,1,1\n")])
        header = "subject,trial,time,position\n"
        path = write(header + "S1,x,0,0\nS1,1,,0\nS1,1,0,inf\nS1,1,0,0\n", "p.csv")
        with pytest.raises(InputError, match=r"p\.csv: 3 problems of 3 kinds") as error:
            recordings.read([path])
        assert error.value.problems == [
            "paths: 1 row, column trial; expected a number; first: p.csv row 2 ('x')",
            "paths: 1 row, column time; expected a number; first: p.csv row 3 ('')",
            "paths: 1 row, column position; expected a number; first: p.csv row 4 ('inf')",
        ]
