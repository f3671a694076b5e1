"""A study that was registered before its data: its file, and what of the data deviates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fuzzybounds.core.source_graph import digest
from fuzzybounds.core.tables import read_json
from fuzzybounds.core.thresholds import THRESHOLDS
from fuzzybounds.logs.study_design import FILE as DESIGN_FILE

FILE = "registration.json"
PACKAGE = Path(__file__).resolve().parents[1]
ANALYSIS = ("stopping/fits.py", "stopping/comparison.py", "stopping/rule_posterior.py")
"""Modules whose code, with all that they import, is registered."""


def analysis_code() -> dict[str, str]:
    """Return the version of the package and a digest of the code of its analysis."""
    files = (PACKAGE / name for name in ANALYSIS)
    return {"version": version("fuzzybounds"), "digest": digest(*files, source=PACKAGE.parent)}


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a registration with the hash of its canonical JSON, that of all other keys."""
    rest = {key: value for key, value in content.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**rest, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def deviations(
    folder: str | Path, actions: Mapping[str, str] | None = None, subjects: int | None = None
) -> list[str]:
    """Say what deviates from the registration beside the logs of a folder, if there is one.

    `actions` are what is done about irregular rows, `subjects` how many subjects there are.
    """
    file = Path(folder) / FILE
    if not file.is_file():
        return []
    registered = read_json(file)
    name = f"registration {registered.get('sha256', '')[:12]}"
    if sealed(registered) != registered:
        return [f"{name}: the file was changed after it was written, so nothing is registered"]
    design = Path(folder) / DESIGN_FILE
    now: dict[str, Any] = {"thresholds": THRESHOLDS, "code": analysis_code()}
    now["design"] = read_json(design) if design.is_file() else {}
    if actions is not None:
        now["exclusions"] = {**registered["exclusions"], **actions}
    if subjects is not None:
        now["subjects"] = subjects
    lines = [line for key in sorted(now) for line in _differences(key, registered[key], now[key])]
    return [f"{name}: {line}" for line in lines] or [f"{name}: nothing deviates from it"]


def _differences(key: str, registered: Any, now: Any) -> Iterator[str]:
    if isinstance(registered, dict) and isinstance(now, dict):
        for name in dict.fromkeys([*registered, *now]):
            yield from _differences(f"{key}.{name}", registered.get(name), now.get(name))
    elif registered != now:
        yield f"{key} is {json.dumps(now)}, registered {json.dumps(registered)}"
