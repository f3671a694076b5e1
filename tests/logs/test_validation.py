from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.logs.columns import COLUMNS
from fuzzybounds.logs.reading import read_logs
from fuzzybounds.logs.study_design import PAPER
from fuzzybounds.logs.validation import CHECKS, validate

CHECK = {check.name: check for check in CHECKS}
EXPECTED = {check.name: check.expected for check in CHECKS} | PAPER.expectations()


class Case(NamedTuple):
    """A log of three rows in which one check, and no other, finds something in the second row."""

    check: str
    changes: dict[str, str]
    column: str
    also: tuple[str, ...] = ()
    others: dict[str, str] | None = None
    without: tuple[str, ...] = ()
    expected: str = ""


WHOLE = "a whole number from 1"
MISSED = {"rt": "0", "total": "22.05", "correct": "0", "reward": "-20"}
CASES = [
    Case("not_a_number", {"subject": ""}, "subject", expected="a name or a number"),
    Case("not_a_number", {"session": "0"}, "session", expected=WHOLE),
    Case("not_a_number", {"block": "1.5"}, "block", expected=WHOLE),
    Case("not_a_number", {"position": "-inf"}, "position"),
    Case("unknown_condition", {"condition": "medium"}, "condition"),
    Case("unknown_outcome", {"correct": "yes"}, "correct"),
    Case("time_out_of_range", {"rt": "15.1"}, "rt"),
    Case("off_screen", {"position": "420.5"}, "position"),
    Case("out_of_reach", {"position": "117"}, "position"),
    Case("off_lattice", {"position": "64.5"}, "position"),
    Case("wrong_start", {"start": "45"}, "start", others={"start": ""}),
    Case("signal_out_of_range", {"signal": "1"}, "signal", others={"signal": ""}),
    Case("reward_mismatch", {"reward": "-20"}, "reward"),
    Case("total_mismatch", {"total": "8.3"}, "total"),
    Case("missed_deadline", MISSED, "rt"),
    Case(
        "missed_but_correct",
        {"rt": "0", "total": "19.05", "correct": "1"},
        "correct",
        also=("missed_deadline",),
    ),
    Case("missed_without_wait", MISSED | {"total": "7.05"}, "total", also=("missed_deadline",)),
    Case("repeated_trial", {"trial": "1", "position": "22.5"}, "trial"),
    Case("repeated_row", {"position": "67.5"}, "", without=("trial",)),
    Case("blocks_out_of_order", {"block": "1"}, "block", others={"block": "2"}),
    Case("blocks_out_of_order", {"session": "1"}, "session", others={"session": "2"}),
]
MORE = [
    *(
        ("not_a_number", name, cell)
        for name in ("session", "block", "trial", "total", "reward", "position")
        for cell in ("abc", "", "nan", "inf", "-inf", "1,5", "0x1F", "1_0", "1e999", "1 2", "²")
    ),
    *(("not_a_number", "rt", cell) for cell in ("abc", "nan", "inf", "-inf", "1:25", "0,5")),
    *(
        (WHOLE, name, cell)
        for name in ("session", "block", "trial")
        for cell in ("0", "-1", "1.5", "1e10")
    ),
    *(("unknown_condition", "condition", cell) for cell in ("3", "", "eazy", "easy hard", "0")),
    *(("unknown_outcome", "correct", cell) for cell in ("", "2", "-1", "0.5", "true", "nan")),
    *(("time_out_of_range", "rt", cell) for cell in ("-0.5", "-1e-9", "15.02", "1250", "1e300")),
    *(("off_screen", "position", cell) for cell in ("-420.5", "1e9", "421")),
    *(("out_of_reach", "position", cell) for cell in ("-117", "420", "-420", "115.6")),
    *(("reward_mismatch", "reward", cell) for cell in ("1", "0", "-1", "20.5", "99999", "2e1000")),
    *(("total_mismatch", "total", cell) for cell in ("5.303", "5.297", "-5.3", "0", "1e300")),
]


@pytest.fixture
def log(tidy_log, trial_row, case) -> pd.DataFrame:
    changed = [{**(case.others or {}), "trial": number} for number in "123"]
    changed[1] = {"trial": "2", **case.changes}
    rows = [trial_row(case.without, **cells) for cells in changed]
    if case.check == "repeated_row":
        rows[2]["rt"], rows[2]["total"], rows[2]["position"] = "0.25", "4.3", "22.5"
    return read_logs([tidy_log(rows)]).raw


