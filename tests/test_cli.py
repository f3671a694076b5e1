"""The command line: what a person reads, and what is left on disk."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pandas as pd
import pytest

from fuzzybounds import cli
from fuzzybounds.logs.reading import read_logs
from fuzzybounds.logs.validation import validate


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
    def test_a_reader_who_has_seen_enough_is_no_error(self):
        code = "import sys; from fuzzybounds.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", code, "task", "config"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.close()
            assert process.stderr.read() == b""

    def test_a_folder_is_its_logs_and_paths(self, run, tidy_log, trial_row, tmp_path):
        tidy_log([trial_row(rt="0.05", position="4.5", total="4.1")], "lab/7.csv")
        frames = pd.DataFrame({"subject": "7", "trial": 1, "time": [0, 1 / 60, 2 / 60, 3 / 60]})
        paths = tmp_path / "lab/paths/7.csv"
        paths.parent.mkdir()
        frames.assign(position=frames["time"] * 90).to_csv(paths, index=False)
        assert run("validate", tmp_path / "lab")[0] == 0
        frames.assign(position=frames["time"] * 900).to_csv(paths, index=False)
        for given in ([tmp_path / "lab"], [tmp_path / "lab/7.csv", "--paths", paths]):
            code, _, err = run("validate", *given)
            assert code == 1
            assert "expected at most 90 px/s" in err


class TestImport:
    def test_the_example_becomes_a_data_set(self, run, example, tmp_path):
        to = tmp_path / "my_lab"
        code, out, err = run("import", example, "--mapping", example / "mapping.yaml", "--to", to)
        assert (code, err) == (0, "")
        assert "anna.csv: 79 trials" in out
        assert sorted(path.name for path in to.iterdir()) == [
            *("anna.csv", "ben.csv", "cleo.csv", "dora.csv", "paths")
        ]
        trials = validate(read_logs(sorted(to.glob("*.csv"))).raw).trials
        foreign = pd.read_csv(example / "anna.csv", sep=";", decimal=",")
        ours = trials[trials["subject"] == "anna"]
        assert ours["rt"].to_list() == pytest.approx((foreign["latency"] / 1000).to_list())
        assert ours["position"].to_list() == pytest.approx((foreign["x"] * 420).to_list())
        assert run("validate", to)[0] == 0

    def test_a_mistake_is_named_and_nothing_is_written(self, run, example, tmp_path):
        mapping, to = example / "mapping.yaml", tmp_path / "my_lab"
        mapping.write_text(mapping.read_text().replace("rt: ms", "rt: s"))
        code, _, err = run("import", example, "--mapping", mapping, "--to", to)
        assert code == 1
        assert "`units: {rt: ms}` in the mapping" in err
        assert not to.exists()

    def test_a_growing_folder(self, run, example, tmp_path):
        to, mapping = tmp_path / "my_lab", example / "mapping.yaml"
        mapping.write_text(mapping.read_text().split("# Recorded paths")[0])
        options = ("--mapping", mapping, "--to", to)
        assert run("import", example / "anna.csv", *options)[0] == 0
        code, out, _ = run("import", example, *options)
        assert code == 0
        assert f"{example / 'cleo.csv'} -> {to / 'cleo.csv'}: 87 trials, new" in out
        assert "anna.csv: unchanged since the last import, skipped" in out
        # The same participant under another name would have every trial twice.
        shutil.copy(example / "ben.csv", example / "ben2.csv")
        code, _, err = run("import", example / "ben2.csv", *options)
        assert code == 1
        assert "repeated_trial: 95 rows, column trial; expected one row per trial" in err
        assert not (to / "ben2.csv").exists()
        # A file that has changed is named, and nothing is written unless it is asked for.
        ben = example / "ben.csv"
        ben.write_text("".join(ben.read_text().splitlines(keepends=True)[:-1]))
        before = (to / "ben.csv").read_bytes()
        code, _, err = run("import", ben, *options)
        assert code == 1
        assert f"{to / 'ben.csv'} already exists, and {ben} would change its content" in err
        assert (to / "ben.csv").read_bytes() == before
        code, out, _ = run("import", ben, *options, "--replace")
        assert code == 0
        assert len((to / "ben.csv").read_text().splitlines()) == 95


@pytest.mark.parametrize(
    ("change", "remedy"),
    [
        (lambda column: (column / 420).round(4), "`units: {position: normalised}`"),
        (lambda column: column[::-1].to_numpy().round(1), "none is known"),
    ],
)
def test_positions_in_another_unit_stop_the_run_and_the_remedy_names_it(
    run, lab_trials, write_lab, change, remedy
):
    folder = write_lab(lab_trials.assign(position=change(lab_trials["position"])))
    code, out, err = run("validate", folder)
    assert (code, out) == (1, "")
    assert "wrong_units: 261 rows, column position; expected positions" in err
    assert remedy in err.split("; remedy: ")[1]
    assert "set `validation.wrong_units: keep` in config.yaml" in err


def test_seconds_that_were_taken_for_milliseconds_are_recognised(run, lab_trials, write_lab):
    code, _, err = run("validate", write_lab(lab_trials.assign(rt=lab_trials["rt"] / 1000)))
    assert code == 1
    assert "wrong_units: 261 rows, column rt; expected times in s that fit the positions" in err
    assert "import the files with `units: {rt: s}` in the mapping" in err
    # Positions are not judged by such times.
    assert err.count("\n  - ") == 1


class TestProposal:
    def test_a_mapping_is_proposed_with_reasons_and_works(self, run, example, tmp_path):
        mapping, to = example / "mapping.yaml", tmp_path / "my_lab"
        code, _, err = run("import", example)
        assert code == 1
        assert f"{mapping} already exists" in err
        mapping.unlink()
        code, out, err = run("import", example)
        assert (code, err) == (0, "")
        assert {
            "  rt: latency  # by its name; 17 to 10500",
            "  rt: ms  # values are 17 to 10500",
            "  given: key",
            "  easy: [low]",
            "With this mapping 272 trials of 4 subjects can be used.",
        } <= set(out.splitlines())
        code, out, _ = run("import", example, "--mapping", mapping, "--to", to)
        assert code == 0
        assert "272 trials of 4 subjects can be used." in out


def test_the_command_starts_without_the_heavy_libraries():
    code = "import sys, fuzzybounds.cli as c; c.build_parser(); print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
