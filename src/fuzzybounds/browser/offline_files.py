"""Add files downloaded from a page without a server to the folder of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fuzzybounds.browser.configuration import Study, check_options
from fuzzybounds.browser.folder import StudyFolder
from fuzzybounds.browser.messages import BadMessageError, check_message
from fuzzybounds.intake.study_design import FILE as DESIGN_FILE
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.tables import read_json

FORMAT = "fuzzybounds task 1"


def as_recorded(study: Study, root: Path, contents: Mapping[Path, Any]) -> Study:
    """Return the study with the design of its folder, or else of the files, and their questions."""
    source = next((file for file, own in contents.items() if _is_ours(own)), Path())
    first, file = contents.get(source, {}), root / DESIGN_FILE
    design = read_json(file) if file.exists() else first.get("design", {})
    options = {**study.options, **design, "questions": first.get("questions", [])}
    check_options(options, str(source))
    return replace(study, options=options)


def _is_ours(content: Any) -> bool:
    kinds = {"messages": list, "design": dict}
    return (
        isinstance(content, dict)
        and content.get("format") == FORMAT
        and all(isinstance(content.get(name, kind()), kind) for name, kind in kinds.items())
    )


def add_file(folder: StudyFolder, content: Any, source: str) -> dict[str, int]:
    """Store the messages of a file; those already stored are left unchanged.

    Returns
    -------
    dict
        How many trials were ``new``, and how many were stored ``before``.
    """
    if not _is_ours(content):
        raise InputError(f"{source}: not a file of the canoe task")
    if content.get("study") != folder.study.name:
        raise InputError(
            f"{source}: study {content.get('study')!r}", [f"expected {folder.study.name!r}"]
        )
    folder.check_design(content.get("design", {}), source)
    counts = {"new": 0, "before": 0}
    try:
        for message in content.get("messages", []):
            if isinstance(message, dict) and message.get("kind") == "start":
                refused = folder.start({**message, "takeover": True}).get("refused")
                if refused:
                    raise InputError(
                        f"{source}: participant {message['code']} cannot be added ({refused})",
                        ["expected a code without a finished session, in its former spelling"],
                    )
                continue
            check_message(message, "MESSAGE")
            own = folder.participant(message["code"])
            before = len(own.rows)
            folder.store(message)
            if message["kind"] == "trial":
                counts["new" if len(own.rows) > before else "before"] += 1
    except BadMessageError as error:
        raise InputError(f"{source}: a message that cannot be used", [str(error)]) from error
    return counts
