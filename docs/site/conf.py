"""How Sphinx builds the site; :mod:`build` assembles its sources and starts it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fuzzybounds import __version__

project = "fuzzybounds"
author = "the fuzzybounds developers"
copyright = author
release = version = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "mathml",
]
html_math_renderer = "mathml"
exclude_patterns = ["_build"]
# A block without a language is a command or its output.
highlight_language = "none"

# Docstrings are numpy's; types stay as they are written.
napoleon_google_docstring = False
napoleon_use_rtype = False
# As plain fields: names and types of parameters would be looked up as if they were objects, and
# "time" would lead to whatever class happens to have an attribute of that name.
napoleon_use_param = False
napoleon_custom_sections = [("Attributes", "params_style")]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
# Thousands of entries in the navigation of every page would slow the build and help nobody.
toc_object_entries = False

# build.py says whether tutorials are executed; figures are drawn by the workflow.
nb_execution_mode = "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = "fuzzybounds"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "footer_icons": [],
    "light_css_variables": {
        "font-stack": "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
    },
}


def escape_bars(app, what, name, obj, options, lines) -> None:
    """Leave bars as they are: ``|x|`` is an absolute value, not a substitution."""
    for number, line in enumerate(lines):
        parts = re.split(r"(``.*?``|`[^`]*`)", line)
        parts[::2] = [re.sub(r"(?<!\\)\|", r"\\|", part) for part in parts[::2]]
        lines[number] = "".join(parts)


def skip_foreign(app, what, name, obj, skip, options) -> bool | None:
    """Leave out what other packages add to our classes."""
    return True if getattr(obj, "__module__", "").startswith("sklearn.") else None


def setup(app) -> None:
    """Register both."""
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("autodoc-skip-member", skip_foreign)
