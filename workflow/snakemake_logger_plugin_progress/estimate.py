"""How many jobs a run has, and how long they take: from earlier runs, or from typical times."""

from __future__ import annotations

import csv
import os
import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

TYPICAL = {
    "recover_models": 30.0,
    "fit_people": 30.0,
    "compare_stopping_briefly": 15.0,
    "fit_stopping": 15.0,
    "recover_stopping": 15.0,
    "vary_stopping": 10.0,
    "check_fit_choices": 12.0,
    "sweep_learning": 9.0,
    "recover_rules": 7.0,
    "check_stopping": 5.0,
    "fit_weibull": 5.0,
    "measure_reach": 5.0,
    "compare_rules": 4.0,
    "run_specifications": 4.0,
    "simulate_logs": 3.0,
    "select_models": 2.0,
    "draw_figure": 1.3,
    "fit_fuzzy": 0.3,
    "share_figure": 0.1,
    "share_tables": 0.1,
    "share_optimum": 0.1,
    "all": 0.0,
}
"""Seconds per job of a rule on a core of 2024, where no earlier run on this machine tells."""
OTHERWISE = 1.0
"""The same for rules that are not listed."""
PRIOR = 60
"""Seconds of foreseen work after which the pace of this run counts as much as the estimate."""
LINE = 80
"""Length of a line (characters)."""
SHARD = re.compile(r"\bs_(?=\S+ of )")
"""What a shard of one subject has before the subject's name, in the message of a job."""
CHECKPOINT = "split_subjects"
"""The rule after which Snakemake knows how many shards there are."""


@dataclass
class Plan:
    """What is known before the first job.

    Attributes
    ----------
    what : str
        What will be made, and from which data.
    shards : int
        How many jobs each rule will have that works on shards; Snakemake knows that only after the
        subjects were split.
    """

    what: str = ""
    shards: int = 0

    def announce(self, progress: Progress) -> str:
        """The line with which a run begins."""
        cores = f"{progress.cores} core{'s' if progress.cores > 1 else ''}"
        jobs = f"{progress.total} job{'s' if progress.total != 1 else ''}"
        ahead = f"{jobs}, {in_words(progress.left())} on {cores}"
        narrow = len(self.what) + len(ahead) + 2 > LINE
        return f"{self.what}:{f'{chr(10)}  ' if narrow else ' '}{ahead}"


@dataclass
class Job:
    """A job at work."""

    rule: str
    message: str
    since: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """How long it has been at work."""
        return time.monotonic() - self.since


class Progress:
    """Jobs that are done, at work, and to come, and the time that these will take."""

    def __init__(self, logs: Path = Path("logs")) -> None:
        self.logs = logs
        self.cores = os.cpu_count() or 1
        self.offered: int | None = None
        """How many cores Snakemake was told to use (``--cores``)."""
        self.started = False
        self.done = self.total = 0
        self.running: dict[int, Job] = {}
        self.waiting: Counter[str] = Counter()
        self.known = 0
        self.expected: Counter[str] = Counter()
        """Jobs that a checkpoint will add to those that are known."""
        self.split = False
        self.spent = self.foreseen = 0.0
        self._seconds: dict[str, float] = {}

    def start(self, stats: Mapping[str, int], plan: Plan) -> None:
        """Take over the numbers of jobs, and add those that a checkpoint will add."""
        self.waiting = Counter({rule: n for rule, n in stats.items() if rule != "total"})
        self.known = self.waiting.total()
        if CHECKPOINT in self.waiting:
            gathered = [rule for rule in self.waiting if rule.startswith("gather_")]
            added = {rule.replace("gather_", "fit_"): plan.shards for rule in gathered}
            self.expected = +Counter(added)
        self.waiting += self.expected
        self.total = self.known + self.expected.total()
        self.started = True
        if hasattr(os, "sched_getaffinity"):
            self.cores = len(os.sched_getaffinity(0))
        self.cores = min(self.cores, self.offered or self.cores)

    def begin(self, number: int, rule: str, message: str | None) -> None:
        """A job starts."""
        self.running[number] = Job(rule, SHARD.sub("", message or rule))

    def drop(self, number: int) -> Job | None:
        """A job is no longer at work."""
        job = self.running.pop(number, None)
        if job:
            self.waiting[job.rule] -= 1
        return job

    def finish(self, number: int) -> Job | None:
        """A job has ended well; its time tells how fast this machine is."""
        job = self.drop(number)
        if job:
            self.spent += job.seconds
            self.foreseen += self.seconds_of(job.rule)
        return job

    def count(self, done: int, total: int) -> None:
        """Take over Snakemake's count, which lacks the jobs of a checkpoint until it is done."""
        self.done = done
        added = total - self.known
        # The count that comes with the end of the checkpoint is still the old one.
        settled, self.split = self.split, self.waiting[CHECKPOINT] <= 0
        if self.expected and (added or settled):
            share = added / self.expected.total()
            for rule, number in self.expected.items():
                self.waiting[rule] += round(number * share) - number
            self.expected.clear()
        self.total = total + self.expected.total()

    def left(self) -> float:
        """Seconds until the end, if the rest takes as much longer than foreseen as the past did."""
        ahead = sum(n * self.seconds_of(rule) for rule, n in self.waiting.items() if n > 0)
        ahead -= sum(min(job.seconds, self.seconds_of(job.rule)) for job in self.running.values())
        pace = (self.spent + PRIOR) / (self.foreseen + PRIOR)
        return max(ahead, 0) * pace / self.cores

    def seconds_of(self, rule: str) -> float:
        """How long a job of a rule takes."""
        if rule not in self._seconds:
            self._seconds[rule] = self._measured(rule) or TYPICAL.get(rule, OTHERWISE)
        return self._seconds[rule]

    def _measured(self, rule: str) -> float | None:
        """Median over the jobs of earlier runs on this machine; the first may have compiled."""
        files = [*self.logs.glob(f"*/{rule}.tsv"), *self.logs.glob(f"*/{rule}/*.tsv")]
        seconds = []
        for file in files:
            with file.open(encoding="utf-8", newline="") as rows:
                seconds += [float(row["s"]) for row in csv.DictReader(rows, delimiter="\t")]
        return median(seconds) if seconds else None


def in_words(seconds: float) -> str:
    """A duration, as roughly as it is known."""
    if seconds < 10:
        return "a few seconds"
    if seconds < 50:
        return f"about {5 * round(seconds / 5)} s"
    if seconds < 90:
        return "about 1 minute"
    if seconds < 5400:
        return f"about {round(seconds / 60)} minutes"
    return f"about {seconds / 3600:.1f} hours"
