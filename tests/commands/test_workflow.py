"""What `fuzzybounds run` and its companions do before and after the workflow."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from fuzzybounds import cli
from fuzzybounds.commands import doctor, logs, project
from fuzzybounds.core import inventory

DOCS = Path(__file__).resolve().parents[2] / "docs"


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
    assert cli.main(["run", "--only", "fig13", "--fast", "--cores", "3"]) == 0
    assert runs[0][:2] == ("experiment_a", ["paper"])
    figure = "results/variants/first_look/simulated/figures/fig13.png"
    assert runs[1][:2] == ("simulated", [figure])
    file = "results/experiment_a/groups.csv"
    assert cli.main(["run", "experiment_a", "--only", file]) == 0
    assert runs.pop()[1] == [file]
    assert (runs[1][2]["variant"], runs[1][2]["cores"]) == ("first_look", 3)
    for wrong, problem in {
        "eksperiment_a": "did you mean 'experiment_a'?",
        "simulated --only figg13": "--only figg13: unknown\n  - did you mean 'fig13'?",
        "simulated --cores 0": "argument --cores: '0': expected a whole number from 1",
    }.items():
        with suppress(SystemExit):
            assert cli.main(["run", *wrong.split()]) == 1
        assert problem in capsys.readouterr().err
    assert len(runs) == 2


def test_damaged_results_are_made_again_before_anything_else(runs, capsys):
    made = "results/simulated/claims.csv"
    Path(made).parent.mkdir(parents=True)
    Path(made).write_text("id\nC01\n")
    inventory.record([made])
    Path(made).write_text("id\n")
    # Whatever is forced besides, and whatever else Snakemake is told.
    assert cli.main(["report"]) == 1
    assert runs[0][1:] == (
        [made],
        {
            "variant": None,
            "cores": None,
            "more": ["--forcerun", "make_report", "--forcerun", made],
        },
    )
    assert runs[1][2]["more"] == ["--forcerun", "make_report"]
    printed = capsys.readouterr().err
    assert f"again first:\n  {made}: changed since it was made" in printed
    # Nothing was repaired here.
    for command in ("show simulated", "crate simulated", "compare simulated simulated"):
        assert cli.main(command.split()) == 1
        printed = capsys.readouterr().err
        assert "error: results/simulated: 1 damaged result" in printed
        assert "fuzzybounds run simulated makes them again" in printed
    # Without what was noted, the run says what is unknown, and how all can be made again.
    shutil.rmtree("results/simulated/.made")
    assert cli.main(["run", "--only", "paper"]) == 0
    assert "run simulated --snakemake --forceall makes all of them" in capsys.readouterr().err


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


def test_the_configuration_of_the_folder_decides_about_rows(
    runs, project_root, tidy_log, trial_row, tmp_path, capsys
):
    """What an error message says can be set is read by the command that said it."""
    lab = project_root / "docs/examples/other_lab"
    shutil.copytree(lab, "lab")
    log = Path("lab/anna.csv")
    log.write_text(log.read_text() + log.read_text().splitlines()[-1].replace("low", "x") + "\n")
    for command in ("run lab", "import lab --mapping lab/mapping.yaml --to data/raw/lab"):
        Path("config.yaml").unlink(missing_ok=True)
        assert cli.main(command.split()) == 1
        printed = capsys.readouterr().err
        assert "set `validation.unknown_condition: exclude` in config.yaml" in printed
        assert printed.startswith("error: with lab/mapping.yaml, ")
        options = "{unknown_condition: exclude, repeated_trial: exclude}"
        Path("config.yaml").write_text(f"datasets: {{lab: {{validation: {options}}}}}")
        assert cli.main([*command.split(), *(["--only", "paper"] * ("run" in command))]) == 0
        shutil.rmtree("data")
    # A proposed mapping is tried with the same options.
    lines = (lab / "anna.csv").read_text().splitlines()
    log.write_text("\n".join([*lines, lines[-1]]))
    for options, text in (("repeated_trial: exclude", "can be used."), ("", "Still to be done")):
        Path("config.yaml").write_text(f"validation: {{{options}}}")
        for command in ("run lab", "import lab"):
            Path("lab/mapping.yaml").unlink(missing_ok=True)
            cli.main(command.split())
            assert text in capsys.readouterr().out
    tidy_log([trial_row(), trial_row(position="22.5")], "data/raw/mine/7.csv")
    assert cli.main(["validate", "mine"]) == 1
    Path("config.yaml").write_text("validation: {repeated_trial: exclude}")
    assert cli.main(["validate", "mine"]) == 0
    assert "1 trial of 1 subject can be used." in capsys.readouterr().out


def test_logs_are_checked_by_the_name_of_their_data_set(runs, shared_data, capsys):
    for name, remedy in {
        "experiment_a": "fetch experiment_a",
        "simulated": "run simulated",
    }.items():
        assert cli.main(["validate", name]) == 1
        assert f"- fuzzybounds {remedy} " in capsys.readouterr().err
    target = Path("data/raw/experiment_a")
    target.mkdir(parents=True)
    shutil.copy(shared_data / "Canoe_A.csv", target)
    assert cli.main(["validate", "experiment_a"]) == 0
    assert "8803 trials of 26 subjects can be used." in capsys.readouterr().out
    assert cli.main(["validate", "eksperiment_a"]) == 1
    assert "did you mean 'experiment_a'?" in capsys.readouterr().err


def test_a_mapping_beside_a_file_in_our_columns_is_not_its_own(runs, tidy_log, trial_row, tmp_path):
    shutil.copy(DOCS / "examples/other_lab/mapping.yaml", tmp_path)
    log = tidy_log([trial_row()], "mine.csv")
    assert cli.main(["run", str(log), "--only", "paper"]) == 0
    assert (tmp_path / "data/raw/mine/mine.csv").read_bytes() == log.read_bytes()


@pytest.mark.parametrize(("away", "red"), [(1, False), (3, True)])
def test_a_data_set_that_loses_much_is_told_in_red(
    tidy_log, trial_row, monkeypatch, capsys, away, red
):
    rows = [trial_row(trial=str(n), position="64.5" if n <= away else "67.5") for n in range(1, 9)]
    log = tidy_log([*rows, trial_row(subject="8", trial="9"), trial_row(subject="9", trial="9")])
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(logs, "SHOWN", 3)
    for terminal in (True, False):
        monkeypatch.setattr("sys.stdout.isatty", lambda shown=terminal: shown)
        assert cli.main(["validate", str(log)]) == 0
        out = capsys.readouterr().out
        assert f"{away} of 10 trials ({10 * away} %) have no path" in out
        assert ("\x1b[31m" in out) == (red and terminal)
        assert "more subject" not in out
    monkeypatch.setattr(logs, "SHOWN", 2)
    assert cli.main(["validate", str(log)]) == 0
    assert "... and 1 more subject\n" in capsys.readouterr().out
    # A proposal says so too, unless another unit of positions has fewer without a path.
    assert cli.main(["import", str(log)]) == 0
    count = "With this mapping 10 trials of 3 subjects can be used.\n"
    line = "" if red else "1 of 10 trials (10 %) have no path"
    assert count + line in capsys.readouterr().out


UNREAD = ["day2/", "notes.docx", "readme_c.csv", *(f"scan{n:02}.nii" for n in range(30))]


@pytest.mark.parametrize(
    ("command", "also"),
    [
        ("run lab", []),
        ("validate lab", []),
        # What a mapping does not name is not read.
        ("import lab", ["paths/"]),
        ("run foreign", ["tracks/"]),
        ("import foreign --mapping mapping.yaml --to data/raw/foreign", []),
        ("validate bids", ["sub-1/beh/sub-1_beh (copy).tsv"]),
    ],
)
def test_all_that_is_not_read_is_named(runs, tidy_log, trial_row, capsys, command, also):
    tidy_log([trial_row()], "lab/7.csv")
    tidy_log([trial_row()], "bids/sub-1/beh/sub-1_beh.tsv")
    shutil.copytree(DOCS / "examples/other_lab", "foreign")
    shutil.move("foreign/mapping.yaml", ".")
    folder = Path(command.split()[1])
    for name in (*UNREAD, *also):
        path = folder / name / ("b.csv" if name.endswith("/") else "")
        path.parent.mkdir(exist_ok=True)
        path.touch()
    cli.main(command.split())
    lines = [line for line in capsys.readouterr().out.splitlines() if ": not read: " in line]
    assert lines == [f"{folder}: not read: {', '.join(sorted([*UNREAD, *also]))}"]


def test_options_of_the_folder_are_those_of_the_run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("config.yaml").write_text("cohorts: {mine: {one_session: 1, three_session: 0}}")
    commands = []
    done = SimpleNamespace(returncode=3)
    monkeypatch.setattr(
        project.subprocess, "run", lambda command, env: commands.append(command) or done
    )
    # What Snakemake returns is what the command returns.
    assert cli.main(["run", "mine", "--only", "paper"]) == 3
    command = " ".join(commands[0])
    assert "--configfile config.yaml --config dataset=mine -- paper" in command


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
    for remedy in ("pip install 'fuzzybounds[workflow]'", "make room", "names no folder"):
        assert remedy in out
