"""A finished run as a Workflow Run RO-Crate: what was run, on which inputs, with which results.

``fuzzybounds crate`` writes one ZIP file with the workflow, the library, the configuration, every
result, and a description in JSON-LD that any RO-Crate tool reads.  Raw logs, and the tables that
hold their rows, are described by name and SHA-256 but not copied, unless the subjects are simulated
or ``--with-data`` is given: the published logs carry no licence, and others may be confidential.
"""

from __future__ import annotations

import json
import mimetypes
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import first_look_note
from fuzzybounds.core.tables import read_json, replacing
from fuzzybounds.paper.figures.registry import read_registry
from fuzzybounds.report.provenance import UNKNOWN, commit, versions
from fuzzybounds.report.text import figure_name

METADATA = "ro-crate-metadata.json"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.1": "Workflow RO-Crate",
}
"""The conventions that the crate follows."""
CONTEXT = "https://w3id.org/ro/terms/workflow-run/context"
SOURCES = (
    *("config.yaml", "environment.yml", "pyproject.toml", "requirements.lock", "Makefile"),
    *("requirements-uv.lock", "LICENSE", "CITATION.cff", "README.md", "workflow", "profiles"),
    *("variants", "src/fuzzybounds", "notebooks"),
)
"""Files and folders that are needed to rerun it, beside the Snakefile; an installed package has
some of them elsewhere."""
IGNORED = {"__pycache__", ".ipynb_checkpoints", ".pyc", ".nbi", ".nbc"}
ROWS_OF_LOGS = {name for name, own in TABLES.items() if {"subject", "trial"} <= set(own.names)}
"""Tables with rows of the logs: those about single trials of subjects."""
INTERMEDIATE = {"shards", "fits", "raw"}
"""Folders of a run that other results contain, or that are its inputs."""
PACKAGES = ("fuzzybounds", "numba", "numpy", "pandas", "scikit-learn", "scipy", "snakemake")
FORMATS = {
    ".ipynb": "application/x-ipynb+json",
    ".parquet": "application/vnd.apache.parquet",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}
"""What Python does not know."""


@dataclass(frozen=True)
class Run:
    """A finished run: the project, ``results/{dataset}``, and the content of ``dataset.json``."""

    root: Path
    results: Path
    described: Mapping[str, Any]
    with_data: bool
    """Whether the rows of the logs may be copied."""

    @property
    def name(self) -> str:
        """The name of the data set."""
        return self.results.name

    def files(self) -> Iterator[Path]:
        """Yield every result, in a fixed order."""
        for path in sorted(self.results.rglob("*")):
            hidden = path.name.startswith(".") or path.suffix == ".zip"
            inner = path.relative_to(self.results).parts[0] in INTERMEDIATE
            if path.is_file() and not hidden and not inner:
                yield path

    def may_copy(self, path: Path) -> bool:
        """Whether a result may be in the crate."""
        return self.with_data or path.stem not in ROWS_OF_LOGS or path.parent != self.results


def pack(root: str | Path, results: str | Path, target: str | Path, with_data: bool = False) -> int:
    """Write the crate of a finished run as a ZIP file, and return how many files are in it.

    The rows of real logs are copied only `with_data`; those of simulated subjects always are.
    """
    from rocrate.rocrate import ROCrate

    root, results = Path(root), Path(results)
    if not (results / "report.html").exists():
        raise InputError(
            f"{results}: no finished run",
            [f"fuzzybounds run {results.name} makes it, with its report"],
        )
    described = read_json(results / "dataset.json")
    run = Run(root, results, described, with_data or described["kind"] == "simulated")
    crate = ROCrate()
    crate.metadata.extra_contexts.append(CONTEXT)
    _describe_root(crate, run)
    workflow = crate.add_workflow(
        root / "Snakefile",
        "Snakefile",
        main=True,
        lang="snakemake",
        properties={"name": "fuzzybounds", **_fingerprint(root / "Snakefile")},
    )
    sources = {
        path.relative_to(root).as_posix(): crate.add_file(
            path, path.relative_to(root).as_posix(), properties=_fingerprint(path)
        )
        for path in _sources(root)
    }
    inputs = [sources["config.yaml"], *_inputs(crate, run)]
    outputs = [_result(crate, run, path) for path in run.files()]
    _describe_action(crate, run, workflow, inputs, outputs)
    with replacing(target) as temporary:
        crate.write_zip(temporary.with_suffix(".zip"))
        temporary.with_suffix(".zip").replace(temporary)
    return len(sources) + 1 + sum(run.may_copy(path) for path in run.files())


