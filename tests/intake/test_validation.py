from __future__ import annotations

import csv
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzybounds.intake.checks import ACTIONS, CHECKS, DEFAULT_ACTIONS
from fuzzybounds.intake.logs import COLUMNS, read_tidy
from fuzzybounds.intake.validation import validate
from fuzzybounds.storage.errors import InputError

CHECK = {check.name: check for check in CHECKS}


@dataclass
class Case:
    """A log of three rows in which one check, and no other, finds something in one row."""

    check: str
    changes: dict[str, str]
    column: str
    also: tuple[str, ...] = ()
    others: dict[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    expected: str = ""

    @property
    def rows(self) -> list[dict[str, str]]:
        return [
            {**self.others, "trial": "1"},
            {"trial": "2", **self.changes},
            {**self.others, "trial": "3"},
        ]

    def __str__(self):
        return f"{self.check}-{self.column or 'row'}-{self.changes.get(self.column, '')}"


WHOLE = "a whole number from 1"
MISSED = {"rt": "0", "total": "22.05", "correct": "0", "reward": "-20"}
CASES = [
    Case("not_a_number", {"subject": ""}, "subject", expected="a name or a number"),
    Case("not_a_number", {"session": "0"}, "session", expected=WHOLE),
    Case("not_a_number", {"block": "1.5"}, "block", expected=WHOLE),
    Case("not_a_number", {"trial": ""}, "trial"),
    Case("not_a_number", {"rt": "1.25 s"}, "rt"),
    Case("not_a_number", {"total": "nan"}, "total"),
    Case("not_a_number", {"reward": "abc"}, "reward"),
    Case("not_a_number", {"position": "-inf"}, "position"),
    Case("unknown_condition", {"condition": "medium"}, "condition"),
    Case("unknown_outcome", {"correct": "yes"}, "correct"),
    Case("time_out_of_range", {"rt": "15.1"}, "rt"),
    Case("off_screen", {"position": "420.5"}, "position"),
    Case("out_of_reach", {"position": "117"}, "position"),
    Case("off_lattice", {"position": "64.5"}, "position"),
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
def log(tidy_log, trial_row):
    def make(case: Case) -> pd.DataFrame:
        rows = [trial_row(case.without, **changes) for changes in case.rows]
        if case.check == "repeated_row":
            rows[2]["rt"], rows[2]["total"], rows[2]["position"] = "0.25", "4.3", "22.5"
        return read_tidy([tidy_log(rows)])

    return make


def test_every_check_has_a_case():
    # Units are judged by many rows: TestUnits.
    assert {case.check for case in CASES} == set(CHECK) - {"wrong_units"}


def test_in_a_good_log_nothing_is_found(tidy_log, trial_row):
    rows = [trial_row(trial=str(number)) for number in (1, 2, 3)]
    result = validate(read_tidy([tidy_log(rows)]), dict.fromkeys(CHECK, "error"))
    assert len(result.trials) == 3
    assert result.exclusions.empty
    assert result.counts["check"].tolist() == list(CHECK)
    assert result.counts["rows"].tolist() == [0] * len(CHECK)


@pytest.mark.parametrize("case", CASES, ids=str)
class TestEachCheckAlone:
    def test_as_an_error_names_file_row_column_value_and_expectation(self, log, case):
        with pytest.raises(InputError) as error:
            validate(log(case), {case.check: "error"})
        check = CHECK[case.check]
        column, value = (f", column {case.column}", f" ({case.rows[1].get(case.column)!r})")
        if not case.column:
            column = value = ""
        assert error.value.problems == [
            f"{check.name}: 1 row{column}; expected {case.expected or check.expected}; first: "
            f"log.csv row 3{value}; remedy: {check.remedy()}"
        ]
        assert f"`validation.{check.name}: exclude" in check.remedy()
        assert error.value.summary == "log.csv: 1 problem in the logs"
        assert error.value.table == ""

    def test_excluded_it_is_listed_with_its_reason(self, log, case):
        result = validate(log(case), {case.check: "exclude"})
        assert len(result.trials) == 2
        (listed,) = result.exclusions.to_dict("records")
        assert (listed["file"], listed["row"]) == ("log.csv", 3)
        assert (listed["reason"], listed["scope"]) == (case.check, "trials")
        assert listed["block"] == case.rows[1].get("block", "1")
        self.is_counted(result, case, "exclude")

    def test_kept_where_it_can_be(self, log, case):
        if not CHECK[case.check].keepable:
            with pytest.raises(InputError) as error:
                validate(log(case), {case.check: "keep"})
            assert error.value.problems == [f"{case.check}: 'keep'; expected one of error, exclude"]
            return
        result = validate(log(case), {case.check: "keep"})
        assert len(result.trials) == 3
        self.is_counted(result, case, "keep")
        if case.check == "off_lattice":
            (listed,) = result.exclusions.to_dict("records")
            assert (listed["row"], listed["reason"], listed["scope"]) == (3, "off_lattice", "paths")
        else:
            assert result.exclusions.empty

    @staticmethod
    def is_counted(result, case, action):
        counts = result.counts.set_index("check")
        assert counts.loc[case.check, "action"] == action
        found = counts.index[counts["rows"] > 0]
        assert set(found) == {case.check, *case.also}
        assert (counts.loc[found, "rows"] == 1).all()


def test_every_wrong_cell_is_one_error(tidy_log, trial_row):
    rows = [
        trial_row(**{"trial": str(number), name: cell})
        for number, (_, name, cell) in enumerate(MORE, 1)
    ]
    with pytest.raises(InputError) as error:
        validate(read_tidy([tidy_log(rows)]))
    places = error.value.places
    assert len(places) == len(MORE)
    found = {(own.row, own.column): own for own in places.itertuples()}
    for row, (check, name, cell) in enumerate(MORE, 2):
        # "2e1000" is a number to nobody.
        check = "not_a_number" if cell == "2e1000" or check not in CHECK else check
        own = found[row, name]
        assert (own.file, own.value, own.check) == ("log.csv", cell, check)
    # One line per cause: a check, a column and what was expected.
    assert len(error.value.problems) == len({(check, name) for check, name, _ in MORE})


class TestKept:
    """What a kept irregular row looks like among the trials."""

    def trial(self, tidy_log, row, **actions):
        return validate(read_tidy([tidy_log([row])]), actions).trials.iloc[0]

    def test_a_missed_deadline_has_no_time_and_lasts_to_the_end(self, tidy_log, trial_row):
        row = trial_row(rt="0", total="7.05", correct="0", reward="-20")
        trial = self.trial(tidy_log, row)
        assert np.isnan(trial["rt"])
        assert not trial["responded"]
        assert trial["total"] == pytest.approx(15 + 4.05 + 3)

    def test_a_missed_deadline_on_a_hard_trial_has_no_penalty(self, tidy_log, trial_row):
        row = trial_row(rt="0", total="4.05", correct="0", reward="-1", condition="hard")
        assert self.trial(tidy_log, row)["total"] == pytest.approx(19.05)

    @pytest.mark.parametrize("reward", ["20.5", "99999", "-3"])
    def test_a_reward_that_contradicts_is_kept_as_logged(self, tidy_log, trial_row, reward):
        trial = self.trial(tidy_log, trial_row(reward=reward), reward_mismatch="keep")
        assert trial["reward"] == float(reward)

    def test_a_total_that_contradicts_is_kept_as_logged(self, tidy_log, trial_row):
        trial = self.trial(tidy_log, trial_row(total="99.5"), total_mismatch="keep")
        assert trial["total"] == 99.5

    def test_a_large_session_number_is_kept_as_logged(self, tidy_log, trial_row):
        assert self.trial(tidy_log, trial_row(session="40000"))["session"] == 40000


EVERY_CAUSE = """a.csv, b.csv: 7 problems of 7 kinds in the logs
  - not_a_number: 1 row, column position; expected a finite number; first: a.csv row 2 ('x'); \
remedy: correct the cells, or set `validation.not_a_number: exclude` in config.yaml
  - reward_mismatch: 1 row, column reward; expected +20 or -20 on easy, +1 or -1 on hard trials, \
positive when correct; first: a.csv row 2 ('1'); remedy: correct the rows, or set \
`validation.reward_mismatch: exclude or keep` in config.yaml
  - time_out_of_range: 1 row, column rt; expected 0 to 15 s; first: a.csv row 4 ('99'); remedy: \
correct the times, or set `validation.time_out_of_range: exclude` in config.yaml
  - unknown_condition: 1 row, column condition; expected easy or hard (1 or 2); first: a.csv row 5 \
('?'); remedy: correct the cells, or map other names by `conditions` with `fuzzybounds import`, \
or set `validation.unknown_condition: exclude` in config.yaml
  - unknown_outcome: 1 row, column correct; expected 0 or 1; first: b.csv row 2 ('?'); remedy: \
correct the cells, or map other names by `outcomes` with `fuzzybounds import`, or set \
`validation.unknown_outcome: exclude` in config.yaml
  - repeated_trial: 1 row, column trial; expected one row per trial, numbered continuously \
through blocks and sessions; first: b.csv row 2 ('2'); remedy: number the trials of each subject \
continuously, or omit the column, or set `validation.repeated_trial: exclude` in config.yaml
  - not_a_number: 1 row, column block; expected a finite number; first: b.csv row 3 ('x'); remedy: \
correct the cells, or set `validation.not_a_number: exclude` in config.yaml

file   check              rows
a.csv  not_a_number          1
a.csv  reward_mismatch       1
a.csv  time_out_of_range     1
a.csv  unknown_condition     1
b.csv  unknown_outcome       1
b.csv  repeated_trial        1
b.csv  not_a_number          1"""


class TestErrors:
    def problems(self, *paths, **actions):
        with pytest.raises(InputError) as error:
            validate(read_tidy(paths), actions)
        return error.value.problems

    def test_every_cause_is_a_line_and_a_table_says_where(self, tidy_log, trial_row):
        a = tidy_log(
            [
                trial_row(trial="1", reward="1", position="x"),
                trial_row(trial="2"),
                trial_row(trial="3", rt="99"),
                trial_row(trial="4", condition="?"),
            ],
            "a.csv",
        )
        b = tidy_log([trial_row(trial="2", correct="?"), trial_row(trial="5", block="x")], "b.csv")
        with pytest.raises(InputError) as error:
            validate(read_tidy([b, a]))
        assert str(error.value) == EVERY_CAUSE

    def test_a_cause_with_many_rows_is_one_line(self, tidy_log, trial_row):
        rows = [trial_row(trial=str(number), position="x") for number in range(1, 121)]
        with pytest.raises(InputError) as error:
            validate(read_tidy([tidy_log(rows)]))
        assert str(error.value) == (
            "log.csv: 120 problems in the logs\n"
            "  - not_a_number: 120 rows, column position; expected a finite number; first: log.csv "
            "row 2 ('x'), log.csv row 3 ('x'), log.csv row 4 ('x'), ...; remedy: correct the cells"
        )
        assert error.value.places["row"].tolist() == list(range(2, 122))

    @pytest.mark.parametrize(
        ("cell", "remedy"),
        [
            ("1,25", "write every number with a decimal point"),
            (
                "2026-05-01 00:00:00",
                "a spreadsheet has turned numbers into dates; format the column as Number, "
                "re-enter the values and export again",
            ),
        ],
    )
    def test_the_remedy_is_the_one_that_the_cells_suggest(self, tidy_log, trial_row, cell, remedy):
        (problem,) = self.problems(tidy_log([trial_row(rt=cell)]))
        assert problem.split("; remedy: ")[1] == remedy

    def test_milliseconds_are_recognised(self, tidy_log, trial_row):
        rows = [trial_row(("total",), trial=str(n), rt=str(900 + n)) for n in range(1, 10)]
        problem = self.problems(tidy_log(rows))[0]
        assert problem == (
            "time_out_of_range: 9 rows, column rt; expected 0 to 15 s; first: log.csv row 2 "
            "('901'), log.csv row 3 ('902'), log.csv row 4 ('903'), ...; remedy: import the files "
            "with `units: {rt: ms}` in the mapping, which `fuzzybounds import` proposes (in "
            "milliseconds most of these times are possible)"
        )

    @pytest.mark.parametrize(("wrong", "offered"), [(5, True), (6, False)])
    def test_most_rows_are_not_to_be_excluded(self, tidy_log, trial_row, wrong, offered):
        rows = [trial_row(trial=str(n), reward="20" if n > wrong else "1") for n in range(1, 11)]
        (problem,) = self.problems(tidy_log(rows))
        what = "exclude or keep" if offered else "keep"
        assert problem.endswith(
            f"correct the rows, or set `validation.reward_mismatch: {what}` in config.yaml"
        )

    @pytest.mark.parametrize(("factor", "unit"), [(1000, "ms"), (0.001, "s")])
    def test_another_unit_of_the_total_is_recognised(self, tidy_log, trial_row, factor, unit):
        rows = [trial_row(trial=str(n), total=f"{5.3 * factor:g}") for n in range(1, 4)]
        (problem,) = self.problems(tidy_log(rows))
        assert problem.startswith("total_mismatch: 3 rows")
        assert problem.endswith(f"import the files with `units: {{total: {unit}}}` in the mapping")

    def test_a_row_with_several_errors_lists_each(self, tidy_log, trial_row):
        row = trial_row(rt="x", total="x", reward="x", position="500", block="0", trial="x")
        problems = self.problems(tidy_log([row]))
        assert [problem.split(";")[0].split("column ")[1] for problem in problems] == [
            "block",
            "trial",
            "rt",
            "total",
            "reward",
            "position",
        ]

    def test_nothing_is_judged_by_a_wrong_cell(self, tidy_log, trial_row):
        """One wrong cell is one problem, though others were computed from it."""
        rows = [trial_row(trial="1", block="5"), trial_row(trial="2", block="5")]
        wrong = [{"correct": "?"}, {"condition": "?"}, {"rt": "-1"}, {"rt": "55"}, {"rt": "x"}]
        wrong += [{"block": "x"}, {"block": "0"}, {"session": "x"}, {"trial": "x"}, {"subject": ""}]
        for changes in wrong:
            row = trial_row(**{"trial": "3", "block": "5", **changes})
            assert len(self.problems(tidy_log([*rows, row]))) == 1, changes

    def test_an_excluded_wrong_cell_is_no_error_of_another_kind(self, tidy_log, trial_row):
        rows = [
            trial_row(trial="1", block="5"),
            trial_row(trial="2", block="x"),
            trial_row(trial="3", block="5", correct="?"),
            trial_row(trial="4", block="5", rt="-2"),
            trial_row(trial="0", block="5"),
            trial_row(trial="0", block="4"),
        ]
        checks = ("not_a_number", "unknown_outcome", "time_out_of_range")
        actions = dict.fromkeys(checks, "exclude")
        result = validate(read_tidy([tidy_log(rows)]), actions)
        assert result.trials["trial"].tolist() == [1]
        assert result.exclusions["row"].tolist() == [3, 4, 5, 6, 7]


class TestOrder:
    def blocks(self, tidy_log, trial_row, blocks, **changes):
        rows = [
            trial_row(trial=str(number), block=str(block), **changes)
            for number, block in enumerate(blocks, 1)
        ]
        return read_tidy([tidy_log(rows)])

    def test_excluding_leaves_the_blocks_in_order(self, tidy_log, trial_row):
        raw = self.blocks(tidy_log, trial_row, [1, 5, 5, 3, 3, 4, 5, 6])
        result = validate(raw, {"blocks_out_of_order": "exclude"})
        assert result.trials["block"].tolist() == [1, 5, 5, 5, 6]
        assert result.exclusions["row"].tolist() == [5, 6, 7]

    def test_the_order_is_that_of_the_trial_numbers(self, tidy_log, trial_row):
        rows = [
            trial_row(trial="3", block="2"),
            trial_row(trial="1", block="1"),
            trial_row(trial="2", block="1"),
        ]
        trials = validate(read_tidy([tidy_log(rows)])).trials
        assert trials["trial"].tolist() == [1, 2, 3]
        assert trials["block"].tolist() == [1, 1, 2]

    def test_each_subject_has_an_order_of_its_own(self, tidy_log, trial_row):
        rows = [trial_row(subject="a", block="9"), trial_row(subject="b", block="1")]
        trials = validate(read_tidy([tidy_log(rows)])).trials
        assert trials["block"].tolist() == [9, 1]

    def test_subjects_come_in_natural_order(self, tidy_log, trial_row):
        names = ["10", "S10", "2", "S9", "01", "1"]
        rows = [trial_row(subject=name) for name in names]
        trials = validate(read_tidy([tidy_log(rows)])).trials
        assert trials["subject"].tolist() == ["01", "1", "2", "10", "S9", "S10"]

    def test_blocks_may_be_missing(self, tidy_log, trial_row):
        raw = self.blocks(tidy_log, trial_row, [2, 7, 30])
        assert validate(raw).trials["block"].tolist() == [2, 7, 30]


class TestOptionalColumns:
    OPTIONAL = tuple(column.name for column in COLUMNS if not column.required)

    def test_they_are_computed_from_the_design(self, tidy_log, trial_row):
        rows = [
            trial_row(self.OPTIONAL),
            trial_row(self.OPTIONAL, correct="0"),
            trial_row(self.OPTIONAL, subject="8", condition="hard"),
            trial_row(self.OPTIONAL, condition="hard", correct="0"),
            trial_row(self.OPTIONAL, rt="", correct="0"),
            trial_row(self.OPTIONAL, rt="0", correct="0", condition="2"),
        ]
        trials = validate(read_tidy([tidy_log(rows)])).trials
        assert trials["subject"].tolist() == ["7"] * 5 + ["8"]
        assert trials["session"].tolist() == [1] * 6
        assert trials["trial"].tolist() == [1, 2, 3, 4, 5, 1]
        assert trials["reward"].tolist() == [20, -20, -1, -20, -1, 1]
        np.testing.assert_allclose(trials["total"], [5.3, 8.3, 5.3, 22.05, 19.05, 5.3])

    def test_they_are_the_same_computed_as_logged(self, tidy_log, trial_row):
        rows = [
            trial_row(),
            trial_row(trial="2", correct="0", reward="-20", total="8.3"),
            trial_row(trial="3", condition="hard", reward="1"),
        ]
        logged = validate(read_tidy([tidy_log(rows)])).trials
        shorter = [{k: v for k, v in row.items() if k not in self.OPTIONAL} for row in rows]
        computed = validate(read_tidy([tidy_log(shorter)])).trials
        pd.testing.assert_frame_equal(computed, logged)

    def test_trial_numbers_count_excluded_rows_too(self, tidy_log, trial_row):
        rows = [trial_row(self.OPTIONAL, position=cell) for cell in ("67.5", "x", "-67.5")]
        trials = validate(read_tidy([tidy_log(rows)]), {"not_a_number": "exclude"}).trials
        assert trials["trial"].tolist() == [1, 3]


class TestResult:
    def test_types(self, tidy_log, trial_row):
        rows = [
            trial_row(subject="01", condition="EASY"),
            trial_row(subject="01", trial="2", condition="1", correct="1.0"),
            trial_row(subject="1", condition="2", correct="0", reward="-1"),
        ]
        trials = validate(read_tidy([tidy_log(rows)])).trials
        assert {name: str(dtype) for name, dtype in trials.dtypes.items()} == {
            "subject": "str",
            "session": "int32",
            "block": "int32",
            "trial": "int32",
            "rt": "float64",
            "total": "float64",
            "reward": "float64",
            "condition": "str",
            "correct": "bool",
            "position": "float64",
            "responded": "bool",
        }
        assert trials["subject"].tolist() == ["01", "01", "1"]
        assert trials["condition"].tolist() == ["easy", "easy", "hard"]
        assert trials["correct"].tolist() == [True, True, False]

    @pytest.mark.parametrize(
        ("rt", "total", "position"),
        [
            pytest.param("15.01", "19.06", "0", id="a frame after the deadline"),
            pytest.param("0.0167", "4.0667", "-1.5", id="the first frame"),
            pytest.param("10", "14.0519", "420", id="the edge, and a rounded total"),
            pytest.param("1.25", "5.3", "69.5", id="a frame beside the lattice"),
        ],
    )
    def test_the_limits_are_inside(self, tidy_log, trial_row, rt, total, position):
        raw = read_tidy([tidy_log([trial_row(rt=rt, total=total, position=position)])])
        trial = validate(raw, dict.fromkeys(CHECK, "error")).trials.iloc[0]
        assert (trial["rt"], trial["position"]) == (float(rt), float(position))

    def test_a_row_is_excluded_once_for_the_first_reason(self, tidy_log, trial_row):
        rows = [trial_row(), trial_row(trial="2", position="64.5", reward="1", total="9")]
        actions = {"reward_mismatch": "exclude", "total_mismatch": "exclude"}
        result = validate(read_tidy([tidy_log(rows)]), actions)
        (listed,) = result.exclusions.to_dict("records")
        assert (listed["row"], listed["reason"], listed["scope"]) == (
            3,
            "reward_mismatch",
            "trials",
        )
        assert listed["trial"] == 2

    def test_if_nothing_is_left_that_is_an_error(self, tidy_log, trial_row):
        rows = [trial_row(trial="1", position="x"), trial_row(trial="2", condition="?")]
        actions = {"not_a_number": "exclude", "unknown_condition": "exclude"}
        with pytest.raises(InputError, match=r"log\.csv: every trial is excluded") as error:
            validate(read_tidy([tidy_log(rows)]), actions)
        assert set(error.value.problems) == {"not_a_number: 1 row", "unknown_condition: 1 row"}


class TestActions:
    def test_wrong_options_are_all_listed(self, tidy_log, trial_row):
        raw = read_tidy([tidy_log([trial_row()])])
        actions = {"off_latice": "keep", "off_screen": "keep", "repeated_row": "drop"}
        with pytest.raises(InputError) as error:
            validate(raw, actions)
        known = ", ".join(CHECK)
        assert error.value.problems == [
            f"unknown check 'off_latice'; known: {known}",
            "off_screen: 'keep'; expected one of error, exclude",
            "repeated_row: 'drop'; expected one of error, exclude, keep",
        ]

    def test_what_is_not_given_is_the_default(self, tidy_log, trial_row):
        raw = read_tidy([tidy_log([trial_row()])])
        for actions in (None, {}, {"off_lattice": DEFAULT_ACTIONS["off_lattice"]}):
            counts = validate(raw, actions).counts
            assert dict(zip(counts["check"], counts["action"], strict=True)) == DEFAULT_ACTIONS

    def test_defaults_are_actions_that_the_checks_allow(self):
        for check in CHECKS:
            assert check.action in ACTIONS
            assert check.keepable or check.action != "keep", check.name


def assert_possible(trials: pd.DataFrame) -> None:
    """Everything that must hold of trials under the strictest actions, stated independently."""
    responded = trials["responded"]
    assert (trials["rt"].notna() == responded).all()
    rt = trials["rt"].fillna(15.0)
    assert ((rt > 0) & (rt <= 15 + 1 / 60)).all()
    position = trials["position"].abs()
    assert (position <= 420).all()
    assert (position <= 90 * (rt + 1 / 60) + 1.5).all()
    assert trials["condition"].isin(["easy", "hard"]).all()
    easy = trials["condition"] == "easy"
    payoff = np.where(easy, 20, 1)
    assert (trials["reward"] == np.where(trials["correct"], payoff, -payoff)).all()
    wait = 4.05 + np.where(easy & ~trials["correct"], 3, 0)
    np.testing.assert_allclose(trials["total"], rt + wait, atol=0.00201)
    assert not (trials["correct"] & ~responded).any()
    assert (trials["subject"] != "").all()
    assert not trials.duplicated(["subject", "trial"]).any()
    for name in ("session", "block", "trial"):
        assert (trials[name] >= 1).all()
    for _, own in trials.groupby("subject"):
        assert own["trial"].is_monotonic_increasing
        assert own["block"].is_monotonic_increasing
        assert own["session"].is_monotonic_increasing


ODD_CELLS = [
    *("", "0", "1", "2", "-1", "1.5", "20", "-20", "-0", "15", "15.02", "420", "-420.1", "4.05"),
    *("7.05", "19.05", "1e18", "99999999999999999", "1e309", "nan", "inf", "0.0", "1.0", "True"),
    *("easy", "hard", "HARD", "٣", "²", "'", '"', "\n", "x\x1fy", "\u2028", "\x00", "=1+1"),
]
CELLS = st.one_of(
    st.sampled_from(ODD_CELLS),
    st.integers(-50_000, 50_000).map(str),
    st.floats(-500, 500).map(repr),
    st.text(st.characters(codec="utf-8"), max_size=8),
)
GOOD = [
    # subject, session, block, trial, rt, total, reward, condition, correct, position
    ["01", "1", "1", "1", "1.25", "5.3", "20", "easy", "1", "67.5"],
    ["01", "1", "1", "2", "0.5", "7.55", "-20", "1", "0", "-45"],
    ["01", "1", "2", "3", "0", "7.05", "-20", "easy", "0", "90"],
    ["01", "2", "3", "4", "10", "14.05", "1", "hard", "1", "420"],
    ["S2", "1", "1", "1", "", "19.05", "-1", "2", "0", "-3"],
    ["S2", "1", "1", "2", "0.01667", "4.06667", "-1", "hard", "0", "1.5"],
]
CORRUPTIONS = st.lists(
    st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, len(COLUMNS) - 1), CELLS),
    min_size=1,
    max_size=4,
)


