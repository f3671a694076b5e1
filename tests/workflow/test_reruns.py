"""What reruns after each kind of change, what stays, and what a deleted file costs."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter

import pytest

from fuzzybounds.core.subjects import shard_of
from fuzzybounds.core.tables import read_parquet

SAMPLES = "results/tiny/samples.parquet"
TARGETS = (SAMPLES, "results/tiny/design_check.csv", "results/tiny/figures/fig03.png")
MEMBERSHIPS = "results/tiny/memberships.parquet"


def started(output: str) -> Counter[str]:
    """How many jobs of each rule ended in a run."""
    return Counter(re.findall(r"\(Rule: (\w+)\)", output))


@pytest.fixture(scope="module")
def made(tmp_path_factory, copy_project):
    """A project of two subjects with points, a figure and tuned memberships."""
    project = copy_project(tmp_path_factory.mktemp("reruns"))
    project.configure(
        dataset="tiny",
        shards=4,
        cohorts={"tiny": {"one_session": 2, "three_session": 0}},
        samples={"draws": 2},
    )
    project.run(*TARGETS, MEMBERSHIPS)
    return project


@pytest.fixture
def project(made, tmp_path):
    """The same, for a test of its own."""
    root = tmp_path / "project"
    shutil.copytree(made.root, root)
    return type(made)(root)


def edit(path) -> None:
    path.write_text(path.read_text() + "\n# edited\n")


def test_what_reruns_after_each_kind_of_change(project):
    """Six kinds of change; each is taken back, so that the next one is seen alone."""
    assert project.planned(*TARGETS) == {}
    source = project.root / "src/fuzzybounds"
    notebook = project.root / "notebooks/fig03_basis_functions.ipynb"
    changes = {
        "touched module": (source / "canoe/paths.py", os.utime, set()),
        "module": (
            source / "canoe/paths.py",
            edit,
            {"validate_logs", "check_design", "draw_points"},
        ),
        "module of a figure": (
            source / "paper/figures/fig03_basis_functions.py",
            edit,
            {"draw_figure"},
        ),
        "script": (project.root / "workflow/scripts/draw_figure.py", edit, {"draw_figure"}),
        "notebook": (
            notebook,
            lambda path: path.write_text(path.read_text().replace("# Fig. 3", "# Figure 3")),
            {"draw_figure"},
        ),
        "option": (
            project.root / "config.yaml",
            lambda path: path.write_text(path.read_text().replace("draws: 2", "draws: 3")),
            {"draw_points"},
        ),
    }
    for kind, (path, change, expected) in changes.items():
        status, content = path.stat(), path.read_bytes()
        change(path)
        # What follows from a rerun is planned as well: fig03 needs the description of the data.
        planned = set(project.planned(*TARGETS)) - ({"draw_figure"} if kind == "module" else set())
        assert planned == expected, kind
        path.write_bytes(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_changed_log_reruns_what_follows_from_it(project):
    folder = project.root / "data/raw/lab"
    folder.mkdir(parents=True)
    log = folder / "ann.csv"
    log.write_text("subject,block,trial,rt,condition,correct,position\nann,1,1,1.0,easy,1,90\n")
    target = ("--config", "dataset=lab", "--", "results/lab/design_check.csv")
    project.run(*target)
    os.utime(log)
    assert project.planned(*target) == {}
    log.write_text(log.read_text() + "ann,1,2,0.5,hard,0,-45\n")
    assert project.planned(*target) == {"validate_logs": 1, "check_design": 1}


def test_one_more_subject_changes_no_other_and_reruns_one_shard(project):
    names = ("trials", "samples", "memberships")
    before = {name: read_parquet(project.root / f"results/tiny/{name}.parquet") for name in names}
    raw, fits = project.hashes("results/tiny/raw"), project.hashes("results/tiny/fits")
    project.configure(cohorts={"tiny": {"one_session": 3, "three_session": 0}})
    jobs = started(project.run(MEMBERSHIPS))
    assert jobs["extract_rules"] == jobs["tune_memberships"] == 1
    assert raw.items() <= project.hashes("results/tiny/raw").items()
    own = f"results/tiny/fits/{shard_of('S03', 4)}/"
    after = project.hashes("results/tiny/fits")
    assert {name for name in fits if fits[name] != after[name]} <= {
        name for name in fits if name.startswith(own)
    }
    for name, old in before.items():
        new = read_parquet(project.root / f"results/tiny/{name}.parquet")
        assert (new["subject"] == "S03").any()
        assert new[new["subject"] != "S03"].reset_index(drop=True).equals(old)
    assert project.planned(MEMBERSHIPS) == {}


def without_notebooks(project) -> dict[str, str]:
    """Hashes of all results but notebooks, in which papermill notes when each cell ran."""
    return {name: own for name, own in project.hashes().items() if not name.endswith(".ipynb")}


def test_two_builds_are_the_same_to_the_byte(made, project):
    shutil.rmtree(project.root / "results")
    project.run(*TARGETS, MEMBERSHIPS)
    first = without_notebooks(made)
    assert {name for name in first if name.endswith((".pdf", ".svg", ".png"))}
    assert without_notebooks(project) == first


def test_a_variant_has_results_of_its_own(project):
    before = project.hashes()
    variant = ("--configfile", "variants/paper_penalty.yaml", "--")
    folder = "results/variants/paper_penalty/tiny"
    project.run(*variant, f"{folder}/memberships.parquet")
    assert before.items() <= project.hashes().items()
    own, base = (
        read_parquet(project.root / f"{place}/memberships.parquet")
        for place in (folder, "results/tiny")
    )
    assert len(own) == len(base)
    assert not own["center"].equals(base["center"])
    # The same random numbers: what the option does not concern is the same.
    for table in ("trials", "samples"):
        assert (project.root / f"{folder}/{table}.parquet").read_bytes() == (
            project.root / f"results/tiny/{table}.parquet"
        ).read_bytes()