def check(path: str | Path) -> list[str]:
    """Compare every file of a crate with its description: one line per difference."""
    problems = []
    with zipfile.ZipFile(path) as archive:
        graph = json.loads(archive.read(METADATA))["@graph"]
        files = {own["@id"]: own for own in graph if "File" in (own["@type"], *own["@type"])}
        there = set(archive.namelist()) - {METADATA}
        problems += [f"{name}: described, but not there" for name in sorted(set(files) - there)]
        problems += [f"{name}: there, but not described" for name in sorted(there - set(files))]
        for name in sorted(there & set(files)):
            found, expected = sha256(archive.read(name)).hexdigest(), files[name].get("sha256")
            if found != expected:
                problems.append(f"{name}: SHA-256 is {found}, described as {expected}")
    return problems


def _fingerprint(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    found = {"sha256": sha256(content).hexdigest(), "contentSize": str(len(content))}
    kind = FORMATS.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return found | ({"encodingFormat": kind} if kind else {})


def _sources(root: Path) -> Iterator[Path]:
    for name in SOURCES:
        for file in sorted((root / name).rglob("*")) if (root / name).is_dir() else [root / name]:
            ignored = IGNORED & {*file.relative_to(root).parts, file.suffix}
            if file.is_file() and not ignored:
                yield file


def _describe_root(crate: Any, run: Run) -> None:
    citation = read_yaml(run.root / "CITATION.cff")
    paper = next(own for own in citation["references"] if own["type"] == "article")
    title = run.described.get("title") or run.name
    crate.name = f"fuzzybounds: {title}"
    crate.description = (
        f"A run of fuzzybounds on the data set {run.name!r}: {citation['abstract'].strip()}"
    )
    if note := first_look_note(run.described):
        crate.description = f"{note}. {crate.description}"
    crate.license = _entity(
        crate,
        *("#licence", "CreativeWork", citation["license"]),
        description="Of the software; its text is in LICENSE. Raw logs are not covered.",
    )
    crate.keywords = citation["keywords"]
    article = _entity(crate, "#paper", "ScholarlyArticle", paper["title"])
    article["author"] = [
        _entity(
            crate,
            *(f"#author-{number}", "Person", f"{own['given-names']} {own['family-names']}"),
            givenName=own["given-names"],
            familyName=own["family-names"],
        )
        for number, own in enumerate(paper["authors"], 1)
    ]
    crate.root_dataset["citation"] = article
    crate.root_dataset["conformsTo"] = [
        _entity(crate, name, "CreativeWork", about) for name, about in PROFILES.items()
    ]


def _entity(crate: Any, identifier: str, kind: str, name: str, **more: Any) -> Any:
    return crate.add_jsonld({"@id": identifier, "@type": kind, "name": name, **more})


def _inputs(crate: Any, run: Run) -> list[Any]:
    """Describe the raw files, which are not copied, and the name of the data set."""
    source = run.described.get("source")
    about = {"description": "A raw file that the run read; it is not part of the crate."}
    based = {"isBasedOn": source} if source else {}
    found = [
        _entity(crate, f"#raw/{name}", "CreativeWork", name, **about, sha256=digest, **based)
        for name, digest in run.described["files"].items()
    ]
    return [*found, _entity(crate, "#dataset", "PropertyValue", "dataset", value=run.name)]


def _result(crate: Any, run: Run, path: Path) -> Any:
    inner = path.relative_to(run.results).as_posix()
    properties = {"name": inner, "description": _about(run, path), **_fingerprint(path)}
    if run.may_copy(path):
        return crate.add_file(path, f"results/{run.name}/{inner}", properties=properties)
    properties["description"] += "; not part of the crate, because it has the rows of the logs"
    return _entity(crate, f"#result/{inner}", "CreativeWork", **properties)


def _about(run: Run, path: Path) -> str:
    if path.parent == run.results and path.stem in TABLES:
        return f"One row: {TABLES[path.stem].row}"
    titles = {name: own["title"] for name, own in read_registry(run.root / "notebooks").items()}
    if path.stem in titles:
        return f"{figure_name(path.stem)}: {titles[path.stem]}"
    return {"report.html": "Every result on one page", "claims.txt": "The scorecard"}.get(
        path.name, "A result of the run"
    )


def _describe_action(
    crate: Any, run: Run, workflow: Any, inputs: list[Any], outputs: list[Any]
) -> None:
    times = [path.stat().st_mtime for path in run.files()]
    began, ended = (
        datetime.fromtimestamp(own, UTC).isoformat() for own in (min(times), max(times))
    )
    action = crate.add_action(
        workflow,
        identifier="#run",
        object=inputs,
        result=outputs,
        properties={
            "name": f"Run on {run.name}",
            "startTime": began,
            "endTime": ended,
            "actionStatus": "http://schema.org/CompletedActionStatus",
        },
    )
    workflow["softwareRequirements"] = [
        _entity(crate, f"#software-{name}", "SoftwareApplication", name, softwareVersion=version)
        for name, version in versions(PACKAGES).items()
    ]
    found, changed = commit(run.root / "Snakefile")
    if found != UNKNOWN:
        workflow["version"] = f"{found}{' with changes' if changed == 'yes' else ''}"
    crate.root_dataset["mentions"] = [action]