@pytest.fixture
def judge(tidy_log, trial_row):
    """Validate a log of good trials with some changes."""

    def judge(*changes, without=(), actions=None):
        rows = [trial_row(without, **cells) for cells in changes]
        return validate(read_logs([tidy_log(rows)]).raw, actions)

    return judge


def test_every_check_has_a_case():
    # Units are judged by many rows: tests/test_cli.py.  A signal needs a gate: test_gates.py.
    elsewhere = {"wrong_units", "response_before_signal"}
    assert {case.check for case in CASES} == set(CHECK) - elsewhere


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.check}-{case.column}")
class TestEachCheckAlone:
    def test_as_an_error_names_file_row_column_value_and_expectation(self, log, case):
        with pytest.raises(InputError) as error:
            validate(log, {case.check: "error"})
        check, expected = CHECK[case.check], case.expected or EXPECTED[case.check]
        column = value = ""
        if case.column:
            column, value = f", column {case.column}", f" ({case.changes[case.column]!r})"
        assert error.value.problems == [
            f"{check.name}: 1 row{column}; expected {expected}; first: log.csv row 3{value}; "
            f"remedy: {check.remedy()}"
        ]
        assert error.value.summary == "log.csv: 1 problem in the logs"

    def test_excluded_it_is_listed_with_its_reason(self, log, case):
        result = validate(log, {case.check: "exclude"})
        assert len(result.trials) == 2
        excluded = (
            result.exclusions[["file", "row", "block", "reason", "scope"]].to_numpy().tolist()
        )
        block = case.changes.get("block", "1")
        assert excluded == [["log.csv", 3, block, case.check, "trials"]]
        self.is_counted(result, case, "exclude")

    def test_kept_where_it_can_be(self, log, case):
        if "keep" not in CHECK[case.check].actions:
            with pytest.raises(InputError, match="'keep'; expected one of error, exclude"):
                validate(log, {case.check: "keep"})
            return
        result = validate(log, {case.check: "keep"})
        assert len(result.trials) == 3
        self.is_counted(result, case, "keep")
        excluded = result.exclusions[["row", "reason", "scope"]].to_numpy().tolist()
        assert excluded == [[3, "off_lattice", "paths"]] * (case.check == "off_lattice")

    @staticmethod
    def is_counted(result, case, action):
        counts = result.counts.set_index("check")
        assert counts.loc[case.check, "action"] == action
        failing = counts.index[counts["rows"] > 0]
        assert set(failing) == {case.check, *case.also}
        assert (counts.loc[failing, "rows"] == 1).all()


def test_every_wrong_cell_is_one_error(tidy_log, trial_row):
    rows = [
        trial_row(**{"trial": str(number), name: cell})
        for number, (_, name, cell) in enumerate(MORE, 1)
    ]
    with pytest.raises(InputError) as error:
        validate(read_logs([tidy_log(rows)]).raw)
    places = error.value.places
    assert len(places) == len(MORE)
    listed = {(place.row, place.column): place for place in places.itertuples()}
    for row, (check, name, cell) in enumerate(MORE, 2):
        # "2e1000" is a number to nobody.
        check = "not_a_number" if cell == "2e1000" or check not in CHECK else check
        place = listed[row, name]
        assert (place.file, place.value, place.check) == ("log.csv", cell, check)
    # One line per cause: a check, a column and what was expected.
    assert len(error.value.problems) == len({(check, name) for check, name, _ in MORE})


@pytest.mark.parametrize(
    ("changes", "actions", "column", "value"),
    [
        # The wait that the published logs leave out is added.
        (MISSED | {"total": "7.05"}, {}, "total", 22.05),
        ({"reward": "99999"}, {"reward_mismatch": "keep"}, "reward", 99999),
    ],
)
def test_a_kept_row_among_the_trials(judge, changes, actions, column, value):
    trials = judge(changes, actions=actions).trials
    assert TABLES["trials"].problems(trials) == []
    trial = trials.iloc[0]
    assert trial[column] == pytest.approx(value)
    assert trial["responded"] == (changes.get("rt") != "0") == (not np.isnan(trial["rt"]))


