"""Whole runs on stand-ins: one script that writes, instead of results, what they were made from.

So the whole workflow runs in seconds, and reruns when it should.
"""

from __future__ import annotations

import os
import zipfile

import pytest

SUBJECTS = 6
STAND_IN = """
import hashlib, json
from pathlib import Path
from fuzzybounds.core import inventory

def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()

rule, outputs = snakemake.rule, list(snakemake.output)
made_from = sorted(digest(path) for path in snakemake.input if not path.endswith((".py", ".ipynb")))
if rule == "split_subjects":
    shards = [{} for _ in snakemake.output.trials]
    for subject, content in json.loads(Path(snakemake.input.trials).read_text()).items():
        number = int(hashlib.sha256(subject.encode()).hexdigest(), 16)
        shards[number % len(shards)][subject] = content
    for path, shard in zip(outputs, [*shards, *shards]):
        Path(path).write_text(json.dumps(shard))
    outputs = []
elif rule == "validate_logs":
    made_from = {Path(path).stem: digest(path) for path in snakemake.input.logs}
elif rule == "draw_points":
    made_from = json.loads(Path(snakemake.input.trials).read_text())
for path in outputs:
    Path(path).write_text(json.dumps(made_from))
inventory.record(snakemake.output)
"""
SHARED = {"simulate_learning", "sweep_learning", "recover_rules"}
PER_SHARD = {"fit_boundaries", "extract_rules", "tune_memberships"}


@pytest.fixture
def lab(project):
    """The project with stand-ins for its scripts, and a data set of a few logs."""
    for script in (project.root / "workflow/scripts").glob("*.py"):
        script.write_text(STAND_IN)
    raw = project.root / "data/raw/lab"
    raw.mkdir(parents=True)
    for number in range(SUBJECTS):
        (raw / f"{number}.csv").write_text(str(number))
    # Of the worked examples, which have no tables, one stands for all.
    for number in ("02", "04", "05", "06", "07", "09"):
        next((project.root / "notebooks").glob(f"fig{number}_*.ipynb")).unlink()
    project.configure(dataset="lab", shards=2)
    return project


def test_a_whole_run_one_more_subject_a_second_data_set_and_deleted_files(lab):
    # One test, because the first run takes longest.
    first = lab.ended(lab.run())
    assert all(first[rule] == 2 for rule in PER_SHARD)
    lab.run("--report", "report.zip")
    with zipfile.ZipFile(lab.root / "report.zip") as archive:
        shown = {os.path.basename(name) for name in archive.namelist() if "/data/" in name}
    drawn = {path.name for path in lab.root.glob("results/lab/figures/*.png")}
    assert shown == {*drawn, "claims.csv", "errata.csv", "report.html"}
    log = lab.root / "data/raw/lab/0.csv"
    os.utime(log)
    assert lab.planned() == {}
    log.write_text("changed")
    assert {"validate_logs", "check_design", "draw_points"} <= lab.planned().keys()
    log.write_text("0")

    tables = [path for path in lab.root.glob("results/*/*") if path.suffix in (".csv", ".parquet")]
    assert {"groups.csv", "optimum.csv"} <= {path.name for path in tables}
    before = lab.hashes()
    for path in tables:
        path.unlink()
    lab.run()
    assert lab.hashes() == before
    edited = ("report.html", "options.json", "figures/fig13.pdf", "notebooks/fig13.ipynb")
    for name in edited:
        (lab.root / "results/lab" / name).write_text("edited")
    code, text = lab.fuzzybounds("run", "lab", "--only", "all")
    assert code == 0, text
    assert all(f"results/lab/{name}: changed since it was made" in text for name in edited)
    assert lab.hashes() == before

    (lab.root / "data/raw/lab/dora.csv").write_text("dora")
    jobs = lab.ended(lab.run())
    assert all(jobs[rule] == 1 for rule in PER_SHARD), jobs
    assert not jobs.keys() & SHARED
    assert lab.planned() == {}

    other = lab.root / "data/raw/other"
    other.mkdir()
    (other / "ann.csv").write_text("ann")
    second = lab.ended(lab.run("--config", "dataset=other"))
    assert not second.keys() & SHARED
