"""``fuzzybounds task``: run the canoe task, export it as one file, or add what that recorded."""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from fuzzybounds.collect.configuration import (
    Study,
    check_name,
    check_options,
    load_study,
    merged,
    packaged,
)
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import read_json
from fuzzybounds.logs.study_design import FILE as DESIGN_FILE

PRIVATE = ".task"
"""Folder within the study for the secret and the lock of its server; not part of the data."""


def serve(given: argparse.Namespace) -> int:
    """Run the task for participants on this machine."""
    import webbrowser

    from fuzzybounds.collect.folder import StudyFolder
    from fuzzybounds.collect.server import TaskServer, default_port
    from fuzzybounds.logs.study_design import departures, from_document

    study = study_of(given)
    with alone(given.data / study.name) as root:
        folder = StudyFolder(root, study)
        port = default_port(study.name) if given.port is None else given.port
        try:
            server = TaskServer(folder, token_of(root), port, _say)
        except OSError as error:
            raise InputError(
                f"port {port}: cannot be used ({os.strerror(error.errno or 0)})",
                ["close the program that uses it, or choose another port with --port"],
            ) from error
        _say(f"Study {study.name}, experiment {study.options['experiment']}: {root}/")
        if not study.options["consent"]["file"]:
            _say("note: the consent is an example; name your own in `consent.file` (--config)")
        for line in departures(from_document(study.design, "design")):
            _say(f"note: {line}")
        _say(f"The task is at {server.address}\nStop with Ctrl-C.")
        # Shutdown is requested from another thread: serve_forever must return first.
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: threading.Thread(target=server.shutdown).start())
        if not given.no_open:
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        with server:
            server.serve_forever(poll_interval=0.2)
    _say(f"Stopped. Check the data: fuzzybounds validate {root}")
    return 0


def export(given: argparse.Namespace) -> int:
    """Write the task as one HTML file for computers without this package."""
    from fuzzybounds.collect.folder import refuse_other_design
    from fuzzybounds.collect.offline import single_file
    from fuzzybounds.core.tables import replacing

    study = study_of(given)
    refuse_other_design(study, given.data / study.name / DESIGN_FILE)
    with replacing(given.file) as temporary:
        temporary.write_text(single_file(study, given.jatos), encoding="utf-8")
    where = (
        "a component of a study in JATOS" if given.jatos else "open it in a browser on any computer"
    )
    print(f"{given.file}: the task as one file; {where}")
    same = {"--config": given.config, "--experiment": given.experiment}
    options = [f" {name} {shlex.quote(str(value))}" for name, value in same.items() if value]
    print(f"Afterwards: fuzzybounds task add {study.name} DOWNLOADED_FILES{''.join(options)}")
    return 0


def add(given: argparse.Namespace) -> int:
    """Add what an exported page recorded."""
    from fuzzybounds.collect.folder import StudyFolder
    from fuzzybounds.collect.offline import add_file

    contents = {file: read_json(file) for file in sorted(given.files)}
    study = study_of(given, contents)
    with alone(given.data / study.name) as root:
        folder = StudyFolder(root, study, describe=bool(given.config or given.experiment))
        for file, content in contents.items():
            counts = add_file(folder, content, str(file), given.source)
            print(f"{file}: {counts['new']} trials added, {counts['before']} were there before")
    return 0


def config(given: argparse.Namespace) -> int:
    """Print the default configuration."""
    print(packaged("default.yaml"), end="")
    return 0


def study_of(given: argparse.Namespace, contents: Mapping[Path, Any] | None = None) -> Study:
    """Return a study as it is configured, or else with the design that it was begun with.

    That is the design of its folder, or, if there is none, of the first downloaded file.
    """
    from fuzzybounds.collect.offline import is_ours

    if given.config or given.experiment:
        return load_study(given.study, given.config, given.experiment)
    file = given.data / check_name(given.study) / DESIGN_FILE
    downloaded = {name: content for name, content in (contents or {}).items() if is_ours(content)}
    source = next(iter(downloaded), file)
    first = downloaded.get(source, {})
    design = read_json(file) if file.is_file() else first.get("design", {})
    if not isinstance(design, dict):
        raise InputError(f"{file}: not the design of a study")
    study = load_study(given.study, None, "B" if design.get("experiment") == "B" else "A")
    options = merged(study.options, design) | {"questions": first.get("questions", [])}
    check_options(options, str(source))
    return replace(study, options=options)


def _say(words: str) -> None:
    print(words, flush=True)


def token_of(root: Path) -> str:
    """Return the secret in a study's address; it is kept, so an open page survives a restart."""
    file = root / PRIVATE / "token"
    file.parent.mkdir(parents=True, exist_ok=True)
    token = file.read_text(encoding="ascii").strip() if file.is_file() else ""
    if not token:
        token = secrets.token_urlsafe(24)
        file.touch(0o600)
        file.write_text(token + "\n", encoding="ascii")
    return token


@contextmanager
def alone(root: Path) -> Iterator[Path]:
    """Prevent another server from writing to the same study."""
    (root / PRIVATE).mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(root / PRIVATE / "server.lock", timeout=0):
            yield root
    except Timeout as error:
        raise InputError(
            f"{root}: the task of this study is already running",
            ["use the open window, or stop the other fuzzybounds task first"],
        ) from error
