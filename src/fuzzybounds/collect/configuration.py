"""The configuration of a study: defaults, the lab's own file, texts and consent."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from fuzzybounds.core.documents import check, parse_yaml, read_yaml, with_lines
from fuzzybounds.core.errors import InputError
from fuzzybounds.logs.files import DEVICES, RESERVED, TAKEN
from fuzzybounds.logs.study_design import check_gate


def _any_case(pattern: str) -> str:
    """Return a pattern for both cases: those of Python and of JavaScript share no flag for it."""
    return re.sub(r"(?<!\\)[a-z]", lambda letter: f"[{letter[0].upper()}{letter[0]}]", pattern)


CODE = rf"^(?!{_any_case('readme')})(?!(?:{_any_case(DEVICES)})$)[A-Za-z0-9]{{1,32}}$(?!\n)"
"""What a participant code may look like: it names files, and Psych-DS has no other signs in their
names.  A readme is not a log; without the last part a final line break would pass."""
STUDY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""What a study is called: it names a folder, and a data set of the workflow."""

DESIGN_KEYS = (
    *("experiment", "blocks", "block_s", "hard_share", "deadline_s", "conditions", "canoe"),
    *("gate", "phases", "sessions", "practice", "keys", "display"),
)
"""What the page needs to run the task, and ``design.json`` records."""


@dataclass(frozen=True)
class Study:
    """A study: its name, its complete configuration, and what participants read.

    `options` are as the schema has them; `consent` has version, sha256 and html.
    """

    name: str
    options: dict[str, Any]
    texts: dict[str, Any]
    consent: dict[str, str]

    @property
    def design(self) -> dict[str, Any]:
        """The part of the configuration that the data depend on."""
        return {key: self.options[key] for key in DESIGN_KEYS}

    def for_page(self) -> dict[str, Any]:
        """What the page asks for when it opens."""
        return {
            "name": self.name,
            "title": self.options["title"],
            "language": self.options["language"],
            "code_pattern": CODE,
            "design": self.design,
            "questions": self.options["questions"],
            "texts": self.texts,
            "instruction_pages": len(self.texts["instructions"]),
            "consent": self.consent,
        }


def packaged(name: str) -> str:
    """The text of a file of the package's folder ``study``."""
    return resources.files(__package__).joinpath("study", name).read_text(encoding="utf-8")


def check_name(name: str) -> str:
    """Return the name of a study if it can name a folder and a data set."""
    if name.lower() in TAKEN:
        raise InputError(f"study {name!r}: the name of another data set", ["choose another name"])
    if not STUDY.fullmatch(name) or RESERVED.fullmatch(name):
        expected = "expected letters, digits, hyphens and underscores; first a letter or a digit"
        reserved = "expected no name that Windows reserves, such as CON"
        raise InputError(f"study {name!r}: not a name", [expected, reserved])
    return name


def load_study(name: str, file: Path | None = None, experiment: str | None = None) -> Study:
    """Read a study: the defaults, changed by a file of the lab's own and by `experiment`.

    An :class:`InputError` names every key, value or file that cannot be used.
    """
    if file and not file.is_file():
        raise InputError(f"{file}: no such file", ["`fuzzybounds task config` prints one"])
    changes, where = (read_yaml(file), str(file)) if file else ({}, "default.yaml")
    if not isinstance(changes, dict):
        raise InputError(f"{where}: not a configuration", ["expected keys such as `blocks: 40`"])
    options = merged(parse_yaml(packaged("default.yaml"), "default.yaml"), changes)
    if experiment:
        options["experiment"] = experiment
    try:
        check_options(options, where)
    except InputError as error:
        lines = file.read_text(encoding="utf-8") if file else ""
        raise InputError(error.summary, with_lines(error.problems, lines)) from None
    folder = file.parent if file else Path()
    texts = _texts(options, folder)
    return Study(check_name(name), options, texts, _consent(options["consent"], folder))


def check_options(options: dict[str, Any], where: str) -> None:
    """Raise an :class:`InputError` that names every option that cannot be used."""
    check(options, parse_yaml(packaged("schema.yaml"), "schema.yaml"), where)
    if options["keys"]["left"] == options["keys"]["right"]:
        raise InputError(f"{where}: keys", ["expected two different letters for left and right"])
    check_gate(options, where)


def merged(defaults: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return the defaults with some keys changed, also within sections."""
    sections = {key for key, value in changes.items() if isinstance(value, dict)}
    sections &= {key for key, value in defaults.items() if isinstance(value, dict)}
    return {
        **defaults,
        **changes,
        **{key: merged(defaults[key], changes[key]) for key in sections},
    }


def _texts(options: dict[str, Any], folder: Path) -> dict[str, Any]:
    texts = english = parse_yaml(packaged("texts.en.yaml"), "texts.en.yaml")
    if options["texts"]:
        file = folder / options["texts"]
        texts = read_yaml(file)
        expected, given = dict(_named(english)), dict(_named(texts))
        left_out = () if options["gate"] else ("signal.",)
        missing = [name for name in expected if name not in given]
        problems = [f"{name}: missing" for name in missing if not name.startswith(left_out)]
        problems += [f"{name}: unknown" for name in given if name not in expected]
        problems += [f"{name}: expected a text" for name, is_text in given.items() if not is_text]
        if problems:
            raise InputError(f"{file}: not the keys of texts.en.yaml", problems)
    here = {"experiment": options["experiment"], "gate": options["gate"] is not None}
    shown = [
        page
        for page in texts["instructions"]
        if all(page.get(key, value) == value for key, value in here.items())
    ]
    return {**texts, "instructions": shown}


def _named(texts: Any, name: str = "") -> Iterator[tuple[str, bool]]:
    """Every text by its dotted name, and whether it is one; pages may be other pages."""
    if isinstance(texts, dict):
        for key, part in texts.items():
            yield from _named(part, f"{name}.{key}" if name else str(key))
    elif isinstance(texts, list):
        pages = [isinstance(page, dict) and {"title", "body"} <= set(page) for page in texts]
        yield name, bool(pages) and all(pages)
    else:
        yield name, isinstance(texts, str) and bool(texts)


def _consent(options: dict[str, Any], folder: Path) -> dict[str, str]:
    file = folder / options["file"] if options["file"] else None
    try:
        html = file.read_text(encoding="utf-8") if file else packaged("consent.html")
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: not a readable HTML file ({error})") from error
    digest = hashlib.sha256(html.encode("utf-8")).hexdigest()
    return {"version": options["version"], "sha256": digest, "html": html}