class TestErrors:
    def problems(self, judge, *changes, **options):
        with pytest.raises(InputError) as error:
            judge(*changes, **options)
        return error.value.problems

    @pytest.mark.parametrize(
        ("column", "cell", "remedy"),
        [
            ("rt", "1,25", "write every number with a decimal point"),
            ("rt", "2026-05-01 00:00:00", "a spreadsheet has turned numbers into dates; format"),
            ("rt", "901", "import the files with `units: {rt: ms}` in the mapping, which"),
            ("total", "5300", "import the files with `units: {total: ms}` in the mapping"),
        ],
    )
    def test_the_remedy_is_the_one_that_the_cells_suggest(self, judge, column, cell, remedy):
        rows = [{"trial": str(n), column: cell} for n in range(1, 4)]
        (problem,) = self.problems(judge, *rows)
        assert problem.split("; remedy: ")[1].startswith(remedy)

    def test_what_follows_from_a_wrong_cell_is_not_reported_again(self, judge):
        missed = MISSED | {"total": "7.05", "correct": "yes"}
        counts = judge({}, missed | {"trial": "2"}, actions={"unknown_outcome": "exclude"}).counts
        assert set(counts.loc[counts["rows"] > 0, "check"]) == {
            "unknown_outcome",
            "missed_deadline",
        }


class TestOptionalColumns:
    OPTIONAL = tuple(column.name for column in COLUMNS if not column.required)

    def test_they_are_computed_from_the_design(self, judge):
        rows = [
            {},
            {"correct": "0"},
            {"subject": "8", "condition": "hard"},
            {"condition": "hard", "correct": "0"},
            {"rt": "", "correct": "0"},
            {"rt": "0", "correct": "0", "condition": "2"},
        ]
        trials = judge(*rows, without=self.OPTIONAL).trials
        assert trials["subject"].tolist() == ["7"] * 5 + ["8"]
        assert trials["session"].tolist() == [1] * 6
        assert trials["trial"].tolist() == [1, 2, 3, 4, 5, 1]
        assert trials["reward"].tolist() == [20, -20, -1, -20, -1, 1]
        np.testing.assert_allclose(trials["total"], [5.3, 8.3, 5.3, 22.05, 19.05, 5.3])

    def test_trial_numbers_count_excluded_rows_too(self, judge):
        rows = [{"position": cell} for cell in ("67.5", "x", "-67.5")]
        result = judge(*rows, without=self.OPTIONAL, actions={"not_a_number": "exclude"})
        assert result.trials["trial"].tolist() == [1, 3]


def test_subjects_are_in_natural_order(judge):
    rows = [{"subject": name} for name in ("10", "S10", "2", "S9", "01", "1")]
    trials = judge(*rows, {"subject": "01", "trial": "2", "correct": "1.0"}).trials
    assert trials["subject"].tolist() == ["01", "01", "1", "2", "10", "S9", "S10"]


@pytest.mark.parametrize(
    ("rt", "total", "position"),
    [
        pytest.param("15.01", "19.06", "0", id="a frame after the deadline"),
        pytest.param("0.0167", "4.0667", "-1.5", id="the first frame"),
        pytest.param("10", "14.0519", "420", id="the edge, and a rounded total"),
        pytest.param("1.25", "5.3", "69.5", id="a frame beside the lattice"),
        pytest.param("0.0333", "4.0833", "5.2", id="two frames, and nearly two more"),
    ],
)
def test_the_limits_are_inside(judge, rt, total, position):
    row = {"rt": rt, "total": total, "position": position}
    result = judge(row, actions=dict.fromkeys(CHECK, "error"))
    trial = result.trials.iloc[0]
    assert (trial["rt"], trial["position"]) == (float(rt), float(position))
    assert result.counts["rows"].tolist() == [0] * len(CHECK)


def test_every_check_is_an_option(project_root):
    config = read_yaml(project_root / "config.yaml")
    schema = read_yaml(project_root / "workflow/schemas/config.schema.yaml")
    assert {check.name: check.actions[0] for check in CHECKS} == config["validation"]
    options = schema["properties"]["validation"]["properties"]
    for check in CHECKS:
        kind = "action" if "keep" in check.actions else "strict"
        assert options[check.name]["$ref"] == f"#/$defs/{kind}"
