"""What `fuzzybounds run` shows: a line for each finished job, and at the end what failed, once.

A logger plugin of Snakemake: ``snakemake --logger progress``, with the folder above this one on
PYTHONPATH.  Everything else that Snakemake says is in .snakemake/log.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter
from pathlib import Path

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

TAIL = 15
"""Lines of a log that are shown where none begins with "error:"."""
REPEATED = (
    "Exiting because a job execution failed",
    "At least one job did not complete",
    "CalledProcessError in file",
)
"""Messages that contain one of these say what is shown already."""
SECONDS = json.loads(Path(__file__).with_name("seconds.json").read_text(encoding="utf-8"))
"""What a job of each rule typically takes on one quiet core, with 28 subjects."""
UNKNOWN = 5.0
"""What a job of another rule counts for."""
FEW = 20.0
"""Typical seconds of finished jobs from which on they alone say how slow this run is."""
TARGETS = ("all", "default", "paper", "supplement", "verdict", "sessions", "article")


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
        self.running: dict[int, tuple[str, str, float]] = {}
        self.left: Counter[str] = Counter()
        self.cores = 1
        self.taken = self.typical = 0.0
        self.reasons: list[str] = []
        self.done = self.total = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Take one record of Snakemake's log."""
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            # As far as is known before the subjects are split.
            stats = dict(getattr(record, "stats", {}))
            total = stats.pop("total", 0)
            self.left = self.left or Counter(
                {name: count for name, count in stats.items() if name not in TARGETS}
            )
            self.total = self.total or total
        elif event == LogEvent.RESOURCES_INFO:
            self.cores = getattr(record, "cores", None) or self.cores
        elif event == LogEvent.JOB_INFO:
            what = [record.rule_name, *(getattr(record, "wildcards", None) or {}).values()]
            job = (record.rule_name, " ".join(map(str, what)), time.monotonic())
            self.running[record.jobid] = job
        elif event == LogEvent.JOB_FINISHED:
            rule, message, since = self.running.pop(record.job_id, ("", "", 0.0))
            seconds = time.monotonic() - since
            self.left[rule] -= 1
            self.taken += seconds
            self.typical += SECONDS.get(rule, UNKNOWN)
            left = self.time_left()
            say(f"{self.done + 1:3d} of {self.total}  {message} ({seconds:.0f} s){left}")
        elif event == LogEvent.PROGRESS:
            self.done, self.total = record.done, record.total
        elif event == LogEvent.JOB_ERROR:
            self.fail(record)
        elif event in (None, LogEvent.ERROR):
            tell(record)

    def fail(self, record: logging.LogRecord) -> None:
        """Keep why a job failed; Snakemake may tell more than once, and try a job again."""
        _, message, _ = self.running.pop(record.jobid, ("", "", 0.0))
        reason = "\n".join([f"error in {message}", *reason_in(record.log)])
        if message and reason not in self.reasons:
            self.reasons.append(reason)
            say(f"error in {message}; running jobs finish first")

    def time_left(self) -> str:
        """Say how long the rest takes: typical seconds, times how slow this run has been so far."""
        rest = {name: count for name, count in self.left.items() if count > 0}
        if not rest or not self.typical:
            return ""
        typical = sum(count * SECONDS.get(name, UNKNOWN) for name, count in rest.items())
        seconds = typical / self.cores
        # At first a few short jobs say little about the others.
        trust = min(1.0, self.typical / FEW)
        seconds *= trust * self.taken / self.typical + 1 - trust
        about = (
            f"{seconds / 60:.0f} min" if seconds >= 90 else f"{10 * round(seconds / 10) or 10} s"
        )
        return f", about {about} left"

    def close(self) -> None:
        """Say in the end why jobs failed."""
        for reason in self.reasons:
            say(f"\n{reason}\n")
        if self.reasons:
            say("What was finished stays; rerun the same command to go on.")
        self.reasons.clear()
        super().close()


def say(text: str) -> None:
    """Write a line at once."""
    print(text, file=sys.stderr, flush=True)


def tell(record: logging.LogRecord) -> None:
    """Pass on warnings and errors that are about no job."""
    message = record.getMessage()
    if "Nothing to be done" in message:
        say("Everything is up to date.")
    elif record.levelno >= logging.WARNING and not any(text in message for text in REPEATED):
        say(message)


def reason_in(logs: list[str]) -> list[str]:
    """Return why a job failed: the error in its log, or else the end of it."""
    lines = []
    for path in map(Path, logs):
        if path.is_file():
            lines += path.read_text(encoding="utf-8", errors="replace").splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith("error:")), None)
    if start is not None:
        return lines[start:]
    if not lines:
        return ["It left no log: it was killed, or it never started."]
    return [*lines[-TAIL:], f"(the end of {', '.join(map(str, logs))})"]
