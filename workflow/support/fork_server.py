"""A process that has imported what jobs need, and forks once for each of them.

Starting Python and importing take a second or two, often longer than the work of a job.  Here a
module is imported once for all jobs of a run.  :mod:`support.forking` is the other side: it sends
one message for each job, with a socket for the answer: first the number of the new process, or
nothing where it should start one by itself; in the end its exit status.

Nothing here depends on Snakemake or on the library, so that a run of a few jobs loads only what
these need.
"""

from __future__ import annotations

import ast
import atexit
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

LONGEST = 1 << 20
"""Bytes of a message at most."""
LATER = {
    "notebook_runner": (
        "IPython.core.interactiveshell",
        "IPython.core.completer",
        "IPython.core.magics",
        "black",
        "fontTools.subset",
        "fontTools.ttLib.ttFont",
        "matplotlib.backends.backend_agg",
        "matplotlib.backends.backend_pdf",
        "matplotlib.backends.backend_svg",
    ),
    "fuzzybounds.storage.tables": (
        "pandas",
        "pandas.io.formats.string",
        "pyarrow.dataset",
        "pyarrow.parquet",
        "snakemake.io",
    ),
}
"""What modules import when they are used: nearly every job that has the module does."""
_ready: set[str] = set()


class Sources:
    """The files of this project that were imported; a job must not run in an older form of them."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = [str(folder.resolve()) for folder in folders]
        self.times: dict[str, int] = {}

    def note(self) -> None:
        """Record when the files of new modules were changed."""
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if file and file not in self.times and file.startswith(tuple(self.folders)):
                self.times[file] = os.stat(file).st_mtime_ns

    def unchanged(self) -> bool:
        """Whether every file is as it was when it was imported."""
        with suppress(OSError):
            return all(os.stat(file).st_mtime_ns == time for file, time in self.times.items())
        return False


def names_in(script: Path) -> list[str]:
    """The modules that a script imports first of all."""
    body = ast.parse(script.read_bytes()).body
    plain = [name.name for line in body if isinstance(line, ast.Import) for name in line.names]
    return plain + [line.module or "" for line in body if isinstance(line, ast.ImportFrom)]


def prepare(script: Path, modules: list[str]) -> None:
    """Import what a job needs; a failing import fails again in the job, which logs it."""
    for name in [*names_in(script), *modules]:
        if name in sys.modules:
            continue
        for one in (name, *LATER.get(name, ())):
            with suppress(Exception):
                importlib.import_module(one)
    if "numba" in sys.modules and "numba" not in _ready:
        _ready.add("numba")
        with suppress(Exception):
            prepare_numba()


def prepare_numba() -> None:
    """Let Numba look up what it can call, which it does when a first function is loaded."""
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


def run(script: str, environment: dict[str, str]) -> int:
    """Run a script as Python itself would, and return its exit status."""
    os.environ.update(environment)
    with suppress(OSError):  # as `ps` shows it
        Path("/proc/self/comm").write_text(Path(script).name.partition(".")[2])
    sys.argv = [script]
    try:
        runpy.run_path(script, run_name="__main__")
        return 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    return 1


class Server:
    """Takes jobs from a socket until it is closed."""

    def __init__(self, control: socket.socket, sources: Sources) -> None:
        self.control, self.sources = control, sources
        self.answers: dict[int, socket.socket] = {}
        self.woken, waker = socket.socketpair()
        for end in (self.woken, waker):
            end.setblocking(False)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        self.waker = waker
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # Ctrl-C is for the jobs, which then end; the run closes the socket.
        self.interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)

    def serve(self) -> None:
        """Start jobs, and report how they ended."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.control, selectors.EVENT_READ)
            selector.register(self.woken, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self.woken in ready:
                    self.woken.recv(LONGEST)
                    self.reap()
                if self.control in ready:
                    message, descriptors, *_ = socket.recv_fds(self.control, LONGEST, 1)
                    if not message:
                        return
                    self.start(json.loads(message), socket.socket(fileno=descriptors[0]))

    def reap(self) -> None:
        """Report how finished jobs ended."""
        for process in list(self.answers):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                answer = self.answers.pop(process)
                with answer, suppress(OSError):
                    answer.send(str(os.waitstatus_to_exitcode(status)).encode())

    def start(self, job: dict[str, Any], answer: socket.socket) -> None:
        """Start one job."""
        prepare(Path(job["script"]), job["modules"])
        self.sources.note()
        if not self.sources.unchanged():
            answer.close()
            return
        gc.collect()
        gc.freeze()
        # A Ctrl-C that comes now waits until the job can be interrupted.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        process = os.fork()
        if process == 0:
            self.work(job, answer)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        self.answers[process] = answer
        with suppress(OSError):
            answer.send(str(process).encode())

    def work(self, job: dict[str, Any], answer: socket.socket) -> None:
        """Do a job, in a process of its own, which ends here."""
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, self.interrupt)
            for other in (self.control, self.woken, self.waker, *self.answers.values()):
                other.close()
            # The other side is ready to measure this process, or gone.
            if answer.recv(1):
                answer.close()
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
                status = run(job["script"], job["environment"])
            atexit._run_exitfuncs()
        finally:
            with suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)


def main(descriptor: str, *folders: str) -> None:
    """Serve the socket that was inherited; sources are in some folders, scripts in the last."""
    sys.path.insert(0, folders[-1])
    sources = Sources([Path(folder) for folder in folders])
    Server(socket.socket(fileno=int(descriptor)), sources).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
