"""What `make` shows of a run: jobs done and at work, and in the end what went wrong, once.

A logger plugin of Snakemake: ``snakemake --logger progress``, with the folder above this one on
PYTHONPATH.  In a terminal the last line is redrawn; elsewhere each finished job gets a line.
Everything else that Snakemake says is in .snakemake/log.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from tqdm import tqdm

TAIL = 15
"""Lines of a log that are shown where none begins with "error:"."""
BAR = "{n_fmt} of {total_fmt} jobs, {elapsed} {bar:20} {desc}"
REPEATED = (
    "Exiting because a job execution failed",
    "At least one job did not complete",
    "CalledProcessError in file",
)
"""Messages that contain one of these say what is shown already."""


class LogHandler(LogHandlerBase):
    """Shows Snakemake's events as lines for people."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        # Early versions of the interface do not call the constructor of logging.Handler.
        if not hasattr(self, "level"):
            logging.Handler.__init__(self)
        self.running: dict[int, tuple[str, float]] = {}
        self.reasons: list[str] = []
        self.bar: tqdm | None = None
        self.live = sys.stderr.isatty()
        self.done = self.total = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Take one record of Snakemake's log."""
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self.start(getattr(record, "stats", {}))
        elif event == LogEvent.JOB_INFO:
            what = [record.rule_name, *(getattr(record, "wildcards", None) or {}).values()]
            self.running[record.jobid] = (" ".join(map(str, what)), time.monotonic())
            self.show()
        elif event == LogEvent.JOB_FINISHED:
            self.finish(record.job_id)
        elif event == LogEvent.PROGRESS:
            self.done, self.total = record.done, record.total
            self.show()
        elif event == LogEvent.JOB_ERROR:
            self.fail(record)
        elif event in (None, LogEvent.ERROR):
            self.tell(record)

    def start(self, stats: dict) -> None:
        """Say how many jobs there are, as far as is known before the subjects are split."""
        self.total = self.total or stats.get("total", 0)
        if self.live and self.bar is None:
            self.bar = tqdm(total=self.total, bar_format=BAR, file=sys.stderr, leave=False)

    def finish(self, job: int) -> None:
        """Name a finished job; a bar only counts it."""
        message, since = self.running.pop(job, ("", 0.0))
        if message and not self.bar:
            seconds = time.monotonic() - since
            self.say(f"{self.done + 1:3d} of {self.total}  {message} ({seconds:.0f} s)")
        self.show()

    def show(self) -> None:
        """Draw the bar again: the counts, and the job that has been at work longest."""
        if self.bar:
            self.bar.total, self.bar.n = self.total, self.done
            oldest = next(iter(self.running.values()), ("", 0.0))[0]
            more = f" and {len(self.running) - 1} more" if len(self.running) > 1 else ""
            self.bar.set_description_str(f"{oldest}{more}")

    def fail(self, record: logging.LogRecord) -> None:
        """Keep why a job failed; Snakemake may tell more than once."""
        message, _ = self.running.pop(record.jobid, ("", 0.0))
        if message:
            what = f"error in {message}"
            reason = "\n".join([what, *reason_in(record.log)])
            # A job that is tried again may fail again.
            if reason not in self.reasons:
                self.reasons.append(reason)
                self.say(f"{what}; other jobs that are at work end first")

    def tell(self, record: logging.LogRecord) -> None:
        """Pass on warnings and errors that are about no job."""
        message = record.getMessage()
        if "Nothing to be done" in message:
            self.say("Everything is up to date.")
        elif record.levelno >= logging.WARNING and not any(text in message for text in REPEATED):
            self.say(message)

    def say(self, text: str) -> None:
        """Write a line that stays."""
        tqdm.write(text, file=sys.stderr)

    def close(self) -> None:
        """Say in the end why jobs failed."""
        if self.bar:
            self.bar.close()
        for reason in self.reasons:
            self.say(f"\n{reason}\n")
        if self.reasons:
            self.say("What was finished stays; rerun the same command to go on.")
        self.reasons.clear()
        super().close()


def reason_in(logs: list[str]) -> list[str]:
    """Return why a job failed: the error in its log, or else the end of it."""
    lines = []
    for path in map(Path, logs):
        if path.is_file():
            lines += path.read_text(encoding="utf-8", errors="replace").splitlines()
    found = next((n for n, line in enumerate(lines) if line.startswith("error:")), None)
    if found is not None:
        return lines[found:]
    if not lines:
        return ["It left no log: it was killed, or it never started."]
    return [*lines[-TAIL:], f"(the end of {', '.join(map(str, logs))})"]
