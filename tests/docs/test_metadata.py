"""What archives and indexes read is what CITATION.cff and pyproject.toml say."""

from __future__ import annotations

import importlib.util
import re
import tomllib

import yaml

import fuzzybounds


def test_metadata_agrees(project_root):
    path = project_root / "docs/make_metadata.py"
    spec = importlib.util.spec_from_file_location("make_metadata", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, content in module.metadata(project_root).items():
        written = (project_root / name).read_text(encoding="utf-8")
        assert written == module.written(content), f"python docs/make_metadata.py writes {name}"
        assert content["version"] == fuzzybounds.__version__


def test_every_declared_python_is_tested(project_root):
    project = tomllib.loads((project_root / "pyproject.toml").read_text())["project"]
    listed = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    workflow = yaml.safe_load((project_root / ".github/workflows/ci.yml").read_text())
    assert workflow["jobs"]["linux"]["strategy"]["matrix"]["python"] == listed
    assert f">={listed[0]}" == project["requires-python"]


def test_references_of_the_software_paper_exist(project_root):
    text = (project_root / "paper.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"@([a-z]+\d{4}[a-z]*)", text))
    bibliography = (project_root / "paper.bib").read_text(encoding="utf-8")
    assert cited == set(re.findall(r"^@\w+\{(\w+),", bibliography, re.M))
