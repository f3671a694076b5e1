"""The design beside logs: what of it can be analysed, and what is refused by name."""

from __future__ import annotations

import pytest

from fuzzybounds.collect.configuration import load_study
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import write_json
from fuzzybounds.logs.study_design import PAPER, departures, design_of, from_document, notes


def test_what_the_task_writes_is_the_papers_design():
    assert from_document(load_study("my_lab").design, "design.json") == PAPER


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"canoe": {"speed": 90, "step_s": 0.2}}, "canoe.step_s: 0.2; expected one of 0.5"),
        ({"canoe": {"speed": 90, "steps": 0.5}}, "canoe.steps: unknown key; did you mean 'step_s'"),
        ({"deadline_s": 20}, "deadline_s: 20 is greater than the maximum of 15"),
        ({"step_s": 0.2}, "step_s: unknown key"),
    ],
)
def test_designs_that_cannot_be_analysed_are_refused_by_name(change, message):
    with pytest.raises(InputError, match=r"design\.json: 1 problem") as error:
        from_document(load_study("my_lab").design | change, "design.json")
    assert message in str(error.value)


def test_a_third_condition_is_refused_by_name():
    design = load_study("my_lab").design
    conditions = design["conditions"] | {"medium": design["conditions"]["easy"]}
    with pytest.raises(InputError, match=r"conditions\.medium: unknown key"):
        from_document(design | {"conditions": conditions}, "design.json")


def test_departures_name_what_assumes_the_papers_value():
    design = from_document(load_study("my_lab").design | {"block_s": 30}, "design.json")
    assert departures(design) == ["a block is 30 s, not the paper's 60 s, as assumed by C01"]


def test_logs_of_two_designs_are_not_taken_together(tmp_path):
    logs = [tmp_path / folder / "a.csv" for folder in "xy"]
    assert design_of(logs) == PAPER
    write_json(load_study("my_lab").design | {"block_s": 30}, tmp_path / "y/design.json")
    with pytest.raises(InputError, match="logs of different designs"):
        design_of(logs)


def test_frame_gaps_of_practice_do_not_count(tmp_path):
    (tmp_path / "events").mkdir()
    rows = ["block,trial,event", "0,9,gap", "1,1,gap", "1,1,gap", "1,2,onset"]
    (tmp_path / "events/P01.csv").write_text("\n".join(rows))
    assert notes(tmp_path) == ["trials with a frame gap, by subject (events/): P01: 1"]
