"""A run as an RO-Crate, packed and read back."""

from __future__ import annotations

import json
import shutil
import zipfile
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest

from fuzzybounds import cli
from fuzzybounds.report import crate

pytest.importorskip("rocrate", reason="the package of the extra `crate` is not installed")


@pytest.fixture(scope="module")
def packed(report, project_root, tmp_path_factory) -> Path:
    """The crate of the small results folder, whose subjects are simulated."""
    target = tmp_path_factory.mktemp("crate") / "crate.zip"
    crate.pack(project_root, report.parent, target)
    return target


@pytest.fixture(scope="module")
def read(packed):
    from rocrate.rocrate import ROCrate

    return ROCrate(packed)


def test_every_result_is_there_with_its_hash(read, packed, report):
    results = report.parent
    files = [path for path in results.rglob("*") if path.is_file()]
    assert len(files) >= 15
    for path in files:
        entity = read.get(f"results/{results.name}/{path.relative_to(results).as_posix()}")
        assert entity["sha256"] == sha256(path.read_bytes()).hexdigest()
        assert int(entity["contentSize"]) == path.stat().st_size
    assert cli.main(["crate", "--check", str(packed)]) == 0


def test_a_changed_missing_or_added_file_is_found(packed, tmp_path, capsys):
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            if name != "LICENSE":
                content = old.read(name)
                new.writestr(name, b"?" + content if name.endswith("claims.csv") else content)
        new.writestr("more.txt", "more")
    files = [line.split(":")[0] for line in crate.check(broken)]
    assert files == ["LICENSE", "more.txt", "results/tiny/claims.csv"]
    assert cli.main(["crate", "--check", str(broken)]) == 1
    assert "claims.csv: SHA-256 is" in capsys.readouterr().out


@pytest.fixture
def validate(monkeypatch, tmp_path):
    """Return a function that checks a crate by the profiles that it claims, without the network.

    The validator looks up the terms of RO-Crate and of workflow runs on the web.  Here they come
    from the package rocrate, with the name that one of them had in RO-Crate 1.1.
    """
    rocrate = pytest.importorskip("rocrate")
    services = pytest.importorskip("rocrate_validator.services", reason="roc-validator is missing")
    from rocrate_validator.utils.http import HttpRequester

    terms = json.loads((Path(rocrate.__file__).parent / "data/ro-crate.jsonld").read_text())
    terms["@context"]["ComputationalWorkflow"] = "https://bioschemas.org/ComputationalWorkflow"
    of_runs = {"@context": {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}}
    known = {
        **{f"https://w3id.org/ro/crate/{number}/context": terms for number in ("1.1", "1.3")},
        crate.CONTEXT: of_runs,
    }

    def get(self, address, **more):
        headers = {"Content-Type": "application/ld+json"}
        return SimpleNamespace(status_code=200, headers=headers, json=lambda: known[address])

    monkeypatch.setattr(HttpRequester, "get", get, raising=False)

    def validate(path: Path) -> dict[str, set[str]]:
        result = services.validate(
            {
                **{"rocrate_uri": str(path), "profile_identifier": "workflow-run-crate"},
                **{"requirement_severity": "RECOMMENDED", "offline": True},
                "cache_path": tmp_path / "cache",
            }
        )
        checked = {check.identifier.split("_")[0] for check in result.executed_checks}
        assert checked >= {
            *("ro-crate-1.1", "process-run-crate-0.5", "workflow-ro-crate-1.0"),
            "workflow-run-crate-0.5",
        }
        issues: dict[str, set[str]] = {"REQUIRED": set(), "RECOMMENDED": set()}
        for issue in result.get_issues():
            issues[issue.severity.name].add(issue.check.identifier)
        return issues

    return validate


def test_it_claims_profiles_that_the_validator_knows(read):
    """By name and version."""
    services = pytest.importorskip("rocrate_validator.services", reason="roc-validator is missing")
    claimed = {profile.id for profile in read.root_dataset["conformsTo"]}
    assert claimed == set(crate.PROFILES)
    assert claimed <= {profile.uri for profile in services.get_profiles()}


UNKNOWN_TO_US = {
    "process-run-crate-0.5_3.2": "fuzzybounds has no address on the web",
    "process-run-crate-0.5_5.1": "fuzzybounds has no address on the web",
    "process-run-crate-0.5_8.6": "who ran it is nowhere stated",
    "ro-crate-1.1_22.2": "who packs the crate is nowhere stated",
    "ro-crate-1.1_22.3": "who publishes the crate is nowhere stated",
    "workflow-ro-crate-1.0_8.1": "the Bioschemas profile wants an address and a publisher",
}
"""Recommended checks that a crate does not pass, and why."""


@pytest.mark.slow
def test_it_passes_what_its_profiles_require(packed, validate):
    assert validate(packed) == {"REQUIRED": set(), "RECOMMENDED": set(UNKNOWN_TO_US)}


@pytest.mark.slow
def test_a_crate_of_another_version_fails(report, project_root, monkeypatch, validate, tmp_path):
    monkeypatch.setattr(crate, "SPECIFICATION", "1.3")
    crate.pack(project_root, report.parent, tmp_path / "crate.zip")
    assert validate(tmp_path / "crate.zip")["REQUIRED"]


@pytest.mark.parametrize("with_data", [False, True])
def test_rows_of_real_logs_are_copied_only_on_request(report, project_root, tmp_path, with_data):
    """Raw files are described and never copied."""
    results, target = tmp_path / "results/my_lab", tmp_path / "crate.zip"
    shutil.copytree(report.parent, results)
    described = json.loads((results / "dataset.json").read_text())
    (results / "dataset.json").write_text(json.dumps(described | {"kind": "own"}))
    for folder in (results, results / "shards"):
        folder.mkdir(exist_ok=True)
        (folder / "trials.parquet").write_bytes(b"rows of people")
    crate.pack(project_root, results, target, with_data=with_data)
    with zipfile.ZipFile(target) as archive:
        names = archive.namelist()
        graph = json.loads(archive.read(crate.METADATA))["@graph"]
    copied = [name for name in names if name.endswith(("trials.parquet", "S01.csv"))]
    assert copied == (["results/my_lab/trials.parquet"] if with_data else [])
    digests = {entity.get("sha256") for entity in graph}
    assert {sha256(b"rows of people").hexdigest(), "ab" * 32} <= digests
    assert crate.check(target) == []
    assert {"trials", "paths", "samples", "exclusions"} <= crate.ROWS_OF_LOGS
