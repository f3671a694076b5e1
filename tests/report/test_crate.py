"""A run as an RO-Crate, packed and read back."""

from __future__ import annotations

import json
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from fuzzybounds.report import crate
from fuzzybounds.storage.errors import InputError

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


def test_every_result_is_there_with_its_hash(read, report):
    results = report.parent
    files = [path for path in results.rglob("*") if path.is_file()]
    assert len(files) >= 15
    for path in files:
        entity = read.get(f"results/{results.name}/{path.relative_to(results).as_posix()}")
        assert entity, path.name
        assert entity["sha256"] == sha256(path.read_bytes()).hexdigest()
        assert int(entity["contentSize"]) == path.stat().st_size


def test_the_files_in_the_archive_are_those_described(packed):
    assert crate.check(packed) == []
    assert crate.main(["--check", str(packed)]) == 0


def test_a_changed_missing_or_added_file_is_found(packed, tmp_path, capsys):
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            if name != "LICENSE":
                content = old.read(name)
                new.writestr(name, b"?" + content if name.endswith("claims.csv") else content)
        new.writestr("more.txt", "more")
    problems = crate.check(broken)
    assert [line.split(":")[0] for line in problems] == [
        "LICENSE",
        "more.txt",
        "results/tiny/claims.csv",
    ]
    assert crate.main(["--check", str(broken)]) == 1
    assert "claims.csv: SHA-256 is" in capsys.readouterr().out


def test_it_is_a_workflow_run_crate(read):
    profiles = {own.id for own in read.root_dataset["conformsTo"]}
    assert profiles == set(crate.PROFILES)
    workflow = read.mainEntity
    assert workflow.id == "Snakefile"
    assert {"File", "SoftwareSourceCode", "ComputationalWorkflow"} <= set(workflow.type)
    assert workflow["programmingLanguage"]["name"] == "Snakemake"
    (action,) = read.root_dataset["mentions"]
    assert action.type == "CreateAction"
    assert action["instrument"] is workflow
    assert "config.yaml" in [own.id for own in action["object"]]
    assert "results/tiny/report.html" in [own.id for own in action["result"]]
    assert action["startTime"] <= action["endTime"]
    versions = {own["name"]: own["softwareVersion"] for own in workflow["softwareRequirements"]}
    assert versions["Python"].startswith("3.")
    assert {"numpy", "snakemake", "fuzzybounds"} <= set(versions)


def test_licence_and_paper_are_named(read):
    assert read.license["name"] == "MIT"
    paper = read.root_dataset["citation"]
    assert paper["name"] == "A Neuro-Fuzzy Model of Time-Varying Decision Boundaries"
    assert [own["familyName"] for own in paper["author"]] == [
        "Khodadadi",
        "Fakhari",
        "Busemeyer",
    ]


def test_raw_files_are_described_and_not_copied(read, packed):
    raw = read.get("#raw/S01.csv")
    assert raw["sha256"] == "ab" * 32
    with zipfile.ZipFile(packed) as archive:
        assert not [name for name in archive.namelist() if name.endswith("S01.csv")]


@pytest.mark.parametrize("with_data", [False, True])
def test_rows_of_real_logs_are_copied_only_on_request(report, project_root, tmp_path, with_data):
    import shutil

    results = tmp_path / "results/my_lab"
    shutil.copytree(report.parent, results)
    described = json.loads((results / "dataset.json").read_text())
    (results / "dataset.json").write_text(json.dumps(described | {"kind": "own"}))
    (results / "trials.parquet").write_bytes(b"rows of people")
    (results / "shards").mkdir()
    (results / "shards/trials.parquet").write_bytes(b"rows of people")
    target = tmp_path / "crate.zip"
    crate.pack(project_root, results, target, with_data=with_data)
    with zipfile.ZipFile(target) as archive:
        copied = [name for name in archive.namelist() if name.endswith("trials.parquet")]
        graph = json.loads(archive.read(crate.METADATA))["@graph"]
    assert copied == (["results/my_lab/trials.parquet"] if with_data else [])
    digest = sha256(b"rows of people").hexdigest()
    assert [own for own in graph if own.get("sha256") == digest]
    assert crate.check(target) == []


def test_tables_about_single_trials_have_rows_of_the_logs():
    assert {"trials", "paths", "samples", "exclusions"} <= crate.ROWS_OF_LOGS
    assert not {"claims", "groups", "rules", "fuzzy_fits"} & crate.ROWS_OF_LOGS


def test_a_run_that_is_not_finished_has_no_crate(project_root, tmp_path, capsys):
    with pytest.raises(InputError, match="no finished run"):
        crate.pack(project_root, tmp_path, tmp_path / "crate.zip")
    assert crate.main([str(tmp_path)]) == 1
    assert "make figures DATASET=" in capsys.readouterr().err
