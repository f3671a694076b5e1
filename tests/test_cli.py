"""The command line: what a person reads, and what is left on disk."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pandas as pd
import pytest

from fuzzybounds import cli
from fuzzybounds.intake.logs import COLUMNS, read_tidy
from fuzzybounds.intake.validation import validate


@pytest.fixture
def run(capsys):
    """Run a command; return its exit code, output and errors."""

    def run(*arguments) -> tuple[int, str, str]:
        try:
            code = cli.main([str(argument) for argument in arguments])
        except SystemExit as exit_:
            code = exit_.code
        done = capsys.readouterr()
        return code, done.out, done.err

    return run


@pytest.fixture
def example(project_root, tmp_path):
    """A copy of the example of docs/new-subjects.md."""
    folder = tmp_path / "other_lab"
    shutil.copytree(project_root / "docs/examples/other_lab", folder)
    return folder


class TestValidate:
    def test_a_good_log_is_summed_up(self, run, tidy_log, trial_row):
        rows = [trial_row(), trial_row(trial="2", rt="0", correct="0", reward="-20", total="22.05")]
        code, out, err = run("validate", tidy_log(rows))
        assert (code, err) == (0, "")
        assert "2 trials of 1 subject can be used." in out
        counts = out.splitlines()[4].split()
        #        subject sessions blocks trials easy hard errors missed paths
        assert counts == ["7", "1", "1", "2", "2", "0", "0", "1", "0"]
        assert "missed_deadline: 1 rows, keep" in out
        assert "1 subject of one session: fast and slow groups need 3" in out
        assert "no hard trials" in out

    def test_a_reader_who_has_seen_enough_is_no_error(self, tidy_log, trial_row):
        code = "import sys; from fuzzybounds.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", code, "validate", str(tidy_log([trial_row()]))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.close()
            assert process.stderr.read() == b""

    def test_everything_to_fix_is_named(self, run, tidy_log, trial_row):
        log = tidy_log([trial_row(rt="-1"), trial_row(trial="2", condition="medium")])
        code, out, err = run("validate", log)
        assert (code, out) == (1, "")
        assert "log.csv, row 2, column rt: '-1'; expected 0 to 15 s" in err
        assert "log.csv, row 3, column condition: 'medium'; expected easy or hard" in err

    def test_a_folder_is_its_logs_and_paths(self, run, tidy_log, trial_row, tmp_path):
        tidy_log([trial_row(rt="0.05", position="4.5", total="4.1")], "lab/7.csv")
        frames = pd.DataFrame({"subject": "7", "trial": 1, "time": [0, 1 / 60, 2 / 60, 3 / 60]})
        paths = tmp_path / "lab/paths/7.csv"
        paths.parent.mkdir()
        frames.assign(position=frames["time"] * 90).to_csv(paths, index=False)
        code, out, _ = run("validate", tmp_path / "lab")
        assert code == 0
        assert out.splitlines()[4].split()[-1] == "1"
        frames.assign(position=frames["time"] * 900).to_csv(paths, index=False)
        code, _, err = run("validate", tmp_path / "lab/7.csv", "--paths", paths)
        assert code == 1
        assert "expected: at most 90 px/s" in err

    def test_the_configuration_decides_about_warts(self, run, tidy_log, trial_row, tmp_path):
        log = tidy_log([trial_row(), trial_row(trial="2", rt="99")])
        config = tmp_path / "config.yaml"
        config.write_text("validation: {time_out_of_range: exclude}\n")
        code, out, _ = run("validate", log, "--config", config)
        assert code == 0
        assert "1 trial of 1 subject can be used." in out
        assert "left out of everything: 1 rows" in out
        config.write_text("validation: {time_out_of_rang: exclude}\n")
        code, _, err = run("validate", log, "--config", config)
        assert code == 1
        assert "unknown check 'time_out_of_rang'" in err
        config.write_text("- 1\n")
        assert "no configuration" in run("validate", log, "--config", config)[2]

    @pytest.mark.parametrize("name", ["missing.csv", "empty"])
    def test_no_logs(self, run, tmp_path, name):
        (tmp_path / "empty").mkdir()
        code, _, err = run("validate", tmp_path / name)
        assert code == 1
        assert err.startswith("error: ")
        assert name in err


class TestTemplate:
    def test_it_has_the_columns_and_says_what_they_are(self, run, tmp_path):
        code, out, _ = run("template", tmp_path / "log.csv")
        assert code == 0
        header = (tmp_path / "log.csv").read_text()
        assert header == ",".join(column.name for column in COLUMNS) + "\n"
        assert all(column.meaning in out for column in COLUMNS)

    def test_nothing_is_written_over(self, run, tmp_path):
        (tmp_path / "log.csv").write_text("mine")
        code, _, err = run("template", tmp_path / "log.csv")
        assert code == 1
        assert "is there already" in err
        assert (tmp_path / "log.csv").read_text() == "mine"

    def test_without_a_file_the_header_alone_is_output(self, run):
        code, out, err = run("template", "--paths")
        assert (code, out) == (0, "subject,trial,time,position\n")
        assert "px from the centre" in err


class TestImport:
    def test_the_example_becomes_a_data_set(self, run, example, tmp_path):
        to = tmp_path / "my_lab"
        code, out, err = run("import", example, "--mapping", example / "mapping.yaml", "--to", to)
        assert (code, err) == (0, "")
        assert "anna.csv: 79 trials" in out
        assert sorted(path.name for path in to.iterdir()) == [
            *("anna.csv", "ben.csv", "cleo.csv", "dora.csv", "paths")
        ]
        trials = validate(read_tidy(sorted(to.glob("*.csv")))).trials
        foreign = pd.read_csv(example / "anna.csv", sep=";", decimal=",")
        ours = trials[trials["subject"] == "anna"]
        assert ours["rt"].to_list() == pytest.approx((foreign["latency"] / 1000).to_list())
        assert ours["position"].to_list() == pytest.approx((foreign["x"] * 420).to_list())
        assert run("validate", to)[0] == 0

    def test_a_new_participant_joins_the_others(self, run, example, tmp_path):
        to, mapping = tmp_path / "my_lab", example / "mapping.yaml"
        mapping.write_text(mapping.read_text().split("# Recorded paths")[0])
        assert run("import", example / "anna.csv", "--mapping", mapping, "--to", to)[0] == 0
        code, out, _ = run("import", example / "ben.csv", "--mapping", mapping, "--to", to)
        assert code == 0
        assert "174 trials of 2 subjects can be used." in out
        # The same participant under another name would have every trial twice.
        shutil.copy(example / "ben.csv", example / "ben2.csv")
        code, _, err = run("import", example / "ben2.csv", "--mapping", mapping, "--to", to)
        assert code == 1
        assert "expected one row a trial" in err
        assert sorted(path.name for path in to.iterdir()) == ["anna.csv", "ben.csv"]

    def test_a_bad_row_is_named_and_nothing_is_written(self, run, example, tmp_path):
        log = example / "ben.csv"
        log.write_text(log.read_text().replace(";low;", ";lowish;", 1).replace(";1;2;", ";1;x;", 1))
        to = tmp_path / "my_lab"
        code, _, err = run("import", example, "--mapping", example / "mapping.yaml", "--to", to)
        assert code == 1
        assert "column difficulty: 'lowish'; expected one of 'low', 'high' (conditions)" in err
        assert not to.exists()

    def test_what_breaks_the_design_is_not_imported(self, run, example, tmp_path):
        mapping = example / "mapping.yaml"
        mapping.write_text(mapping.read_text().replace("rt: ms", "rt: s"))
        to = tmp_path / "my_lab"
        code, _, err = run("import", example, "--mapping", mapping, "--to", to)
        assert code == 1
        assert "anna.csv, row 2, column rt: '7933'; expected 0 to 15 s" in err
        assert not to.exists()

    def test_nothing_is_written_over(self, run, example, tmp_path):
        (tmp_path / "my_lab").mkdir()
        (tmp_path / "my_lab/ben.csv").write_text("mine")
        mapping = example / "mapping.yaml"
        code, _, err = run("import", example, "--mapping", mapping, "--to", tmp_path / "my_lab")
        assert code == 1
        assert "ben.csv is there already" in err
        assert [path.name for path in (tmp_path / "my_lab").iterdir()] == ["ben.csv"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["validat", "x.csv"], "unknown command 'validat'; did you mean 'validate'?"),
        (["--hlp"], "unknown command '--hlp'; did you mean '--help'?"),
        (
            ["validate", "x.csv", "--confg", "y"],
            "unknown option '--confg'; did you mean '--config'?",
        ),
        (["import", "x.csv", "--to", "y"], "--mapping"),
        ([], "COMMAND"),
    ],
)
def test_a_wrong_command_is_explained(run, arguments, said):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("error: ")


def test_the_command_starts_without_the_heavy_libraries():
    code = "import sys, fuzzybounds.cli as c; c._parser(); print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
