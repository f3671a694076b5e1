"""pyproject.toml, environment.yml and requirements.lock say the same."""

from __future__ import annotations

import re
import subprocess
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version


@pytest.fixture(scope="module")
def declared(project_root):
    project = tomllib.loads((project_root / "pyproject.toml").read_text())["project"]
    extras = [project["optional-dependencies"][name] for name in ("dev", "docs", "crate")]
    texts = [*project["dependencies"], *(text for extra in extras for text in extra)]
    requirements = map(Requirement, texts)
    return {canonicalize_name(item.name): item.specifier for item in requirements}


@pytest.fixture(scope="module")
def lock(project_root):
    return (project_root / "requirements.lock").read_text()


def test_environment_yml_has_the_same_packages(project_root, declared):
    environment = yaml.safe_load((project_root / "environment.yml").read_text())
    requirements = map(Requirement, environment["dependencies"])
    listed = {canonicalize_name(item.name): item.specifier for item in requirements}
    python = listed.pop("python")
    listed.pop("pip")
    assert listed == declared
    project = tomllib.loads((project_root / "pyproject.toml").read_text())["project"]
    assert str(python) == project["requires-python"]


def test_lock_satisfies_every_requirement(declared, lock):
    pinned = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", lock, re.M):
        pinned.setdefault(canonicalize_name(name), []).append(Version(version))
    for name, specifier in declared.items():
        assert name in pinned, name
        assert all(version in specifier for version in pinned[name]), name


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-uv.lock"])
def test_lock_is_exact_and_names_no_index(project_root, name):
    text = (project_root / name).read_text()
    entries = re.split(r"\n(?=\S)", text.strip())
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._-]+==", entry), entry.splitlines()[0]
        assert "--hash=sha256:" in entry, entry.splitlines()[0]
    assert "://" not in text


@pytest.fixture
def set_up(project_root, monkeypatch):
    monkeypatch.syspath_prepend(str(project_root / "workflow"))
    import set_up

    return set_up


def pretend(monkeypatch, set_up, failing: str, settings: str = ""):
    """Let no command run; those with a certain word fail.  Return the list of what was called."""
    called = []

    def run(command, **options):
        called.append((command, options.get("env", {})))
        failed = bool(failing) and failing in command
        said = settings if "config" in command else ""
        return subprocess.CompletedProcess(command, int(failed), said, "why it failed\n")

    monkeypatch.setattr(set_up.subprocess, "run", run)
    return called


def test_set_up_takes_uv_and_tells_it_where_pip_looks(monkeypatch, set_up, capsys):
    monkeypatch.delenv("UV_INDEX", raising=False)
    settings = "global.extra-index-url='\\nfirst\\nsecond'\nglobal.timeout='60'\n"
    called = pretend(monkeypatch, set_up, "", settings)
    set_up.main()
    commands = [command for command, _ in called]
    assert [*set_up.UV, *set_up.LOCKED, "requirements.lock"] in commands
    assert [*set_up.PIP, *set_up.LOCKED, "requirements.lock"] not in commands
    assert called[-1][1]["UV_INDEX"] == "first second"
    assert "note" not in capsys.readouterr().out


def test_set_up_falls_back_to_pip_and_says_why(monkeypatch, set_up, capsys):
    called = pretend(monkeypatch, set_up, "uv")
    set_up.main()
    assert called[-2][0] == [*set_up.PIP, *set_up.LOCKED, "requirements.lock"]
    assert called[-1][0] == [*set_up.PIP, *set_up.PROJECT]
    assert "pip installs instead of uv, in minutes (why it failed)" in capsys.readouterr().out


def test_set_up_fails_with_a_reason(monkeypatch, set_up):
    pretend(monkeypatch, set_up, "venv")
    with pytest.raises(SystemExit, match=r"creating \.venv failed"):
        set_up.main()
