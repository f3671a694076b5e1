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
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import first_look_note
from fuzzybounds.core.tables import read_json, replacing, write_json
from fuzzybounds.report.linked_data import package_tables
from fuzzybounds.report.provenance import UNKNOWN, commit, versions

METADATA = "ro-crate-metadata.json"
SPECIFICATION = "1.1"
"""The version of RO-Crate that the profiles build on."""
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
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
ROWS_OF_LOGS = {name for name, table in TABLES.items() if {"subject", "trial"} <= set(table.names)}
"""Tables with rows of the logs: those about single trials of subjects."""
INTERMEDIATE = {"shards", "fits", "raw", ".made"}
"""Folders of a run that other results contain, or that are its inputs."""
FORMATS = {
    ".ipynb": "application/x-ipynb+json",
    ".jsonld": "application/ld+json",
    ".parquet": "application/vnd.apache.parquet",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}
"""Media types that Python may not know; a file of an unknown type is text."""
PACKAGES = ("fuzzybounds", "numba", "numpy", "pandas", "scikit-learn", "scipy", "snakemake")


def pack(
    root: str | Path, results: str | Path, target: str | Path, with_data: bool = False
) -> None:
    """Write the crate of a finished run as a ZIP file.

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
    left_out = set() if with_data or described["kind"] == "simulated" else ROWS_OF_LOGS
    crate = ROCrate(version=SPECIFICATION)
    crate.metadata.extra_contexts.append(CONTEXT)
    _describe_root(crate, root, results.name, described)
    workflow = crate.add_workflow(
        root / "Snakefile",
        "Snakefile",
        main=True,
        lang="snakemake",
        properties={"name": "fuzzybounds", **_fingerprint(root / "Snakefile")},
    )
    software = versions(PACKAGES)
    machine = f"{software.pop('system')}, {software.pop('processor')}"
    packages = ", ".join(" ".join(pair) for pair in software.items())
    revision, changed = commit(root / "Snakefile")
    if revision != UNKNOWN:
        workflow["version"] = f"{revision}{' with changes' if changed == 'yes' else ''}"
    for path in _sources(root):
        crate.add_file(path, path.relative_to(root).as_posix(), properties=_fingerprint(path))
    crate.get("README.md")["about"] = crate.root_dataset
    made = list(_made(results))
    times = sorted(path.stat().st_mtime for path in made)
    began, ended = (
        datetime.fromtimestamp(times[n], UTC).isoformat(timespec="seconds") for n in (0, -1)
    )
    crate.root_dataset["mentions"] = crate.add_action(
        workflow,
        identifier="#run",
        object=[crate.get("config.yaml"), *_raw_files(crate, described)],
        result=[_result(crate, results, path, left_out) for path in made],
        properties={
            **{"name": f"Run on {results.name}", "startTime": began, "endTime": ended},
            "description": f"On the data set {results.name!r} ({machine}; {packages}).",
        },
    )
    packed = [path for path in made if path.stem in TABLES and path.suffix in (".csv", ".parquet")]
    whole = [path for path in packed if path.parent == results and path.stem not in left_out]
    with replacing(target) as temporary, TemporaryDirectory() as folder:
        described_tables = Path(folder) / "datapackage.json"
        write_json(package_tables(results.name, whole), described_tables)
        properties = {"name": described_tables.name, "description": "The tables and their columns"}
        crate.add_file(
            described_tables,
            f"results/{results.name}/{described_tables.name}",
            properties={**properties, **_fingerprint(described_tables)},
        )
        crate.write_zip(temporary.with_suffix(".zip"))
        temporary.with_suffix(".zip").replace(temporary)


def check(path: str | Path) -> list[str]:
    """Compare every file of a crate with its description: one line per difference."""
    problems = []
    with zipfile.ZipFile(path) as archive:
        graph = json.loads(archive.read(METADATA))["@graph"]
        files = {item["@id"]: item for item in graph if "File" in (item["@type"], *item["@type"])}
        there = set(archive.namelist()) - {METADATA}
        problems += [f"{name}: described, but not there" for name in sorted(set(files) - there)]
        problems += [f"{name}: there, but not described" for name in sorted(there - set(files))]
        for name in sorted(there & set(files)):
            digest, expected = sha256(archive.read(name)).hexdigest(), files[name].get("sha256")
            if digest != expected:
                problems.append(f"{name}: SHA-256 is {digest}, described as {expected}")
    return problems


def _fingerprint(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    kind = FORMATS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
    size = {"sha256": sha256(content).hexdigest(), "contentSize": str(len(content))}
    return {**size, "encodingFormat": kind}


def _sources(root: Path) -> Iterator[Path]:
    for name in SOURCES:
        for file in sorted((root / name).rglob("*")) if (root / name).is_dir() else [root / name]:
            ignored = IGNORED & {*file.relative_to(root).parts, file.suffix}
            if file.is_file() and not ignored:
                yield file


def _made(results: Path) -> Iterator[Path]:
    """Yield every result, in a fixed order."""
    for path in sorted(results.rglob("*")):
        hidden = path.name.startswith(".") or path.suffix == ".zip"
        inner = path.relative_to(results).parts[0] in INTERMEDIATE
        if path.is_file() and not hidden and not inner:
            yield path


def _describe_root(crate: Any, root: Path, name: str, described: Mapping[str, Any]) -> None:
    citation = read_yaml(root / "CITATION.cff")
    note = first_look_note(described)
    crate.name = f"fuzzybounds: {described.get('title') or name}"
    crate.description = (
        f"{f'{note}. ' if note else ''}A run of fuzzybounds on the data set {name!r}: "
        f"{citation['abstract'].strip()}"
    )
    crate.keywords = citation["keywords"]
    covered = "Of the software; its text is in LICENSE. Raw logs are not covered."
    crate.license = _entity(
        crate, "#licence", "CreativeWork", citation["license"], description=covered
    )
    paper = next(work for work in citation["references"] if work["type"] == "article")
    crate.root_dataset["citation"] = _entity(
        crate, paper["url"], "ScholarlyArticle", paper["title"]
    )
    crate.root_dataset["conformsTo"] = [
        _entity(crate, profile, "CreativeWork", about) for profile, about in PROFILES.items()
    ]


def _entity(crate: Any, identifier: str, kind: str, name: str, **more: Any) -> Any:
    return crate.add_jsonld({"@id": identifier, "@type": kind, "name": name, **more})


def _raw_files(crate: Any, described: Mapping[str, Any]) -> list[Any]:
    """Describe the raw files, which are not copied."""
    about = {"description": "A raw file that the run read; it is not part of the crate."}
    if described.get("source"):
        about["isBasedOn"] = described["source"]
    return [
        _entity(crate, f"#raw/{name}", "CreativeWork", name, sha256=digest, **about)
        for name, digest in described["files"].items()
    ]


def _result(crate: Any, results: Path, path: Path, left_out: set[str]) -> Any:
    inner = path.relative_to(results).as_posix()
    row = f"One row: {TABLES[path.stem].row}" if path.stem in TABLES else "A result of the run"
    properties = {"name": inner, "description": row, **_fingerprint(path)}
    if path.stem not in left_out:
        return crate.add_file(path, f"results/{results.name}/{inner}", properties=properties)
    properties["description"] += "; not part of the crate, because it has the rows of the logs"
    return _entity(crate, f"#result/{inner}", "CreativeWork", **properties)