KEPT = dict.fromkeys(("missed_deadline", "missed_without_wait", "off_lattice"), "keep")
EXCLUDING = dict.fromkeys(CHECK, "exclude") | KEPT
REFUSING = dict.fromkeys(CHECK, "error") | KEPT


@pytest.fixture(scope="module")
def corrupted_log(tmp_path_factory):
    path = tmp_path_factory.mktemp("corrupted") / "log.csv"

    def write(corruptions):
        rows = [list(row) for row in GOOD]
        for row, column, cell in corruptions:
            rows[row][column] = cell
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([[column.name for column in COLUMNS], *rows])
        return path

    return write


class TestCorruption:
    def test_uncorrupted_it_is_accepted(self, corrupted_log):
        result = validate(read_tidy([corrupted_log([])]))
        assert len(result.trials) == len(GOOD)
        assert_possible(result.trials)

    @settings(max_examples=40)
    @given(CORRUPTIONS)
    def test_cells_of_any_content_are_refused_or_possible(self, corrupted_log, corruptions):
        try:
            raw = read_tidy([corrupted_log(corruptions)])
        except InputError as error:
            # Only a broken file is refused as a whole.
            assert "CSV" in error.summary or "one row per trial" in error.summary  # noqa: PT017
            return
        result = validate(raw, EXCLUDING)
        assert_possible(result.trials)
        # Nothing is dropped silently.
        dropped = result.exclusions[result.exclusions["scope"] == "trials"]
        assert len(raw) == len(GOOD) == len(result.trials) + len(dropped)
        kept = raw.drop(index=raw.index[raw["row"].isin(dropped["row"])])
        assert sorted(kept["subject"]) == sorted(result.trials["subject"])
        # A row that nobody touched is left out only for what another made of the order.
        changed = {row + 2 for row, _, _ in corruptions}
        innocent = dropped[~dropped["row"].isin(changed)]
        assert innocent["reason"].isin(["repeated_trial", "blocks_out_of_order"]).all()
        # What would be excluded is an error where it is not.
        if dropped.empty:
            pd.testing.assert_frame_equal(validate(raw, REFUSING).trials, result.trials)
        else:
            with pytest.raises(InputError) as error:
                validate(raw, REFUSING)
            assert set(error.value.places["row"]) == set(dropped["row"])
