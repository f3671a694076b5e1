"""What a run shows: its start, a count that never falls, reasons, and one line per claim."""

from __future__ import annotations

import io
import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest

CLAIMS = [
    {"id": "C01", "verdict": "reproduced", "ours": "26 subjects"},
    {"id": "C02", "verdict": "not reproduced", "ours": "8 of 26 " * 20},
    {"id": "C15", "verdict": "not testable on this data set", "ours": "no recorded paths"},
]


@pytest.fixture
def plugin(project_root, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(project_root / "workflow"))
    monkeypatch.chdir(tmp_path)
    import snakemake_logger_plugin_progress as plugin

    monkeypatch.setattr(plugin.plan, "what", "Making results/lab from 8 logs")
    monkeypatch.setattr(plugin.plan, "shards", 8)
    return plugin


@pytest.fixture
def handler(plugin, monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    handler = plugin.LogHandler(None, None)
    handler.stream = stream
    return handler


def send(handler, event=None, message="", level=logging.INFO, **fields):
    record = logging.LogRecord("snakemake", level, "", 0, message, None, None)
    record.__dict__.update(event=event, **fields)
    handler.emit(record)


def start(handler):
    stats = {"validate_logs": 1, "split_subjects": 1, "gather_fuzzy": 1, "all": 1, "total": 4}
    send(handler, "run_info", stats=stats)


def do(handler, number, rule, done, total):
    send(handler, "job_info", jobid=number, rule_name=rule, rule_msg=f"Doing {rule} {number}")
    send(handler, "job_finished", job_id=number)
    send(handler, "progress", done=done, total=total)


def test_the_jobs_of_a_checkpoint_are_counted_from_the_start(handler):
    start(handler)
    do(handler, 1, "validate_logs", 1, 4)
    do(handler, 2, "split_subjects", 2, 4)
    for number in range(8):
        do(handler, 10 + number, "fit_fuzzy", 3 + number, 12)
    do(handler, 3, "gather_fuzzy", 11, 12)
    said = handler.stream.getvalue().splitlines()
    assert said[0].startswith("Making results/lab from 8 logs: 12 jobs, ")
    assert [re.match(r" *(\d+) of (\d+) ", line).groups() for line in said[1:]] == [
        (str(number), "12") for number in range(1, 12)
    ]
    assert handler.progress.left() == pytest.approx(0)


def test_the_count_follows_if_a_checkpoint_adds_fewer_jobs(handler):
    start(handler)
    do(handler, 1, "split_subjects", 1, 4)
    do(handler, 10, "fit_fuzzy", 2, 5)
    assert handler.progress.total == 5
    assert handler.progress.waiting["fit_fuzzy"] == 0


def test_the_first_line_tells_the_cores_that_are_used(handler):
    send(handler, "resources_info", "Provided cores: 1", cores=1)
    send(handler, "resources_info", "Rules claiming more threads will be scaled down.")
    start(handler)
    assert handler.stream.getvalue().splitlines()[0].endswith(" on 1 core")


def test_logs_without_a_subject_are_no_reason_to_fail(handler, plugin, monkeypatch):
    monkeypatch.setattr(plugin.plan, "shards", 0)
    start(handler)
    do(handler, 1, "split_subjects", 1, 4)
    do(handler, 10, "fit_fuzzy", 2, 5)
    assert handler.progress.total == 5


def test_a_shard_of_one_subject_is_called_by_the_subject(handler):
    start(handler)
    send(handler, "job_info", jobid=1, rule_name="fit", rule_msg="Fitting rules to s_S18 of lab")
    send(handler, "job_finished", job_id=1)
    assert "Fitting rules to S18 of lab (0 s)" in handler.stream.getvalue()


def test_times_of_earlier_runs_make_the_estimate(plugin, tmp_path):
    folder = tmp_path / "logs/other/fit_weibull"
    folder.mkdir(parents=True)
    for name, seconds in (("a", 100), ("b", 200)):
        (folder / f"{name}.tsv").write_text(f"s\tcpu_time\n{seconds}\t1\n")
    progress = plugin.Progress(tmp_path / "logs")
    progress.start({"fit_weibull": 4, "total": 4}, plugin.Plan())
    assert progress.left() == pytest.approx(4 * 150 / progress.cores)


WHY = [
    "error while validating the logs",
    "error: ann.csv: 1 problem",
    "  - row 4, column rt: '-1'; expected 0 to 15",
]
GO_ON = "What was finished stays; rerun the same command to go on."


def fail(handler, log: Path) -> None:
    log.write_text("\n".join(["reading", *WHY[1:]]))
    send(handler, "job_info", jobid=1, rule_name="validate_logs", rule_msg="Validating the logs")
    for _ in range(2):  # Snakemake tells of a failure more than once.
        send(handler, "job_error", jobid=1, rule_name="validate_logs", log=[str(log)])
    send(handler, None, "Exiting because a job execution failed. Look below", logging.ERROR)


def test_the_reason_of_a_failure_is_told_at_once(handler, tmp_path):
    start(handler)
    fail(handler, tmp_path / "validate_logs.log")
    assert handler.stream.getvalue().splitlines()[1:] == ["", *WHY, ""]
    handler.close()
    assert handler.stream.getvalue().splitlines()[1:] == ["", *WHY, "", GO_ON]


def test_a_run_ends_with_the_reason_if_jobs_went_on(handler, tmp_path):
    start(handler)
    fail(handler, tmp_path / "validate_logs.log")
    do(handler, 2, "sweep_learning", 1, 4)
    handler.close()
    said = handler.stream.getvalue().splitlines()
    assert said[1:5] == ["", *WHY]
    assert said[-6:] == ["", *WHY, "", GO_ON]


def test_noise_is_dropped_and_warnings_are_not(handler):
    send(handler, None, "Select jobs to execute...")
    send(handler, "resources_info", "Provided cores: 2")
    send(handler, None, "a warning", logging.WARNING)
    send(handler, None, "Nothing to be done (all requested files are present)")
    assert handler.stream.getvalue() == "a warning\nEverything is up to date.\n"


def test_in_a_terminal_lines_are_redrawn_and_fit(plugin):
    from snakemake_logger_plugin_progress.display import Live

    progress, stream = plugin.Progress(Path("none")), io.StringIO()
    progress.start({"draw_figure": 20, "total": 20}, plugin.Plan())
    for number in range(9):
        progress.begin(number, "draw_figure", f"Drawing fig{number:02d}: {'a long title ' * 9}")
    progress.count(5, 20)
    live = Live(stream, progress)
    lines = live.lines(80)
    assert lines[0].startswith("━━━━━━────────────────── 5 of 20 jobs, ")
    assert len(lines) == 8
    assert lines[-1] == "  and 3 more"
    assert max(map(len, lines)) == 79
    live.update()
    live.say("a line that stays")
    live.end()
    shown = stream.getvalue()
    assert "\r\x1b[7A\x1b[Ja line that stays\n" in shown
    assert shown.endswith("\x1b[J")


def test_the_end_has_one_line_per_claim_and_the_report_first(project_root, tmp_path):
    folder = tmp_path / "lab"
    folder.mkdir()
    rows = ["id,verdict,ours", *(",".join(row.values()) for row in CLAIMS)]
    (folder / "claims.csv").write_text("\n".join(rows) + "\n")
    done = subprocess.run(
        [sys.executable, str(project_root / "workflow/show_results.py"), str(folder)],
        capture_output=True,
        text=True,
        check=True,
        env={"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
    )
    lines = done.stdout.splitlines()
    assert lines[1] == "✓ C01  reproduced                     26 subjects"
    assert lines[2].startswith("✗ C02  not reproduced                 8 of 26 ")
    assert len(lines[2]) == 79
    assert lines[3] == "– C15  not testable on this data set  no recorded paths"
    assert lines[5] == f"Report:    {folder}/report.html"
    assert "\x1b" not in done.stdout


def test_every_verdict_has_a_sign_of_its_own_kind(project_root, monkeypatch):
    monkeypatch.syspath_prepend(str(project_root / "workflow"))
    from show_results import look_of

    from fuzzybounds.paper.claims import claim

    signs = {
        claim.REPRODUCED: "✓",
        claim.DIRECTION: "≈",
        claim.NOT: "✗",
        claim.INCONCLUSIVE: "?",
        claim.UNTESTABLE: "–",
    }
    for verdict, sign in signs.items():
        assert look_of(verdict)[0] == sign, verdict
        assert look_of(claim.ELSEWHERE[verdict])[0] == sign, claim.ELSEWHERE[verdict]
    assert look_of(claim.FEW)[0] == "?"


def test_typical_times_are_those_of_rules(plugin, project_root):
    from snakemake_logger_plugin_progress.estimate import TYPICAL

    files = [project_root / "Snakefile", *(project_root / "workflow/rules").glob("*.smk")]
    rules = {
        name
        for file in files
        for name in re.findall(r"^(?:rule|checkpoint) (\w+):", file.read_text("utf-8"), re.M)
    }
    assert "split_subjects" in rules
    assert set(TYPICAL) <= rules
