"""Run the scripts of local jobs in forks of one process that has imported what they need.

Only where this is equivalent to separate processes: on Linux, without containers or further
environments, and as long as no source file has changed since it was imported.  Elsewhere, and on
clusters, Snakemake starts Python for each job as usual, and so with ``FUZZYBOUNDS_FORK=0``.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snakemake.script import PythonScript
    from snakemake.workflow import Workflow

SWITCH = "FUZZYBOUNDS_FORK"
SERVER = Path(__file__).with_name("fork_server.py")
LONGEST = 32
"""Bytes of an answer at most."""


class Forks:
    """The process that forks, started with the first job."""

    def __init__(self, source: Path, scripts: Path) -> None:
        self.source, self.scripts = source.resolve(), scripts.resolve()
        self.lock = threading.Lock()
        self.control: socket.socket | None = None
        self.broken = False

    def send(self, job: dict[str, Any], answer: socket.socket) -> bool:
        """Ask for a process, and return whether that was possible."""
        with self.lock:
            if self.broken:
                return False
            try:
                control = self.control or self._start()
                socket.send_fds(control, [json.dumps(job).encode()], [answer.fileno()])
            except OSError:
                self.broken = True
            return not self.broken

    def _start(self) -> socket.socket:
        self.control, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        folders = [str(self.source), str(self.scripts)]
        with end:
            server = subprocess.Popen(
                [sys.executable, "-P", str(SERVER), str(end.fileno()), *folders],
                pass_fds=[end.fileno()],
                stdin=subprocess.DEVNULL,
            )
        atexit.register(self._stop, server)
        return self.control

    def _stop(self, server: subprocess.Popen[bytes]) -> None:
        if self.control:
            self.control.close()
        server.wait()

    def run(self, script: PythonScript, path: str) -> bool:
        """Run a job's script, and return whether that was possible; its failure is raised."""
        from snakemake.benchmark import benchmarked

        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            with theirs:
                job = {
                    "script": path,
                    "modules": list(self.modules(script.input.get("code", ()))),
                    "environment": environment_of(script),
                }
                if not self.send(job, theirs):
                    return False
            process = ours.recv(LONGEST)
            if not process:
                return False
            with benchmarked(int(process), script.bench_record):
                ours.send(b"!")
                status = int(ours.recv(LONGEST) or -9)
        if status:
            raise subprocess.CalledProcessError(status, f"{sys.executable} {path}")
        return True

    def modules(self, files: str | Iterable[str]) -> Iterable[str]:
        """Names of the modules among a job's inputs: those on which it depends."""
        for file in [files] if isinstance(files, str) else files:
            path = Path(file).resolve()
            if path.is_relative_to(self.source):
                parts = path.relative_to(self.source).with_suffix("").parts
                yield ".".join(parts).removesuffix(".__init__")
            elif path.parent == self.scripts:
                yield path.stem


def environment_of(script: PythonScript) -> dict[str, str]:
    """What Snakemake would change in the environment of a job; threads are one throughout."""
    folder = script.resources.get("tmpdir")
    return {"TMPDIR": str(folder)} if folder else {}


def use(workflow: Workflow, source: Path, scripts: Path) -> None:
    """Let Snakemake run the scripts of local jobs in forks, where that is possible.

    Parameters
    ----------
    workflow : Workflow
    source, scripts : Path
        The folders of the library and of the scripts of jobs.
    """
    from snakemake.script import PythonScript

    wanted = os.environ.get(SWITCH, "1") != "0"
    if not (wanted and sys.platform == "linux" and workflow.local_exec and scripts.is_dir()):
        return
    forks, plainly = Forks(source, scripts), PythonScript.execute_script

    def execute_script(self: PythonScript, fname: str, edit: bool = False) -> None:
        elsewhere = (self.container_img, self.conda_env, self.env_modules, self.shadow_dir)
        if edit or any(elsewhere) or not forks.run(self, fname):
            plainly(self, fname, edit=edit)

    PythonScript.execute_script = execute_script
