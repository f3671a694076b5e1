"""``plan`` and ``register``: what is written where, and what a later run says of deviations."""

from __future__ import annotations

import json

import pytest

from fuzzybounds.cli import main
from fuzzybounds.core.tables import read_json, write_json
from fuzzybounds.logs.registration import deviations

STUDY = """\
blocks: 4
canoe: {start_px: 225}
gate: {distribution: uniform, earliest_s: 0.3, latest_s: 6, ungated: 0.2}
"""


@pytest.fixture
def study(tmp_path):
    file = tmp_path / "decide.yaml"
    file.write_text(STUDY)
    return file


@pytest.fixture
def planned(study):
    assert main(["plan", str(study), "--subjects", "2", "--truths", "rules"]) == 0
    return study


def test_a_plan_is_written_beside_its_study(planned, capsys):
    folder = planned.with_name("decide_plan")
    assert {"design_power.csv", "design_power.png", "plan.json"} <= {
        file.name for file in folder.iterdir()
    }
    assert read_json(folder / "plan.json")["subjects"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--truths", "mett"], "did you mean 'met'?"),
        (["--subjects", "1"], "expected 2 or more"),
        (["decide.yaml"], "2 configurations: expected one, or --compare"),
    ],
)
def test_what_cannot_be_planned_has_a_remedy(study, arguments, message, capsys):
    assert main(["plan", str(study), *arguments]) == 1
    assert message in capsys.readouterr().err


def test_a_broken_study_is_named_with_its_line(study, capsys):
    study.write_text("blocks: 4\ngate: {distribution\n")
    assert main(["plan", str(study)]) == 1
    assert "decide.yaml: not a readable YAML document (line 3" in capsys.readouterr().err
    assert main(["plan", "nowhere.yaml"]) == 1
    assert "nowhere.yaml: no such file" in capsys.readouterr().err
    study.write_text("gate: {distribution: uniform, earliest_s: 3, latest_s: 2, ungated: 0}")
    assert main(["plan", str(study)]) == 1
    assert "gate.latest_s: 2; expected a time between earliest_s (3)" in capsys.readouterr().err


def test_a_registration_says_what_deviates(planned, tmp_path):
    data = tmp_path / "my_lab"
    data.mkdir()
    register = ["register", str(planned), "--subjects", "20", "--data", str(data)]
    assert main(register) == 0
    file = data / "registration.json"
    registered = read_json(file)
    assert {"hypotheses", "thresholds", "power", "simulation", "code"} <= set(registered)
    write_json(registered["design"], data / "design.json")
    (line,) = deviations(data, {}, 20)
    assert line.endswith("nothing deviates from it")
    write_json(registered["design"] | {"blocks": 3}, data / "design.json")
    lines = deviations(data, {"off_screen": "exclude"}, 12)
    assert [line.split(": ", 1)[1] for line in lines] == [
        "design.blocks is 3, registered 4",
        'exclusions.off_screen is "exclude", registered "error"',
        "subjects is 12, registered 20",
    ]
    file.write_text(json.dumps(registered | {"subjects": 12}))
    (line,) = deviations(data)
    assert "was changed after it was written" in line


def test_a_study_is_registered_as_planned_once_and_before_its_data(planned, tmp_path, capsys):
    register = ["register", str(planned), "--subjects", "20"]
    assert main(register) == 0
    assert main(register) == 1
    assert "a study is registered once" in capsys.readouterr().err
    (tmp_path / "S01.csv").write_text("subject\n")
    assert main([*register, "--data", str(tmp_path)]) == 1
    assert "before its data" in capsys.readouterr().err
    planned.write_text(STUDY.replace("225", "180"))
    assert main(register) == 1
    assert "changed since it was planned" in capsys.readouterr().err
