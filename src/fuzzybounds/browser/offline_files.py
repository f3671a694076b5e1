"""Add files downloaded from a page without a server to the folder of a study."""

from __future__ import annotations

from typing import Any

from fuzzybounds.browser.folder import StudyFolder
from fuzzybounds.browser.messages import BadMessageError, check_message
from fuzzybounds.storage.errors import InputError

FORMAT = "fuzzybounds task 1"


def add_file(folder: StudyFolder, content: Any, source: str) -> dict[str, int]:
    """Store the messages of a file; those already stored are left unchanged.

    Returns
    -------
    dict
        How many trials were ``new``, and how many were stored ``before``.
    """
    good = isinstance(content, dict) and content.get("format") == FORMAT
    if not good or not isinstance(content.get("messages"), list):
        raise InputError(f"{source}: not a file of the canoe task")
    if content.get("study") != folder.study.name:
        raise InputError(
            f"{source}: study {content.get('study')!r}", [f"expected {folder.study.name!r}"]
        )
    counts = {"new": 0, "before": 0}
    try:
        for message in content["messages"]:
            if isinstance(message, dict) and message.get("kind") == "start":
                _start(folder, message, source)
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


def _start(folder: StudyFolder, message: dict[str, Any], source: str) -> None:
    answer = folder.start({**message, "takeover": True})
    if "refused" in answer:
        raise InputError(
            f"{source}: participant {message['code']} cannot be added ({answer['refused']})",
            ["the folder has a finished session of this code, or a code that differs in case only"],
        )
