"""pyproject.toml, environment.yml and requirements.lock say the same."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from fuzzybounds.core.source_graph import imported_names, modules_of

ON_CONDA = {"typst-py": "typst"}
"""Packages whose name on conda-forge is not that on PyPI."""


@pytest.fixture(scope="module")
def declared(project_root):
    document = tomllib.loads((project_root / "pyproject.toml").read_text())
    project, groups = document["project"], document["dependency-groups"]
    extras = [project["optional-dependencies"][name] for name in ("workflow", "crate", "article")]
    lists = [project["dependencies"], *extras, *groups.values()]
    texts = [text for names in lists for text in names]
    requirements = map(Requirement, texts)
    return {canonicalize_name(item.name): item.specifier for item in requirements}


@pytest.fixture(scope="module")
def lock(project_root):
    return (project_root / "requirements.lock").read_text()


def conda_packages(file: Path) -> dict:
    """The packages of a conda environment, pip's among them, by their names on PyPI."""
    entries = yaml.safe_load(file.read_text())["dependencies"]
    texts = [entry for entry in entries if isinstance(entry, str)]
    texts += [text for entry in entries if isinstance(entry, dict) for text in entry["pip"]]
    requirements = map(Requirement, texts)
    return {
        canonicalize_name(ON_CONDA.get(item.name, item.name)): item.specifier
        for item in requirements
    }


def missing(files: Iterable[Path], environment: Path) -> set[str]:
    """The packages that files import and that neither an environment nor its packages name."""
    distributions = metadata.packages_distributions()
    imported = {name.split(".")[0] for file in files for name in imported_names(file)}
    imported -= {*sys.stdlib_module_names, "fuzzybounds", "job"}
    needed = {canonicalize_name(distributions.get(name, [name])[0]) for name in imported}
    listed = set(conda_packages(environment)) - {"python", "pip"}
    required = [Requirement(text) for name in listed for text in metadata.requires(name) or []]
    always = [each for each in required if not each.marker or each.marker.evaluate({"extra": ""})]
    return needed - listed - {canonicalize_name(requirement.name) for requirement in always}


def test_what_is_missing_is_found(tmp_path):
    (tmp_path / "script.py").write_text("import numpy, os\nfrom PIL import Image\nimport typst\n")
    (tmp_path / "environment.yml").write_text("dependencies: [python, pandas]")
    # Pandas requires numpy, and Pillow for none but some of its functions.
    lacking = missing([tmp_path / "script.py"], tmp_path / "environment.yml")
    assert lacking == {"pillow", "typst"}


def test_environment_yml_has_all_that_the_library_imports(project_root):
    files = (project_root / "src").rglob("*.py")
    assert missing(files, project_root / "environment.yml") == set()


def test_the_environment_of_every_rule_has_what_its_jobs_import(project_root, rule_texts):
    source, workflow = project_root / "src", project_root / "workflow"
    notebooks = list((project_root / "notebooks").glob("fig*.ipynb"))
    checked, wrong = 0, {}
    for name, rule in rule_texts().items():
        starts = [workflow / "scripts" / re.search(r'"../scripts/(\w+\.py)"', rule)[1]]
        if stage := re.search(r'stage\("([\w.]+)\.\w+"', rule):
            starts.append(source / "fuzzybounds" / f"{stage[1].replace('.', '/')}.py")
        starts += notebooks if "notebook=" in rule else []
        files = {
            *starts,
            *(Path(module) for start in starts for module in modules_of(start, source)),
        }
        environment = workflow / "envs" / re.search(r'"../envs/(\w+\.yaml)"', rule)[1]
        checked += 1
        if lacking := missing(files, environment):
            wrong[name] = lacking
    assert checked > 20
    assert wrong == {}


def test_environment_yml_has_the_same_packages(project_root, declared):
    listed = conda_packages(project_root / "environment.yml")
    python = listed.pop("python")
    listed.pop("pip")
    assert listed == declared
    project = tomllib.loads((project_root / "pyproject.toml").read_text())["project"]
    assert str(python) == project["requires-python"]


@pytest.fixture(scope="module")
def pinned(lock):
    """The versions of the lock by name, several where they depend on Python's, the newest last."""
    versions: dict[str, list[Version]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", lock, re.M):
        versions.setdefault(canonicalize_name(name), []).append(Version(version))
    return {name: sorted(several) for name, several in versions.items()}


@pytest.mark.parametrize("name", ["analysis", "figures"])
def test_environments_of_rules_have_the_minor_versions_of_the_lock(project_root, pinned, name):
    listed = conda_packages(project_root / f"workflow/envs/{name}.yaml")
    image = re.search(r"FROM python:([\d.]+)", (project_root / "Dockerfile").read_text())[1]
    assert f"{image}.0" in listed.pop("python")
    for package, specifier in listed.items():
        version = pinned[package][-1]
        assert str(specifier) == f"~={version.major}.{version.minor}.0"


def test_lock_satisfies_every_requirement(declared, pinned):
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
