"""Build the documentation site: assemble its sources, then run Sphinx, offline.

The sources are the pages of docs/, the tutorials of notebooks/, the guide for contributors, the
changelog, and pages that :mod:`generated` writes from the code: the configuration, result tables
from the registry, the command line from its parser, the API from docstrings, figures from their
notebooks, and the way from the paper to the code.
"""

from __future__ import annotations

import argparse
import os
import posixpath
import re
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import generated

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent

ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages that lie outside docs/, and where they are on the site; the README becomes its start."""

GENERATED = {
    "docs/site/paper_to_code.py": "reference/paper-to-code.md",
    "src/fuzzybounds/core/dictionary": "reference/tables.md",
    "config.yaml": "reference/options.md",
    "src/fuzzybounds/cli.py": "reference/command-line.md",
    "src/fuzzybounds/stopping/__init__.py": "reference/api/stopping.md",
}
"""Files that pages of the site are generated from: a link to the file leads to its page."""

PARTS = {
    "Tutorials": [
        "tutorials/replicate",
        "tutorials/fit_one_subject",
        "tutorials/compare_and_recover",
        "tutorials/write_a_model",
        "tutorials/run_the_task",
    ],
    "How-to guides": [
        "new-subjects",
        "data",
        "task",
        "running",
        "how-to/change-an-option",
        "how-to/run-one-step",
        "how-to/rerun-what-changed",
        "how-to/add-a-figure",
        "how-to/judge-a-model",
        "how-to/add-a-model",
        "how-to/share-a-run",
        "how-to/write-the-article",
        "help",
        "contributing",
    ],
    "Reference": [
        "reference/paper-to-code",
        "reference/api",
        "reference/options",
        "reference/tables",
        "reference/figures",
        "reference/command-line",
        "glossary",
        "benchmarks",
        "changelog",
    ],
    "Explanation": [
        *("explanation/model", "explanation/related-software", "scorecard", "errata"),
        *("boundaries", "verdict", "learning"),
    ],
}
"""The four parts and their pages.  A page of docs/ that none of them names is an explanation."""

REPORT = ROOT / "results/simulated/report.html"
"""Shown on the site if it exists, with the figures and notebooks that it links to."""
EXAMPLE = """
<p>See <a href="report.html">the report of the simulated cohort</a>, with rules to play with.</p>
"""

LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")


def assemble(source: Path) -> None:
    """Put all sources into an empty folder."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(HERE / "static", source / "static")
    for image in documents("*.png"):
        (source / image).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / "docs" / image, source / image)
    pages = {f"docs/{page}": page for page in documents("*.md")}
    pages |= {page: there for page, there in ELSEWHERE.items() if page != "README.md"}
    notebooks = sorted((ROOT / "notebooks/tutorials").glob("*.ipynb"))
    tutorials = {f"notebooks/tutorials/{path.name}": f"tutorials/{path.name}" for path in notebooks}
    for page, there in pages.items():
        text = (ROOT / page).read_text(encoding="utf-8")
        known = {**GENERATED, **tutorials, **pages, "README.md": "index.md"}
        write(source / there, relink(text, page, there, known))
    for notebook in notebooks:
        shutil.copy2(notebook, source / "tutorials" / notebook.name)
    for name, text in generated.pages(ROOT).items():
        write(source / name, text)
    start = source / "index.md"
    text = start.read_text(encoding="utf-8")
    write(start, text + (EXAMPLE if REPORT.is_file() else "") + toctrees(source))


def documents(pattern: str) -> list[str]:
    """Return the files of docs/ that belong on the site, relative to it."""
    files = sorted(path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob(pattern))
    apart = ("site", "examples", "package.md")
    return [path.as_posix() for path in files if path.parts[0] not in apart]


def toctrees(source: Path) -> str:
    """List the pages of every part."""
    there = {
        path.relative_to(source).with_suffix("").as_posix()
        for path in source.rglob("*")
        if path.suffix in (".md", ".ipynb")
    }
    known = {page for pages in PARTS.values() for page in pages} | {"index"}
    children = {page for page in there if page.startswith("reference/api/")}
    more = {**PARTS, "Explanation": [*PARTS["Explanation"], *sorted(there - known - children)]}
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {part}\n\n"
        + "".join(f"{page}\n" for page in pages if page in there)
        + "```\n"
        for part, pages in more.items()
    )


def relink(text: str, page: str, there: str, pages: dict[str, str]) -> str:
    """Lead the links of a page to where their targets are on the site.

    Parameters
    ----------
    text : str
    page, there : str
        The page's path in the repository and on the site.
    pages : dict
        The same for every page.

    Returns
    -------
    str
        Links to files that the site does not have are names of files instead.
    """

    def replaced(match: re.Match) -> str:
        target, _, anchor = match["target"].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        image = path.startswith("docs/") and path.endswith(".png")
        target_page = path.removeprefix("docs/") if image else pages.get(path)
        if target_page is None:
            return match["text"] if "`" in match["text"] else f"{match['text']} (`{path}`)"
        link = posixpath.relpath(target_page, posixpath.dirname(there) or ".")
        return f"{match['image']}[{match['text']}]({link}{'#' + anchor if anchor else ''})"

    return LINK.sub(replaced, text)


def write(path: Path, text: str) -> None:
    """Write a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def build(folder: Path, *, execute: bool = True) -> int:
    """Build the site into ``folder/html``, warnings being errors, and return Sphinx's exit code.

    Parameters
    ----------
    folder : Path
        Emptied first.
    execute : bool
        Whether the tutorials are run; otherwise their cells are shown without results.
    """
    from sphinx.cmd.build import main

    source, html = folder / "source", folder / "html"
    shutil.rmtree(html, ignore_errors=True)
    assemble(source)
    # The kernel that runs a tutorial may not leave anything in the sources.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    options = [] if execute else ["-D", "nb_execution_mode=off"]
    code = main(
        [
            *("-b", "html", "-W", "--keep-going", "-q"),
            *("-c", str(HERE), "-d", str(folder / "doctrees"), *options),
            *(str(source), str(html)),
        ]
    )
    if REPORT.is_file():
        # Pages of the documentation are beside the report here.
        text = REPORT.read_text(encoding="utf-8")
        write(html / REPORT.name, re.sub(r'href="../../docs/(\w+)\.md"', r'href="\1.html"', text))
        for linked in ("figures", "notebooks"):
            shutil.copytree(REPORT.parent / linked, html / linked, dirs_exist_ok=True)
    return code


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/site")
    parser.add_argument("--no-execute", action="store_true", help="do not run the tutorials")
    given = parser.parse_args()
    began = time.monotonic()
    code = build(given.folder, execute=not given.no_execute)
    if code == 0:
        count = len(list((given.folder / "html").rglob("*.html")))
        print(f"{given.folder}/html/index.html: {count} pages in {time.monotonic() - began:.0f} s")
    sys.exit(code)
