"""What `fuzzybounds run` and its companions do before and after the workflow."""

from __future__ import annotations

import shutil

import pytest

from fuzzybounds import cli
from fuzzybounds.commands import doctor, project


@pytest.fixture
def runs(monkeypatch, tmp_path):
    """An empty working directory; what would be handed to Snakemake is listed, and nothing runs."""
    called = []

    def snakemake(dataset, targets=(), **options):
        called.append((dataset, list(targets), options))
        return 0

    monkeypatch.setattr(project, "snakemake", snakemake)
    monkeypatch.chdir(tmp_path)
    return called


def test_a_data_set_and_its_parts_are_run(runs, capsys):
    assert cli.main(["run", "experiment_a", "--only", "paper"]) == 0
    assert cli.main(["run", "--only", "fig", "--fast", "--cores", "3"]) == 0
    assert runs[0][:2] == ("experiment_a", ["paper"])
    assert runs[1][0] == "simulated"
    assert (runs[1][2]["variant"], runs[1][2]["cores"]) == ("first_look", 3)
    assert cli.main(["run", "eksperiment_a"]) == 1
    assert "did you mean 'experiment_a'?" in capsys.readouterr().err


def test_logs_in_our_columns_are_copied_and_run(runs, tidy_log, trial_row, tmp_path, capsys):
    log = tidy_log([trial_row()], "Jürgens Log.csv")
    assert cli.main(["run", str(log), "--only", "paper"]) == 0
    assert runs[0][0] == "Jurgens_Log"
    copied = tmp_path / "data/raw/Jurgens_Log" / log.name
    assert copied.read_bytes() == log.read_bytes()
    # Once there, it is a data set; with other content it is not replaced unasked.
    assert cli.main(["run", "Jurgens_Log", "--only", "paper"]) == 0
    tidy_log([trial_row(), trial_row(trial="2")], log.name)
    capsys.readouterr()
    assert cli.main(["run", str(log)]) == 1
    assert "add --replace to replace it" in capsys.readouterr().err
    assert cli.main(["run", str(log), "--replace", "--only", "paper"]) == 0
    assert copied.read_bytes() == log.read_bytes()


def test_a_guessed_mapping_is_checked_by_a_person_first(runs, project_root, tmp_path, capsys):
    (tmp_path / "lab").mkdir()
    log = tmp_path / "lab/my_log.xlsx"
    shutil.copy(project_root / "docs/examples/excel_lab/study.xlsx", log)
    assert cli.main(["run", str(log), "--only", "paper"]) == 1
    out = capsys.readouterr().out
    assert f"Check every line of {tmp_path / 'lab/mapping.yaml'}, then run" in out
    assert f"fuzzybounds run {log}" in out
    assert runs == []
    assert cli.main(["run", str(log), "--only", "paper"]) == 0
    assert runs[0][0] == "my_log"
    assert (tmp_path / "data/raw/my_log/my_log.csv").is_file()


def test_the_doctor_names_what_would_fail_and_the_remedy(monkeypatch, capsys):
    monkeypatch.setattr(project, "missing_packages", lambda: [])
    monkeypatch.delenv("FUZZYBOUNDS_MIRROR", raising=False)
    assert cli.main(["doctor"]) == 0
    assert "A run can start here" in capsys.readouterr().out
    monkeypatch.setattr(project, "missing_packages", lambda: ["snakemake"])
    monkeypatch.setattr(doctor, "ROOM", 1e9)
    monkeypatch.setenv("FUZZYBOUNDS_MIRROR", "nowhere")
    assert cli.main(["doctor"]) == 1
    out = capsys.readouterr().out
    for said in ("pip install 'fuzzybounds[workflow]'", "make room", "names no folder"):
        assert said in out
