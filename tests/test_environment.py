"""pyproject.toml, environment.yml and requirements.lock say the same."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version


@pytest.fixture(scope="module")
def declared(project_root):
    document = tomllib.loads((project_root / "pyproject.toml").read_text())
    project, groups = document["project"], document["dependency-groups"]
    extras = [project["optional-dependencies"][name] for name in ("workflow", "crate")]
    lists = [project["dependencies"], *extras, *groups.values()]
    texts = [text for own in lists for text in own]
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
