"""What `make` shows of a run: one line at the start, then progress, and in the end what went wrong.

A plugin of Snakemake: ``snakemake --logger progress``, with the folder above this on PYTHONPATH.
In a terminal the last lines are redrawn; elsewhere each finished job gets a line.  Everything else
that Snakemake says is in .snakemake/log.
"""

from __future__ import annotations

import logging
import sys

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_progress.display import Display, reason_in, screen
from snakemake_logger_plugin_progress.estimate import Plan, Progress

__all__ = ["LogHandler", "plan"]

plan = Plan()
"""What the Snakefile knows before the first job: what will be made, and how many shards."""
UP_TO_DATE = "Nothing to be done"
UNSAID = (
    "Exiting because a job execution failed",
    "At least one job did not complete",
    "CalledProcessError in file",
)
"""Messages that contain one of these repeat what is shown already."""


class LogHandler(LogHandlerBase):
    """Turns Snakemake's events into what a person wants to see."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self.progress = Progress()
        self.display: Display = screen(sys.stderr, self.progress)
        self.reasons: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Take one record of Snakemake's log."""
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO and not self.progress.started:
            self.progress.start(record.stats, plan)
            self.display.say(plan.announce(self.progress))
        elif event == LogEvent.RESOURCES_INFO:
            self.progress.offered = getattr(record, "cores", None) or self.progress.offered
        elif event == LogEvent.JOB_INFO:
            self.progress.begin(record.jobid, record.rule_name, record.rule_msg)
            self.display.update()
        elif event == LogEvent.JOB_FINISHED:
            if job := self.progress.finish(record.job_id):
                self.display.finished(job)
        elif event == LogEvent.PROGRESS:
            self.progress.count(record.done, record.total)
            self.display.update()
        elif event == LogEvent.JOB_ERROR:
            self.fail(record)
        elif event in (None, LogEvent.ERROR):
            self.tell(record)

    def fail(self, record: logging.LogRecord) -> None:
        """Say at once that a job failed, and why; other jobs may go on for some time."""
        # Snakemake tells more than once; after the first time the job is no longer at work.
        if job := self.progress.drop(record.jobid):
            what = f"{job.message[:1].lower()}{job.message[1:]}"
            reason = "\n".join([f"error while {what}", *reason_in(record.log)])
            self.reasons.append(reason)
            self.display.say(f"\n{reason}\n")

    def tell(self, record: logging.LogRecord) -> None:
        """Pass on what is neither about jobs nor about progress, if it matters."""
        message = record.getMessage()
        if UP_TO_DATE in message:
            self.display.say("Everything is up to date.")
        elif record.levelno >= logging.WARNING and not any(text in message for text in UNSAID):
            self.display.say(message)

    def close(self) -> None:
        """Say in the end why jobs failed, unless that is what was said last."""
        self.display.end()
        if self.reasons:
            seen = len(self.reasons) == 1 and self.display.last.strip() == self.reasons[0]
            again = [] if seen else [f"\n{reason}\n" for reason in self.reasons]
            ending = "What was finished stays; rerun the same command to go on."
            self.display.say("\n".join([*again, ending]))
        self.reasons.clear()
        super().close()
