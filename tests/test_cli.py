"""The command line: what a person reads, and what is left on disk."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pandas as pd
import pytest

from fuzzybounds import cli
from fuzzybounds.intake.files import log_files
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
        assert "missed_deadline: 1 row, keep" in out
        assert "1 subject of one session: fast and slow groups need 3" in out
        assert "no hard trials" in out

    def test_a_reader_who_has_seen_enough_is_no_error(self, tidy_log, trial_row):
        code = "import sys; from fuzzybounds.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", code, "validate", str(tidy_log([trial_row()]))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.close()
            assert process.stderr.read() == b""

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
        assert "expected at most 90 px/s" in err

    @pytest.mark.parametrize(
        ("text", "code", "said"),
        [
            ("validation: {repeated_trial: exclude}", 0, "left out of everything: 1 row"),
            ("datasets: {log.csv: {validation: {repeated_trial: exclude}}}", 0, "1 trial of 1"),
            ("datasets: {other: {validation: {repeated_trial: exclude}}}", 1, "repeated_trial: 1"),
            ("validation: {repeated_trail: exclude}", 1, "unknown check 'repeated_trail'"),
            ("- 1", 1, "not a configuration"),
        ],
    )
    def test_the_configuration_decides(self, run, tidy_log, trial_row, tmp_path, text, code, said):
        log = tidy_log([trial_row(), trial_row(position="22.5")])
        (tmp_path / "config.yaml").write_text(text)
        found, out, err = run("validate", log, "--config", tmp_path / "config.yaml")
        assert found == code
        assert said in out + err

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
        assert "already exists" in err
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
        assert "repeated_trial: 95 rows, column trial; expected one row per trial" in err
        assert sorted(path.name for path in to.iterdir()) == ["anna.csv", "ben.csv"]

    @pytest.mark.parametrize(
        ("file", "old", "new", "said"),
        [
            (
                "ben.csv",
                ";low;",
                ";lowish;",
                "conditions: 1 row, column difficulty; expected one of 'low', 'high'; first: ben",
            ),
            ("mapping.yaml", "rt: ms", "rt: s", "`units: {rt: ms}` in the mapping"),
        ],
    )
    def test_a_mistake_is_named_and_nothing_is_written(
        self, run, example, tmp_path, file, old, new, said
    ):
        path, to = example / file, tmp_path / "my_lab"
        path.write_text(path.read_text().replace(old, new, 1))
        code, _, err = run("import", example, "--mapping", example / "mapping.yaml", "--to", to)
        assert code == 1
        assert said in err
        assert not to.exists()

    def test_seconds_declared_as_milliseconds_are_recognised(
        self, run, lab_trials, write_lab, tmp_path
    ):
        folder, mapping = write_lab(lab_trials), tmp_path / "mapping.yaml"
        ours = ("subject", "block", "trial", "rt", "condition", "correct", "position")
        mapping.write_text(
            f"columns: {{{', '.join(f'{c}: {c}' for c in ours)}}}\nunits: {{rt: ms}}\n"
        )
        code, _, err = run("import", folder, "--mapping", mapping, "--to", tmp_path / "my_lab")
        assert code == 1
        (problem,) = (line for line in err.splitlines() if line.startswith("  - "))
        assert problem.startswith(
            "  - wrong_units: 261 rows, column rt; expected times in s that fit"
        )
        assert "remedy: import the files with `units: {rt: s}` in the mapping" in problem
        assert "exclude" not in err

    @pytest.mark.parametrize(("folder", "better"), [("my lab", "my_lab"), ("Müller", "Muller")])
    def test_a_folder_must_be_able_to_name_a_data_set(
        self, run, lab_trials, write_lab, example, folder, better
    ):
        said = f"rename it, such as {better}, or check its files one by one"
        named = write_lab(lab_trials, folder)
        assert said in run("validate", named)[2]
        mapping = example / "mapping.yaml"
        assert said in run("import", example, "--mapping", mapping, "--to", named)[2]

    def test_a_growing_folder(self, run, example, tmp_path):
        to, mapping = tmp_path / "my_lab", example / "mapping.yaml"
        mapping.write_text(mapping.read_text().split("# Recorded paths")[0])
        arguments = ("import", example, "--mapping", mapping, "--to", to)
        late = (example / "cleo.csv").read_bytes()
        (example / "cleo.csv").unlink()
        assert run(*arguments)[0] == 0
        # A new participant: the others are skipped.
        (example / "cleo.csv").write_bytes(late)
        code, out, _ = run(*arguments)
        assert code == 0
        assert out.split(f"\n\n{to} now holds")[0] == (
            "anna.csv, ben.csv, cleo.csv and 1 more: separated by semicolons, decimal commas\n"
            f"{example / 'cleo.csv'} -> {to / 'cleo.csv'}: 87 trials, new\n"
            "anna.csv, ben.csv, dora.csv: unchanged since the last import, skipped"
        )
        # A changed one is told, and nothing is written.
        ben = example / "ben.csv"
        ben.write_text("".join(ben.read_text().splitlines(keepends=True)[:-1]))
        before = (to / "ben.csv").read_bytes()
        assert run(*arguments) == (
            1,
            "",
            f"error: nothing was written\n"
            f"  - {to / 'ben.csv'} already exists, and {ben} would change its content\n"
            "  - add --replace to replace it, or move it\n",
        )
        assert (to / "ben.csv").read_bytes() == before
        code, out, _ = run(*arguments, "--replace")
        assert code == 0
        assert f"{ben} -> {to / 'ben.csv'}: 94 trials, replaces the previous version" in out
        assert len((to / "ben.csv").read_text().splitlines()) == 95

    def test_the_problems_of_all_files_are_listed_each_cause_once(self, run, example, tmp_path):
        mapping = example / "mapping.yaml"
        text = mapping.read_text().replace("rt: latency", "rt: latenz")
        mapping.write_text(text.replace("easy: [low]", "easy: leicht").split("# Recorded")[0])
        code, _, err = run("import", example, "--mapping", mapping, "--to", tmp_path / "my_lab")
        assert code == 1
        assert err == EVERY_FILE


EVERY_FILE = """error: anna.csv, ben.csv, cleo.csv and 1 more: 410 problems of 2 kinds with the mapping
  - columns.rt: no column 'latenz'; did you mean 'latency'?; in anna.csv, ben.csv, cleo.csv and 1 more
  - conditions: 138 rows, column difficulty; expected one of 'leicht', 'high'; first: anna.csv row 2 ('low'), anna.csv row 3 ('low'), anna.csv row 5 ('low'), ...

