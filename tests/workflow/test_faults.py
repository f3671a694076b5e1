"""Faults of machine and people: each ends in a clear message, and the same command goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from filelock import FileLock

TRIALS, SAMPLES = "results/tiny/trials.parquet", "results/tiny/samples.parquet"


@pytest.fixture(scope="module")
def targets():
    return [SAMPLES]


def start(project, *arguments: str) -> subprocess.Popen:
    """Start Snakemake in a process group of its own."""
    return subprocess.Popen(
        project.command(*arguments),
        cwd=project.root,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # What runs in the background may have been told to leave Ctrl-C alone.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def wait_for_log(folder: Path, name: str) -> None:
    """Wait until a job has its log: before that, its worker is still importing."""
    deadline = time.monotonic() + 120
    while not list(folder.glob(name)):
        assert time.monotonic() < deadline, f"no {folder}/{name}"
        time.sleep(0.01)


def test_after_ctrl_c_the_same_command_completes_the_run(copied):
    before = (copied.root / SAMPLES).read_bytes()
    log = copied.root / "logs/tiny/draw_points.log"
    log.unlink()
    interrupted = start(copied, SAMPLES, "--forcerun", "draw_points")
    wait_for_log(log.parent, log.name)
    os.killpg(interrupted.pid, signal.SIGINT)
    output = interrupted.communicate(timeout=300)[0]
    assert interrupted.returncode != 0
    assert "Traceback" not in output
    assert not (copied.root / SAMPLES).exists()
    copied.run(SAMPLES)
    assert (copied.root / SAMPLES).read_bytes() == before


def test_a_damaged_table_is_refused_and_made_again(copied):
    wanted = copied.hashes()
    trials = copied.root / TRIALS
    trials.write_bytes(trials.read_bytes()[:-100])
    output = copied.run(SAMPLES, check=False)
    assert f"{TRIALS}: changed since it was made" in output
    assert "fuzzybounds run tiny makes them again" in output
    assert "Traceback" not in output
    trials.unlink()
    copied.run(SAMPLES)
    assert copied.hashes() == wanted


def test_a_killed_run_goes_on_with_the_same_command(copied):
    wanted = copied.hashes()
    raw = copied.root / "results/tiny/raw"
    shutil.rmtree(copied.root / "results")
    killed = start(copied, SAMPLES)
    deadline = time.monotonic() + 120
    while not list(raw.glob("*.csv")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    assert list(raw.glob("*.csv")), "the run was to be killed while it wrote its logs"
    assert not (copied.root / TRIALS).exists()
    copied.run(SAMPLES)
    assert copied.hashes() == wanted


def test_two_runs_in_one_folder_do_not_meet(copied):
    (copied.root / SAMPLES).unlink()
    with FileLock(copied.root / ".snakemake/run.lock"):
        output = copied.run(SAMPLES, check=False)
    assert "another run is at work in this folder" in output
    assert "Traceback" not in output
    assert not (copied.root / SAMPLES).exists()
