"""The task as one HTML file without a server, for computers where nothing can be installed.

Browsers load no modules from ``file:`` addresses, so the file carries them as data addresses in
its import map.  The modules themselves are those that the server sends, unchanged.
"""

from __future__ import annotations

import json
from base64 import b64encode

from fuzzybounds.browser.configuration import Study
from fuzzybounds.browser.server import IMPORT_MAP, page_files

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)


def single_file(study: Study) -> str:
    """Return the page of a study with its styles, modules and texts inside."""
    files = page_files()
    modules = {
        f"canoe/{name}": f"data:text/javascript;base64,{b64encode(text.encode()).decode()}"
        for name, text in files.items()
        if name.endswith(".js")
    }
    # In a script element only "</" could end the text early.
    content = json.dumps(study.for_page(), ensure_ascii=False).replace("</", "<\\/")
    changes = {
        '<link rel="stylesheet" href="style.css">': f"<style>\n{files['style.css']}</style>",
        '<script type="module" src="main.js"></script>': (
            f'<script type="application/json" id="study">{content}</script>\n'
            '<script type="module">import "canoe/main.js";</script>'
        ),
        '<meta charset="utf-8">': (
            '<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        ),
        "".join(own[0] for own in IMPORT_MAP.finditer(files["index.html"])): (
            f'<script type="importmap">{json.dumps({"imports": modules})}</script>'
        ),
    }
    page = files["index.html"]
    for old, new in changes.items():
        if page.count(old) != 1:
            raise ValueError(f"index.html: expected {old!r} once")
        page = page.replace(old, new)
    return page
