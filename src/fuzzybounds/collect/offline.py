"""The task as one HTML file for computers where nothing can be installed, and what it recorded.

Browsers load no modules from ``file:`` addresses, so the file carries them as data addresses in
its import map.  The modules themselves are those that the server sends, unchanged.
"""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from fuzzybounds.collect.configuration import Study
from fuzzybounds.collect.folder import StudyFolder, check_design
from fuzzybounds.collect.messages import BadMessageError, check_message
from fuzzybounds.collect.server import IMPORT_MAP, page_files
from fuzzybounds.core.errors import InputError

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)
JATOS_POLICY = "default-src 'self' 'unsafe-inline' data: blob:; base-uri 'none'; form-action 'none'"
JATOS = """<script src="jatos.js"></script>
<script>
jatos.onLoad(() => {
  window.canoeHost = async (file) => {
    await jatos.submitResultData(JSON.stringify(file));
    if (file.messages.at(-1).kind === "finish") await jatos.endStudyAjax();
  };
});
</script>
"""
"""Sends all data so far after every block, in place of what was sent before, and ends the study."""
FORMAT = "fuzzybounds task 1"


def single_file(study: Study, jatos: bool = False) -> str:
    """Return the page of a study with its styles, modules and texts inside.

    For a server of JATOS, the page hands its data over to it.
    """
    files = page_files()
    page = files["index.html"]
    modules = {
        f"canoe/{name}": f"data:text/javascript;base64,{b64encode(text.encode()).decode()}"
        for name, text in files.items()
        if name.endswith(".js")
    }
    # In a script element only "</" could end the text early.
    content = json.dumps(study.for_page(), ensure_ascii=False).replace("</", "<\\/")
    allowed, host = (JATOS_POLICY, JATOS) if jatos else (POLICY, "")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    changes = {
        '<meta charset="utf-8">': f'<meta charset="utf-8">\n{policy}',
        '<link rel="stylesheet" href="style.css">': f"<style>\n{files['style.css']}</style>",
        '<script type="module" src="main.js"></script>': (
            f'<script type="application/json" id="study">{content}</script>\n'
            '<script type="module">import "canoe/main.js";</script>'
        ),
        "".join(match[0] for match in IMPORT_MAP.finditer(page)): (
            f'<script type="importmap">{json.dumps({"imports": modules})}</script>\n{host}'
        ),
    }
    for old, new in changes.items():
        if page.count(old) != 1:
            raise ValueError(f"index.html: expected {old!r} once")
        page = page.replace(old, new)
    return page


def is_ours(content: Any) -> bool:
    """Whether a document is what an exported page has downloaded."""
    kinds = {"messages": list, "design": dict}
    return (
        isinstance(content, dict)
        and content.get("format") == FORMAT
        and all(isinstance(content.get(name, kind()), kind) for name, kind in kinds.items())
    )


def add_file(
    folder: StudyFolder, content: Any, source: str, study: str | None = None
) -> dict[str, int]:
    """Store the messages of a downloaded file; count trials that are new, or were there before.

    `study` is the study that the file is of, if it is another one.
    """
    if not is_ours(content):
        raise InputError(f"{source}: not a file of the canoe task")
    name, recorded = folder.study.name, content.get("study")
    if recorded != (study or name):
        raise InputError(
            f"{source}: study {recorded!r}",
            [
                f"expected {study or name!r}",
                f"add it to its study: fuzzybounds task add {recorded} {source}",
                f"or to this one all the same: fuzzybounds task add {name} {source} "
                f"--from {recorded}",
            ],
        )
    apart = f"fuzzybounds task add {name}_2 {source} --from {recorded}"
    remedy = f"keep it as a study of another name: {apart}"
    check_design(folder.study, content.get("design", {}), source, remedy)
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
            check_message(message, "message")
            participant = folder.participant(message["code"])
            before = len(participant.rows)
            folder.store(message)
            if message["kind"] == "trial":
                counts["new" if len(participant.rows) > before else "before"] += 1
    except BadMessageError as error:
        raise InputError(f"{source}: a message that cannot be used", [str(error)]) from error
    return counts
