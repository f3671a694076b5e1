"""Two ways to show progress: lines that are redrawn in a terminal, and plain lines elsewhere."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import TextIO

from snakemake_logger_plugin_progress.estimate import Job, Progress, in_words

BAR = 24
"""Width of the bar (characters)."""
SHOWN = 6
"""How many jobs at work are shown."""
EVERY = 1.0
"""Seconds between two looks at the clock."""
TAIL = 15
"""Lines of a log that are shown where it has no line that begins with "error:"."""


class Display:
    """Plain lines: one for each finished job."""

    def __init__(self, stream: TextIO, progress: Progress) -> None:
        self.stream, self.progress = stream, progress
        self.last = ""
        """What was said last."""

    def say(self, text: str) -> None:
        """Write a line that stays."""
        self.last = text
        print(text, file=self.stream, flush=True)

    def finished(self, job: Job) -> None:
        """A job has ended."""
        done = min(self.progress.done + 1, self.progress.total)
        self.say(f"{done:3d} of {self.progress.total}  {job.message} ({job.seconds:.0f} s)")

    def update(self) -> None:
        """Something has changed."""

    def end(self) -> None:
        """The run is over."""


class Live(Display):
    """The last lines of a terminal: a bar, and the jobs at work."""

    def __init__(self, stream: TextIO, progress: Progress) -> None:
        super().__init__(stream, progress)
        self.height = 0
        self.lock = threading.RLock()
        self.over = threading.Event()
        threading.Thread(target=self._tick, daemon=True).start()

    def say(self, text: str) -> None:
        """Write a line that stays, above those that are redrawn."""
        with self.lock:
            self._erase()
            super().say(text)
            self.update()

    def finished(self, job: Job) -> None:
        """A job has ended: the bar says so."""

    def update(self) -> None:
        """Draw the lines again."""
        with self.lock:
            if self.over.is_set() or not self.progress.started:
                return
            lines = self.lines(shutil.get_terminal_size().columns)
            self._erase()
            self.stream.write("\n".join(lines))
            self.stream.flush()
            self.height = len(lines)

    def lines(self, width: int) -> list[str]:
        """The bar, and below it what is at work, the oldest first, none wider than `width`."""
        progress = self.progress
        filled = round(BAR * progress.done / max(progress.total, 1))
        bar = "━" * filled + "─" * (BAR - filled)
        left = f"{in_words(progress.left())} left" if progress.done < progress.total else "done"
        first = f"{bar} {progress.done} of {progress.total} jobs, {left}"
        jobs = [f"  {job.seconds:4.0f} s  {job.message}" for job in progress.running.values()]
        more = [f"  and {len(jobs) - SHOWN} more"] if len(jobs) > SHOWN else []
        return [cut(line, width - 1) for line in [first, *jobs[:SHOWN], *more]]

    def end(self) -> None:
        """Remove the lines."""
        with self.lock:
            self._erase()
            self.over.set()

    def _erase(self) -> None:
        if self.height:
            up = f"\x1b[{self.height - 1}A" if self.height > 1 else ""
            self.stream.write(f"\r{up}\x1b[J")
            self.stream.flush()
            self.height = 0

    def _tick(self) -> None:
        while not self.over.wait(EVERY):
            self.update()


def screen(stream: TextIO, progress: Progress) -> Display:
    """The display that suits a stream."""
    live = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return (Live if live else Display)(stream, progress)


def cut(text: str, width: int) -> str:
    """A text in one line of a certain width."""
    text = " ".join(text.splitlines())
    return text if len(text) <= width else text[: width - 1] + "…"


def reason_in(logs: list[str]) -> list[str]:
    """Why a job failed: the error in its log, or else the end of it."""
    lines = []
    for path in filter(os.path.isfile, logs):
        lines += Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    found = next((n for n, line in enumerate(lines) if line.startswith("error:")), None)
    if found is not None:
        return lines[found:]
    if not lines:
        return ["It left no log: it was killed, or it never started."]
    return [*lines[-TAIL:], f"(the end of {', '.join(map(str, logs))})"]
