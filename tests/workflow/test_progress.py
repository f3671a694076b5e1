"""What `make` shows of a run."""

from __future__ import annotations

import logging

import pytest
from snakemake_interface_logger_plugins.common import LogEvent


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
    text = capsys.readouterr().err
    assert "  1 of 3  fit 3 (0 s)" in text
    assert text.count("error: bad log\n  - row 4") == 1
    assert text.endswith("What was finished stays; rerun the same command to go on.\n")


def test_what_is_left_follows_typical_seconds_and_the_speed_of_this_run(
    plugin, handler, capsys, monkeypatch
):
    typical = {"fit": 100.0, "draw": 10.0}
    for name, seconds in typical.items():
        monkeypatch.setitem(plugin.SECONDS, name, seconds)
    emit(handler, LogEvent.RESOURCES_INFO, cores=2)
    emit(handler, LogEvent.RUN_INFO, stats={"fit": 5, "draw": 3, "all": 1, "total": 9})
    for job, (rule, seconds) in enumerate([("draw", 10.0), ("fit", 210.0), ("draw", 20.0)]):
        clock = iter([0.0, seconds])
        with monkeypatch.context() as patch:
            patch.setattr(plugin.time, "monotonic", lambda clock=clock: next(clock))
            emit(handler, LogEvent.JOB_INFO, jobid=job, rule_name=rule)
            emit(handler, LogEvent.JOB_FINISHED, job_id=job)
    first, second, third = capsys.readouterr().err.splitlines()
    # 520 s on two cores; then 420 s at half the speed.
    assert first.endswith("(10 s), about 4 min left")
    assert second.endswith("(210 s), about 7 min left")
    assert third.endswith("(20 s), about 7 min left")


def test_every_rule_has_a_typical_duration(plugin, rule_texts):
    assert plugin.SECONDS.keys() - {"take_reference"} == rule_texts().keys() - {"take_reference"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, ["It left no log: it was killed, or it never started."]),
        ("a\nerror: b\nc\n", ["error: b", "c"]),
        ("\n".join(map(str, range(40))), [*map(str, range(25, 40)), "(the end of {log})"]),
    ],
)
def test_the_reason_of_a_failure_is_in_its_log(plugin, tmp_path, content, expected):
    log = tmp_path / "job.log"
    if content is not None:
        log.write_text(content)
    assert plugin.reason_in([str(log)]) == [line.format(log=log) for line in expected]
