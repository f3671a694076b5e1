"""The plan of the house: who may import whom, and how long a module may be."""

from __future__ import annotations

import re
from itertools import pairwise

ORDER = (
    {"storage"},
    {"canoe"},
    {"intake", "fuzzy", "weibull"},
    {"learning", "cohort"},
    {"stopping"},
    {"analysis"},
    {"paper"},
    {"figures", "report", "browser"},
)
"""Rooms in the order in which data flows.  A room may import from those before it, and none from
another of its own line."""
LONGEST = 350
IMPORT = re.compile(r"^\s*(?:from|import) fuzzybounds\.(\w+)", re.M)
EXTRA = {("report", "figures")}
"""The report shows figures."""


def rooms(project_root):
    return [path for path in (project_root / "src/fuzzybounds").iterdir() if path.is_dir()]


def test_every_room_has_its_place(project_root):
    known = set().union(*ORDER)
    found = {path.name for path in rooms(project_root) if not path.name.startswith("__")}
    assert found <= known
    for before, after in pairwise(ORDER):
        assert not before & after


def test_imports_point_one_way(project_root):
    level = {room: number for number, names in enumerate(ORDER) for room in names}
    wrong = []
    for room in rooms(project_root):
        if room.name not in level:
            continue
        for path in room.rglob("*.py"):
            for name in set(IMPORT.findall(path.read_text(encoding="utf-8"))):
                allowed = name == room.name or (room.name, name) in EXTRA
                if name in level and not allowed and level[name] >= level[room.name]:
                    wrong.append(f"{path.relative_to(project_root)} imports {name}")
    assert wrong == []


def test_modules_are_short_or_say_why(project_root):
    long = []
    for path in (project_root / "src/fuzzybounds").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if len(text.splitlines()) > LONGEST and "This module is long because" not in text:
            long.append(f"{path.name}: {len(text.splitlines())}")
    assert long == []


def test_every_package_names_its_modules(project_root):
    """A package's docstring lists every module in it, so that a newcomer finds the way."""
    for init in (project_root / "src/fuzzybounds").rglob("__init__.py"):
        names = {path.stem for path in init.parent.glob("*.py")} - {"__init__"}
        if init.parent.name in ("fuzzybounds", "figures") or not names:
            continue
        text = init.read_text(encoding="utf-8")
        missing = [name for name in sorted(names) if not re.search(rf"\b{name}\b", text)]
        assert not missing, f"{init.relative_to(project_root)}: {', '.join(missing)}"
