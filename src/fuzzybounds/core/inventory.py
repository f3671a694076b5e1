"""What runs have made: the hash of every result, so that none is lost, cut or edited unnoticed.

A job notes the hash of each file that it has made in the folder :data:`FOLDER` of its data set
(:func:`record`).  A result that is no longer as noted is never read by another job
(:func:`refuse`), and is made again by the next ``fuzzybounds run`` (:func:`damage`).  So is one
that a job was to make again when it failed.

``codecheck.yml``, beside the results, is not noted: people complete it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from fuzzybounds.core.errors import InputError, counted

FOLDER = ".made"
"""Folder with the hashes, within that of a data set's results."""
ENDING = ".sha256"
VARIANTS, SHARED, ARTICLE = "variants", "shared", "article"
"""Folders beside those of data sets: of variants, each with a folder per data set, of what does not
depend on a data set, and of the article."""


def record(paths: Iterable[str]) -> None:
    """Note what files hold that a job has made; files that are not results are left out."""
    for path, noted in _noted(paths).items():
        noted.parent.mkdir(parents=True, exist_ok=True)
        noted.write_text(_hash(path) + "\n", encoding="ascii")


def refuse(paths: Iterable[str]) -> None:
    """Raise an :class:`InputError` if results that a job is about to read are not as noted."""
    damaged = _not_as_noted(_noted(paths))
    if damaged:
        raise _error(damaged, Path(*_folder(next(iter(damaged)))))


def damage(folder: str | Path) -> dict[Path, str]:
    """Return the results that are not as noted, in the folder of a data set and beside it.

    Each has the reason.  Without :data:`FOLDER` nothing is known, and nothing is returned.
    """
    damaged: dict[Path, str] = {}
    for place in (Path(folder), *(Path(folder).with_name(name) for name in (SHARED, ARTICLE))):
        noted = sorted((place / FOLDER).rglob(f"*{ENDING}"))
        inner = (file.relative_to(place / FOLDER).with_suffix("") for file in noted)
        damaged |= _not_as_noted(dict(zip((place / name for name in inner), noted, strict=True)))
    return damaged


def refuse_damage(folder: Path) -> None:
    """Raise an :class:`InputError` if results of a data set are not as noted."""
    if damaged := damage(folder):
        raise _error(damaged, folder)


def _error(damaged: Mapping[Path, str], folder: Path) -> InputError:
    """Return the error that names damaged results, and the command that makes them again."""
    places = [f"{path.as_posix()}: {reason}" for path, reason in damaged.items()]
    summary = f"{folder.as_posix()}: {counted(len(damaged), 'damaged result')}"
    return InputError(summary, [*places, f"{run_command(folder)} makes them again"])


def run_command(folder: Path) -> str:
    """Return the command that makes the results in the folder of a data set."""
    variant = ["--variant", folder.parent.name] if VARIANTS in folder.parts[-3:-2] else []
    # Any data set makes what all share.
    name = [] if folder.name in (SHARED, ARTICLE) else [folder.name]
    return " ".join(["fuzzybounds run", *name, *variant])


def _folder(path: Path) -> tuple[str, ...]:
    """Return the parts of a result's path that name the folder of its data set."""
    return path.parts[: 4 if VARIANTS in path.parts[1:2] else 2]


def _noted(paths: Iterable[str]) -> dict[Path, Path]:
    """Return the results among the files of a job, each with the file of its hash."""
    results = {}
    for path in map(Path, paths):
        folder = _folder(path)
        if path.parts[0] == "results" and path.parts != folder:
            *inner, name = path.parts[len(folder) :]
            results[path] = Path(*folder, FOLDER, *inner, name + ENDING)
    return results


def _not_as_noted(noted: Mapping[Path, Path]) -> dict[Path, str]:
    damaged = {}
    for path, file in noted.items():
        if file.is_file() and not path.is_file():
            damaged[path] = "missing"
        elif file.is_file() and _hash(path) != file.read_text(encoding="ascii").strip():
            damaged[path] = "changed since it was made"
    return damaged


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