file      cause       rows
anna.csv  columns.rt    79
ben.csv   columns.rt    95
cleo.csv  columns.rt    87
dora.csv  columns.rt    11
anna.csv  conditions    44
ben.csv   conditions    41
cleo.csv  conditions    48
dora.csv  conditions     5
"""  # noqa: E501 (as the user sees it)


NOW = "as px only {} of the positions, which range from {}, are where the canoe can be"
PROPOSES = "in the mapping, which `fuzzybounds import` proposes"


class TestUnits:
    """Positions that are not px from the centre stop the run, and say what they may be."""

    @pytest.mark.parametrize(
        ("change", "remedy"),
        [
            (
                lambda own: (own / 420).round(4),
                f"import the files with `units: {{position: normalised}}` {PROPOSES} "
                f"({NOW.format('4 %', '-0.5321 to 0.6429')}; as shares of half the screen's width "
                "(1 is 420 px) 100 % are)",
            ),
            (
                lambda own: (own + 512).round(1),
                "import the files with `units: {position: {scale: 1, centre: 512}}` "
                f"{PROPOSES} ({NOW.format('0 %', '288.5 to 782')}; as screen coordinates in px "
                "(the centre is at 512) 100 % are)",
            ),
            (
                lambda own: own[::-1].to_numpy().round(1),
                f"none is known ({NOW.format('7 %', '-201 to 270')}, and no unit, screen "
                "coordinate or factor puts them there): are they positions at the response, in "
                "the rows of their own times, and the times in s? did the canoe move 90 px/s and "
                "draw its direction every 0.5 s?",
            ),
        ],
    )
    def test_the_remedy_names_the_unit(self, run, lab_trials, write_lab, tmp_path, change, remedy):
        folder = write_lab(lab_trials.assign(position=change(lab_trials["position"])))
        code, out, err = run("validate", folder)
        assert (code, out) == (1, "")
        summary, problem, _, *table = err.splitlines()
        assert summary == "error: anna.csv, ben.csv, cleo.csv: 261 problems in the logs"
        assert problem.startswith("  - wrong_units: 261 rows, column position; expected positions")
        keep = "if they are px after all, set `validation.wrong_units: keep` in config.yaml"
        assert problem.split("; remedy: ")[1] == f"{remedy}; {keep}"
        assert [line.split()[-1] for line in table] == ["rows", "79", "95", "87"]

    def test_one_can_insist(self, run, lab_trials, write_lab, tmp_path):
        shares = write_lab(lab_trials.assign(position=lab_trials["position"] / 420))
        (tmp_path / "config.yaml").write_text("validation: {wrong_units: keep}\n")
        code, out, _ = run("validate", shares, "--config", tmp_path / "config.yaml")
        assert code == 0
        assert "wrong_units: 261 rows, keep" in out

    def test_one_file_in_another_unit_is_named_alone(self, run, lab_trials, write_lab):
        ben = lab_trials["subject"] == "ben"
        mixed = lab_trials.assign(position=lab_trials["position"].where(~ben, lambda x: x / 420))
        code, _, err = run("validate", write_lab(mixed))
        assert code == 1
        assert err.startswith("error: ben.csv: 95 problems in the logs\n  - wrong_units: 95 rows")


class TestSpreadsheets:
    """What spreadsheets export is read as it is, and what was found is said."""

    @pytest.mark.parametrize(
        ("ending", "options", "said"),
        [
            ("csv", {}, ""),
            ("CSV", {}, ""),
            ("parquet", {}, ""),
            ("xlsx", {"sheet_name": "Trials"}, "Excel sheet 'Trials'"),
            ("csv", {"sep": ";", "decimal": ","}, "separated by semicolons, decimal commas"),
            ("txt", {"sep": "\t", "encoding": "utf-16"}, "separated by tabs, encoding utf-16"),
            (
                "csv",
                {"sep": ";", "decimal": ",", "encoding": "cp1252"},
                "separated by semicolons, decimal commas, encoding cp1252",
            ),
        ],
    )
    def test_any_export_is_read(self, run, lab_trials, write_lab, ending, options, said):
        table = lab_trials
        if "encoding" in options:
            table = table.assign(
                subject=table["subject"].str.replace("n", "ñ").replace("cleo", "cléo")
            )
        folder = write_lab(table, ending=ending, **options)
        code, out, err = run("validate", folder)
        assert (code, err) == (0, "")
        files = ", ".join(sorted(path.name for path in folder.iterdir()))
        trials = "261 trials of 3 subjects can be used."
        assert out.startswith(f"{files}: {said}\n{trials}" if said else trials)
        # The numbers are the same whatever the file.
        plain, own = (
            validate(read_tidy(log_files(where))).trials
            for where in (write_lab(table, "plain"), folder)
        )
        pd.testing.assert_frame_equal(own, plain)


class TestProposal:
    def test_a_mapping_is_proposed_with_reasons_and_works(self, run, example, tmp_path):
        (example / "mapping.yaml").unlink()
        code, out, err = run("import", example)
        assert (code, err) == (0, "")
        assert out == PROPOSED.format(folder=example)
        mapping, to = example / "mapping.yaml", tmp_path / "my_lab"
        code, out, _ = run("import", example, "--mapping", mapping, "--to", to)
        assert code == 0
        assert "272 trials of 4 subjects can be used." in out

    def test_one_that_is_there_is_not_written_over(self, run, example):
        mapping = example / "mapping.yaml"
        assert run("import", example) == (
            1,
            "",
            f"error: {mapping} already exists\n"
            f"  - add --mapping {mapping} to use it, or move it to get a new proposal\n",
        )

    def test_a_workbook(self, run, lab_trials, tmp_path):
        table = lab_trials.assign(
            condition=lab_trials["condition"].map({"easy": "A", "hard": "B"}),
            correct=lab_trials["correct"].map({1: "richtig", 0: "falsch"}),
            position=lab_trials["position"] / 37.8,
        )
        names = {"subject": "VP", "rt": "RT (s)", "correct": "Antwort korrekt", "position": "cm"}
        table.rename(columns=names).to_excel(tmp_path / "Studie.xlsx", index=False)
        code, out, _ = run("import", tmp_path / "Studie.xlsx")
        assert code == 0
        lines = [
            "  rt: RT (s)  # by its name; 0.017 to 10.5",
            "  correct: Antwort korrekt  # by its name; such as 'richtig', 'falsch'",
            "  position: cm  # where the canoe can be; -5.91222 to 7.14333",
            "  position: {scale: 37.8, centre: 0}  # as units of 37.8 px (such as centimetres or "
            "degrees) 100 % are where the canoe can be",
            "conditions:  # by accuracy: 86 % and 49 % correct",
            "  easy: [A]",
            "With this mapping 261 trials of 3 subjects can be used.",
        ]
        for line in lines:
            assert line in out.splitlines()

    def test_what_cannot_be_guessed_is_asked_for(self, run, lab_trials, write_lab):
        names = {"position": "a", "condition": "b"}
        odd = lab_trials.rename(columns=names).assign(a=1.0)
        code, out, _ = run("import", write_lab(odd))
        assert code == 1
        assert "  condition: TODO  # easy or hard (1 or 2); no column found" in out
        assert "Still to be done:\n  - columns.condition: no column found\n" in out

    def test_files_named_by_their_subject(self, run, lab_trials, write_lab):
        folder = write_lab(lab_trials)
        for path in folder.iterdir():
            pd.read_csv(path).drop(columns="subject").to_csv(path, index=False)
        code, out, _ = run("import", folder)
        assert code == 0
        said = "no column of participants; files such as anna.csv"
        assert f"file_names: '{{subject}}'  # {said}" in out
        assert "With this mapping 261 trials of 3 subjects can be used." in out


PROPOSED = """anna.csv: 79 rows, separated by semicolons, decimal commas
ben.csv: 95 rows, separated by semicolons, decimal commas
cleo.csv: 87 rows, separated by semicolons, decimal commas
dora.csv: 11 rows, separated by semicolons, decimal commas

