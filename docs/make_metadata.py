"""Write codemeta.json and .zenodo.json from CITATION.cff and pyproject.toml, so that they agree."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]


def metadata(root: Path) -> dict[str, dict[str, Any]]:
    """Return the content of both files by their names."""
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    paper = next(work["url"] for work in citation["references"] if work["type"] == "article")
    shared = {"version": citation["version"], "keywords": citation["keywords"]}
    names = [author["name"] for author in citation["authors"]]
    codemeta = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": project["name"],
        "headline": citation["title"],
        "description": citation["abstract"].strip(),
        "author": [{"@type": "Organization", "name": name} for name in names],
        "license": f"https://spdx.org/licenses/{citation['license']}",
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {project['requires-python']}",
        "softwareRequirements": project["dependencies"],
        "citation": paper,
        **shared,
    }
    zenodo = {
        "title": citation["title"],
        "description": citation["abstract"].strip(),
        "upload_type": "software",
        "access_right": "open",
        "license": citation["license"].lower(),
        "creators": [{"name": name} for name in names],
        "related_identifiers": [{"identifier": paper, "relation": "isSupplementTo"}],
        **shared,
    }
    return {"codemeta.json": codemeta, ".zenodo.json": zenodo}


def written(content: dict[str, Any]) -> str:
    """Return the text of a file."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, content in metadata(ROOT).items():
        (ROOT / name).write_text(written(content), encoding="utf-8")
