"""A real Slurm of one node on this machine, for as long as a block of code runs.

It takes root and Debian's packages slurm-wlm and munge.
No systemd, no accounting; everything it writes is in one temporary folder, but for a link to its
configuration at Slurm's default path, where job steps look for it.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

PARTITION = "main"
CONFIGURATION = Path("/etc/slurm/slurm.conf")
MUNGE_SOCKET = Path("/run/munge/munge.socket.2")
PROGRAMS = ("slurmctld", "slurmd", "munged", "sinfo", "squeue")


@contextmanager
def one_node() -> Iterator[None]:
    """Start Slurm, wait until its node is idle, and stop it in the end, whatever happens."""
    if os.geteuid() != 0:
        raise SystemExit("error: a Slurm of one's own needs root")
    if CONFIGURATION.exists():
        raise SystemExit(f"error: {CONFIGURATION} is there: this machine has a Slurm already")
    if missing := [name for name in PROGRAMS if not shutil.which(name)]:
        raise SystemExit(f"error: {', '.join(missing)}: install slurm-wlm and munge first")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="slurm-")))
        (folder / "slurm.conf").write_text(configuration(folder))
        CONFIGURATION.parent.mkdir(exist_ok=True)
        # A link that an interrupted test left behind leads nowhere.
        CONFIGURATION.unlink(missing_ok=True)
        CONFIGURATION.symlink_to(folder / "slurm.conf")
        stack.callback(CONFIGURATION.unlink)
        if not MUNGE_SOCKET.exists():
            stack.enter_context(munge(folder))
        for program in ("slurmctld", "slurmd"):
            stack.enter_context(daemon([program], folder / f"{program}.pid"))
        try:
            wait_until_idle()
        except TimeoutError:
            for log in folder.glob("*.log"):
                print(f"== {log.name}", log.read_text(), sep="\n")
            raise
        stack.callback(cancel_everything)
        yield


def configuration(folder: Path) -> str:
    """The configuration of a cluster that is this machine."""
    described = subprocess.run(["slurmd", "-C"], capture_output=True, text=True, check=True).stdout
    cpus, memory = (int(re.search(rf"{n}=(\d+)", described)[1]) for n in ("CPUs", "RealMemory"))
    host = os.uname().nodename.split(".")[0]
    settings = {
        "ClusterName": "test",
        "SlurmctldHost": f"{host}(127.0.0.1)",
        "SlurmUser": "root",
        "SlurmdUser": "root",
        "AuthType": "auth/munge",
        "CredType": "cred/munge",
        "MpiDefault": "none",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "JobAcctGatherType": "jobacct_gather/none",
        "AccountingStorageType": "accounting_storage/none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_Core",
        # Without accounting squeue must still know how a job ended.
        "MinJobAge": "86400",
        "ReturnToService": "2",
        "StateSaveLocation": folder / "state",
        "SlurmdSpoolDir": folder / "spool",
        "SlurmctldPidFile": folder / "slurmctld.pid",
        "SlurmdPidFile": folder / "slurmd.pid",
        "SlurmctldLogFile": folder / "slurmctld.log",
        "SlurmdLogFile": folder / "slurmd.log",
    }
    for name in ("state", "spool"):
        (folder / name).mkdir()
    lines = [f"{name}={value}" for name, value in settings.items()]
    lines.append(
        f"NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} CoresPerSocket={cpus} ThreadsPerCore=1 "
        f"RealMemory={memory * 9 // 10}"
    )
    lines.append(f"PartitionName={PARTITION} Nodes={host} Default=YES State=UP")
    return "\n".join(lines) + "\n"


@contextmanager
def munge(folder: Path) -> Iterator[None]:
    """Run munged as the user munge, by which Slurm's programs know each other."""
    MUNGE_SOCKET.parent.mkdir(exist_ok=True)
    munge = folder / "munge"
    munge.mkdir()
    for path in (MUNGE_SOCKET.parent, munge):
        shutil.chown(path, "munge", "munge")
    folder.chmod(0o755)
    pid_file = munge / "munged.pid"
    options = [f"--pid-file={pid_file}", f"--log-file={munge / 'munged.log'}"]
    options += [f"--seed-file={munge / 'munged.seed'}"]
    with daemon(["runuser", "-u", "munge", "--", "munged", *options], pid_file):
        yield


@contextmanager
def daemon(command: list[str], pid_file: Path) -> Iterator[None]:
    """Start a program that goes into the background, and stop it by its own pid file."""
    subprocess.run(command, check=True)
    try:
        yield
    finally:
        wait_for(pid_file.exists, 10, f"no {pid_file.name}")
        pid = int(pid_file.read_text())
        os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not Path(f"/proc/{pid}").exists(), 30, f"{command[0]} does not stop")


def wait_until_idle() -> None:
    """Wait until the node takes jobs."""

    def idle() -> bool:
        done = subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True)
        return done.stdout.strip() == "idle"

    wait_for(idle, 60, "the node is not idle")


def cancel_everything() -> None:
    """End what is left: a job's processes would outlive the daemons."""

    def over() -> bool:
        states = ["squeue", "-h", "-t", "PENDING,RUNNING,COMPLETING"]
        return not subprocess.run(states, capture_output=True, text=True).stdout.strip()

    subprocess.run(["scancel", "--user=root"], check=False)
    wait_for(over, 60, "jobs are still running")


def wait_for(condition, seconds: float, complaint: str) -> None:
    """Wait for a condition, for so many seconds at the most."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{complaint} after {seconds:g} s")
        time.sleep(0.2)
