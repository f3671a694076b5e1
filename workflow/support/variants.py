"""Variants of a data set's analysis, with separate results and nothing computed twice.

A variant starts from what its data set has: every result becomes a hard link in the variant's
folder, with Snakemake's record of how it was made.  Snakemake then compares records and options,
and runs what the changed options concern, and what follows from it; the rest stays linked.
"""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from support.options import base_of

RECORDS = Path(".snakemake/metadata")
MANIFEST = ".adopted.json"
"""In a variant's folder: which files are links, by inode."""
TOPS = ("results", "logs")


def describe(variant: str, changes: Mapping[str, Any]) -> None:
    """Record, next to a variant's results, which options it changes."""
    path = Path("results", variant, "variant.json")
    text = json.dumps({"name": variant, "changes": changes}, indent=2, ensure_ascii=False) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def adopt(variant: str, without: Iterable[str] = ()) -> None:
    """Link into a variant's folder what its data set has and what still holds for the variant.

    Parameters
    ----------
    variant : str
        Name of the variant, with its data set.
    without : iterable of str
        Beginnings of paths below the data set's folder that are not linked.
    """
    base = base_of(variant)
    if not Path("results", base).is_dir():
        return
    links = _read_manifest(variant)
    records = _records(base)
    own = _Own(base, variant, links, records)
    left_out = tuple(without)
    for top in TOPS:
        for source in sorted(path for path in Path(top, base).rglob("*") if path.is_file()):
            inside = str(source.relative_to(Path(top, base)))
            target = Path(top, variant, inside)
            if inside.startswith(left_out) and left_out:
                continue
            if top == "results" and not own.adoptable(str(source)):
                _unlink(target, links)
            elif not target.exists() or _is_link(target, links):
                _link(source, target, links)
    for path, record in records.items():
        target = path.replace(f"results/{base}/", f"results/{variant}/", 1)
        if own.adoptable(path) and (_is_link(Path(target), links) or Path(target).is_dir()):
            _write_record(target, _renamed(record, base, variant))
    _write_manifest(variant, links)


class _Own:
    """Which results a variant computed itself, and what therefore cannot be its data set's."""

    def __init__(self, base: str, variant: str, links: dict[str, int], records: dict[str, str]):
        self.base, self.variant, self.links = base, variant, links
        self.records = records
        self.known: dict[str, bool] = {}

    def adoptable(self, path: str) -> bool:
        """Whether a result of the data set depends on nothing that the variant computed itself."""
        path = self._recorded(path)
        if path not in self.known:
            self.known[path] = True  # until an input says otherwise
            self.known[path] = not self._computed(path) and all(
                self.adoptable(own)
                for own in self._inputs(path)
                if own.startswith(f"results/{self.base}/")
            )
        return self.known[path]

    def _recorded(self, path: str) -> str:
        """The path itself, or the folder around it that a rule made as a whole."""
        for own in (path, *map(str, Path(path).parents)):
            if own in self.records:
                return own
        return path

    def _computed(self, path: str) -> bool:
        target = Path(path.replace(f"results/{self.base}/", f"results/{self.variant}/", 1))
        stamp = target / ".snakemake_timestamp"
        if target.is_dir() and stamp.exists():
            return not _is_link(stamp, self.links)
        return target.is_file() and not _is_link(target, self.links)

    def _inputs(self, path: str) -> list[str]:
        return json.loads(self.records[path])["input"] if path in self.records else []


def _records(base: str) -> dict[str, str]:
    """Snakemake's records of a data set's results, by path."""
    found = {}
    for file in RECORDS.iterdir() if RECORDS.is_dir() else ():
        try:
            path = urlsafe_b64decode(file.name.encode()).decode()
        except ValueError:
            continue
        if path.startswith(f"results/{base}/") and Path(path).exists():
            found[path] = file.read_text(encoding="utf-8")
    return found


def _renamed(record: str, base: str, variant: str) -> str:
    """A record as if the variant had made the result."""
    content = json.loads(record)
    text = json.dumps({key: content[key] for key in content if key != "params"})
    for top in TOPS:
        text = text.replace(f'"{top}/{base}/', f'"{top}/{variant}/')
    params = [
        own.replace(f"results/{base}", f"results/{variant}").replace(f"'{base}'", f"'{variant}'")
        for own in content.get("params") or []
    ]
    return json.dumps({**json.loads(text), "params": params})


def _write_record(path: str, text: str) -> None:
    (RECORDS / urlsafe_b64encode(path.encode()).decode()).write_text(text, encoding="utf-8")


def _read_manifest(variant: str) -> dict[str, int]:
    try:
        return json.loads(Path("results", variant, MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _write_manifest(variant: str, links: dict[str, int]) -> None:
    path = Path("results", variant, MANIFEST)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(links, indent=1) + "\n", encoding="utf-8")


def _is_link(target: Path, links: dict[str, int]) -> bool:
    return target.exists() and links.get(str(target)) == target.stat().st_ino


def _unlink(target: Path, links: dict[str, int]) -> None:
    """Remove a link that no longer holds; what the variant computed itself stays."""
    if _is_link(target, links):
        target.unlink()
    links.pop(str(target), None)


def _link(source: Path, target: Path, links: dict[str, int]) -> None:
    if target.exists() and target.stat().st_ino == source.stat().st_ino:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    os.link(source, target)
    links[str(target)] = target.stat().st_ino
