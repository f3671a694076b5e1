"""A copy of the project in a temporary folder, and a way to run its workflow."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

PARTS = (
    "Snakefile",
    "config.yaml",
    "workflow",
    "profiles",
    "src",
    "notebooks",
    "variants",
    "reference",
)
SNAKEMAKE = str(Path(sys.executable).with_name("snakemake"))


@dataclass
class Project:
    """A project folder."""

    root: Path

    def command(self, *arguments: str) -> list[str]:
        return [SNAKEMAKE, "--cores", "2", *arguments]

    def configure(self, **changes) -> None:
        """Change the configuration; a nested option is changed within its section."""
        path = self.root / "config.yaml"
        config = yaml.safe_load(path.read_text())
        for key, value in changes.items():
            if isinstance(value, dict) and isinstance(config.get(key), dict):
                config[key].update(value)
            else:
                config[key] = value
        path.write_text(yaml.safe_dump(config))

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if "FUZZYBOUNDS" not in name}
        # The copy's own library, not the installed one.
        return {**kept, "PYTHONPATH": str(self.root / "src")}

    def run(self, *arguments: str, check: bool = True, env: dict | None = None) -> str:
        """Run Snakemake, and return its whole output."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.root,
            env={**self.environment, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )
        if check and done.returncode:
            pytest.fail(f"snakemake failed:\n{done.stdout}")
        return done.stdout

    def fuzzybounds(self, *arguments: str) -> tuple[int, str]:
        """Run a command of `fuzzybounds`, and return its exit code and all that it printed."""
        code = "import sys; from fuzzybounds.cli import main; sys.exit(main())"
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    def planned(self, *arguments: str) -> dict[str, int]:
        """How many jobs of each rule a run would start."""
        output = self.run("--dry-run", *arguments)
        if "Nothing to be done" in output:
            return {}
        table = output.split("Job stats:")[-1].split("total")[0]
        jobs = {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", table, re.M)}
        jobs.pop("all", None)
        return jobs

    @staticmethod
    def ended(output: str) -> Counter[str]:
        """How many jobs of each rule ended in a run with this output."""
        return Counter(re.findall(r"\(Rule: (\w+)\)", output))

    def hashes(self, folder: str = "results") -> dict[str, str]:
        """Sha256 of every file below a folder."""
        return {
            str(path.relative_to(self.root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((self.root / folder).rglob("*"))
            if path.is_file() and path.name != ".snakemake_timestamp"
        }


@pytest.fixture(scope="session")
def copy_project(project_root):
    """A maker of copies of the project in folders that are there."""

    def copy(root: Path) -> Project:
        for part in PARTS:
            source = project_root / part
            if source.is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".ipynb_checkpoints")
                shutil.copytree(source, root / part, ignore=ignored)
            else:
                shutil.copy2(source, root / part)
        return Project(root)

    return copy


@pytest.fixture(scope="module")
def made(tmp_path_factory, copy_project, targets) -> Project:
    """A project of five subjects with the `targets` of a test module made."""
    project = copy_project(tmp_path_factory.mktemp("made"))
    tiny = {"one_session": 4, "three_session": 1}
    project.configure(dataset="tiny", shards=2, cohorts={"tiny": tiny}, samples={"draws": 2})
    project.run(*targets)
    return project


@pytest.fixture
def copied(made, tmp_path) -> Project:
    """The same, for a test of its own."""
    shutil.copytree(made.root, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


@pytest.fixture
def project(tmp_path_factory, copy_project) -> Project:
    """A fresh copy of the project, set to analyse a tiny cohort."""
    project = copy_project(tmp_path_factory.mktemp("project"))
    truth = {"one_session": 1, "three_session": 0}
    tiny = {"one_session": 2, "three_session": 1}
    project.configure(dataset="tiny", cohorts={"tiny": tiny}, fuzzy_truth=truth)
    return project
