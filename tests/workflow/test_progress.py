"""What `make` shows of a run."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

HEADER = "subject,block,trial,rt,condition,correct,position\n"


@pytest.fixture
def plugin(project_root, monkeypatch):
    monkeypatch.syspath_prepend(str(project_root / "workflow"))
    import snakemake_logger_plugin_progress

    return snakemake_logger_plugin_progress


@pytest.fixture
def handler(plugin):
    return plugin.LogHandler(common_settings=None, settings=None)


def emit(handler, event, **fields) -> None:
    record = logging.LogRecord("snakemake", logging.INFO, "", 0, "", (), None)
    vars(record).update(event=event, **fields)
    handler.handle(record)


def test_finished_jobs_are_counted_and_a_failure_is_told_once_at_the_end(handler, capsys, tmp_path):
    log = tmp_path / "fit.log"
    log.write_text("working\nerror: bad log\n  - row 4\n")
    emit(handler, LogEvent.RUN_INFO, stats={"total": 3})
    emit(handler, LogEvent.JOB_INFO, jobid=1, rule_name="fit", wildcards={"shard": 3})
    emit(handler, LogEvent.JOB_FINISHED, job_id=1)
    emit(handler, LogEvent.PROGRESS, done=1, total=3)
    emit(handler, LogEvent.JOB_INFO, jobid=2, rule_name="fit")
    for _ in range(2):
        emit(handler, LogEvent.JOB_ERROR, jobid=2, log=[str(log)])
    # The job is tried again, and fails again.
    emit(handler, LogEvent.JOB_INFO, jobid=2, rule_name="fit")
    emit(handler, LogEvent.JOB_ERROR, jobid=2, log=[str(log)])
    handler.close()
    said = capsys.readouterr().err
    assert "  1 of 3  fit 3 (0 s)" in said
    assert said.count("error: bad log\n  - row 4") == 1
    assert said.endswith("What was finished stays; rerun the same command to go on.\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, ["It left no log: it was killed, or it never started."]),
        ("a\nerror: b\nc\n", ["error: b", "c"]),
        ("\n".join(map(str, range(40))), [*map(str, range(25, 40)), "(the end of {log})"]),
    ],
)
def test_the_reason_of_a_failure_is_in_its_log(plugin, tmp_path, content, said):
    log = tmp_path / "job.log"
    if content is not None:
        log.write_text(content)
    assert plugin.reason_in([str(log)]) == [line.format(log=log) for line in said]


@pytest.mark.workflow
def test_a_bad_log_is_told_last_in_a_few_lines(project):
    folder = project.root / "data/raw/my_lab"
    folder.mkdir(parents=True)
    (folder / "ann.csv").write_text(HEADER + "ann,1,3,-1,easy,1,90\n")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--logger", "progress", "--config", "dataset=my_lab"],
        cwd=project.root,
        env={**project.environment, "PYTHONPATH": f"{project.root}/workflow"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert any("ann.csv" in line and "-1" in line for line in lines[-8:]), done.stderr
    assert lines[-1] == "What was finished stays; rerun the same command to go on."
    assert not list(project.root.rglob("*.png"))
    assert len(lines) < 12