{folder}/mapping.yaml: a proposed mapping

# Proposed by looking at the files: check every line. In columns, ours: theirs.
columns:
  subject: participant  # by its name; such as 'anna', 'ben', 'cleo' and 1 more
  block: run  # by its name; 1 to 8
  trial: 'no'  # by its name; 1 to 95
  rt: latency  # by its name; 17 to 10500
  condition: difficulty  # by its name; such as 'low', 'high'
  position: x  # by its name; -0.5321 to 0.6429
responses:  # sides by their names, or by where the canoe was
  given: key
  expected: heading
  left: [f, L]
  right: [j, R]
units:
  rt: ms  # values are 17 to 10500
  position: normalised  # as shares of half the screen's width (1 is 420 px) 100 % are where the canoe can be
conditions:  # by their meaning
  easy: [low]
  hard: [high]
# If tracks/*.csv are recorded paths, add paths: {{files: tracks/*.csv, columns: {{trial: ...}}}}

With this mapping 272 trials of 4 subjects can be used.
Check every line of {folder}/mapping.yaml, then run
  fuzzybounds import {folder} --mapping {folder}/mapping.yaml --to data/raw/my_lab
"""  # noqa: E501 (as the user sees it)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["validat", "x.csv"], "unknown command 'validat'; did you mean 'validate'?"),
        (["--hlp"], "unknown command '--hlp'; did you mean '--help'?"),
        (
            ["validate", "x.csv", "--confg", "y"],
            "unknown option '--confg'; did you mean '--config'?",
        ),
        (["import"], "SOURCE"),
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
