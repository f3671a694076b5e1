"""What reruns after each kind of change, what stays, and what a deleted file costs."""

from __future__ import annotations

import os
import re
import shutil

import pytest

from fuzzybounds.core.source_graph import digest
from fuzzybounds.core.subjects import shard_of
from fuzzybounds.core.tables import read_parquet

SAMPLES = "results/tiny/samples.parquet"
TARGETS = (SAMPLES, "results/tiny/design_check.csv", "results/tiny/figures/fig03.png")
MEMBERSHIPS = "results/tiny/memberships.parquet"


@pytest.fixture(scope="module")
def targets():
    return [*TARGETS, MEMBERSHIPS]


FITS = {
    *("simulate_logs", "draw_points", "extract_rules", "tune_memberships", "fit_boundaries"),
    *("recover_rules", "compare_stopping_briefly", "fit_stopping", "recover_stopping"),
    *("fit_session_models", "simulate_learning", "sweep_learning", "fit_known_boundaries"),
    "simulate_groups",
}


def digests(root, rules) -> dict[str, str]:
    """The digest that each rule or figure of a project has as a parameter."""
    scripts = {"run_stage.py": {}, "simulate_logs.py": {"simulate_logs": ()}, "draw_figure.py": {}}
    for name, rule in rules.items():
        if stage := re.search(r'stage\("([\w.]+)\.\w+"\)', rule):
            path = root / "src/fuzzybounds" / f"{stage[1].replace('.', '/')}.py"
            scripts["run_stage.py"][name] = (path,)
    for notebook in (root / "notebooks").glob("fig*.ipynb"):
        scripts["draw_figure.py"][notebook.stem.split("_")[0]] = (notebook,)
    return {
        name: digest(root / "workflow/scripts" / script, *files, source=root / "src")
        for script, users in scripts.items()
        for name, files in users.items()
    }


@pytest.fixture(scope="module")
def before(project_root, rule_texts):
    digests_before = digests(project_root, rule_texts())
    assert digests_before.keys() >= FITS
    return digests_before


@pytest.fixture
def changed(project_root, tmp_path, before, rule_texts):
    """Return a function: the rules and figures whose digest another text in a file changes."""

    def change(file, old, new) -> set[str]:
        for part in ("src", "workflow", "notebooks"):
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(project_root / part, tmp_path / part, ignore=ignored)
        path = tmp_path / "src/fuzzybounds" / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        after = digests(tmp_path, rule_texts())
        return {name for name in before if before[name] != after[name]}

    return change


SCORED, REPORTED = {"score_claims"}, {"make_report"}
VARIED = {"vary_boundary_choices"}
JUDGED = VARIED | {"control_boundary_claims"}
LEARNING = {"simulate_learning", "sweep_learning"}
SWEPT = SCORED | {"summarise_sweep"}
FIG13 = "paper/figures/fig13_group_output.py"


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("core/tables.py", "not as the dictionary defines it", "not as defined", set()),
        ("core/errors.py", "nobody made a mistake", "no mistake", set()),
        ("core/suggestions.py", "did you mean", "do you mean", set()),
        ("classifier.py", "A classifier of two classes", "Classifies two classes", set()),
        ("core/dictionary/boundaries.yaml", "unstable fits", "fits that are unstable", set()),
        ("scorecard/errata.yaml", "as the equations have it", "as in the equations", SCORED),
        ("scorecard/claims.yaml", "there are fast and slow", "there are two", SCORED | REPORTED),
        ("scorecard/words/words.yaml", "The split into nearer", "A split into nearer", SCORED),
        (FIG13, 'panel.set_title(f"', 'panel.set_title(f"The ', {"fig13"}),
        (
            "checks/learning/sweep_summary.py",
            "RISE = 0.2",
            "RISE = 0.3",
            SCORED | {"summarise_sweep"},
        ),
        ("checks/recovery/rule_tables.py", "> 0.5", "> 0.6", {"tabulate_recovery"}),
    ],
)
def test_a_change_reruns_what_shows_it(changed, file, old, new, expected):
    assert changed(file, old, new) == expected


def test_a_change_of_a_fit_reruns_it(changed):
    result = changed("paper/boundaries/fit.py", "LAST = 1e-9", "LAST = 1e-8")
    assert FITS & result == {"fit_boundaries", "fit_known_boundaries"}


CHECKED = SCORED | {"check_claims"}
STOPPING = {"compare_stopping_briefly", "recover_stopping"}
"""Fits that compare models as well."""


@pytest.mark.parametrize(
    ("file", "old", "new", "expected", "fits"),
    [
        ("scorecard/judges/boundaries.py", "nearer == 1", "nearer == 2", CHECKED, set()),
        ("scorecard/judges/groups.py", "ALPHA = 0.05", "ALPHA = 0.01", CHECKED, set()),
        ("scorecard/boundary_counts.py", "FAR = 2.0", "FAR = 3.0", CHECKED | JUDGED, set()),
        ("scorecard/boundary_controls.py", "falling late", "late", JUDGED - VARIED, set()),
        # What is simulated starts at the printed rate, or ends after the printed trials.
        ("paper/printed.yaml", "least_last: 0.2", "least_last: 0.3", CHECKED, LEARNING),
        (
            "stopping/comparison.py",
            "import numpy as np",
            "import numpy",
            {"compare_stopping"},
            STOPPING,
        ),
    ],
)
def test_a_judge_a_table_or_a_printed_number_reruns_no_fit(changed, file, old, new, expected, fits):
    result = changed(file, old, new)
    assert expected <= result
    assert FITS & result <= fits


def edit(path) -> None:
    path.write_text(path.read_text() + "\nEDITED = 1\n")


def comment(path) -> None:
    path.write_text(path.read_text() + "\n# edited\n")


def test_what_reruns_after_each_kind_of_change(copied):
    """Each change is taken back, so that the next one is seen alone."""
    assert copied.planned(*TARGETS) == {}
    source, notebooks = copied.root / "src/fuzzybounds", copied.root / "notebooks"
    paths, drawn = source / "canoe/paths.py", {"draw_figure"}
    changes = {
        "touched module": (paths, os.utime, set()),
        "touched script": (copied.root / "workflow/scripts/run_stage.py", os.utime, set()),
        "comment": (paths, comment, set()),
        "description": (
            source / "core/dictionary/data.yaml",
            lambda path: path.write_text(path.read_text().replace("session number", "its number")),
            set(),
        ),
        "module": (paths, edit, {"validate_logs", "check_design", "draw_points"}),
        "module of a figure": (source / "paper/figures/fig03_basis_functions.py", edit, drawn),
        "script": (copied.root / "workflow/scripts/draw_figure.py", edit, drawn),
        "notebook": (
            notebooks / "fig03_basis_functions.ipynb",
            lambda path: path.write_text(path.read_text().replace("# Fig. 3", "# Figure 3")),
            drawn,
        ),
        "option": (
            copied.root / "config.yaml",
            lambda path: path.write_text(path.read_text().replace("draws: 2", "draws: 3")),
            {"draw_points"},
        ),
    }
    for kind, (path, change, expected) in changes.items():
        status, content = path.stat(), path.read_bytes()
        change(path)
        # What follows from a rerun is planned as well: fig03 needs the description of the data.
        planned = set(copied.planned(*TARGETS)) - ({"draw_figure"} if kind == "module" else set())
        assert planned == expected, kind
        path.write_bytes(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_one_more_subject_changes_no_other_and_reruns_one_shard(copied):
    names = ("trials", "samples", "memberships")
    before = {name: read_parquet(copied.root / f"results/tiny/{name}.parquet") for name in names}
    raw, fits = copied.hashes("results/tiny/raw"), copied.hashes("results/tiny/fits")
    copied.configure(cohorts={"tiny": {"one_session": 5, "three_session": 1}})
    jobs = copied.ended(copied.run(MEMBERSHIPS))
    assert jobs["extract_rules"] == jobs["tune_memberships"] == 1
    assert raw.items() <= copied.hashes("results/tiny/raw").items()
    part = f"results/tiny/fits/{shard_of('S05', 2)}/"
    after = copied.hashes("results/tiny/fits")
    assert {name for name in fits if fits[name] != after[name]} <= {
        name for name in fits if name.startswith(part)
    }
    for name, old in before.items():
        new = read_parquet(copied.root / f"results/tiny/{name}.parquet")
        assert (new["subject"] == "S05").any()
        assert new[new["subject"] != "S05"].reset_index(drop=True).equals(old)
    assert copied.planned(MEMBERSHIPS) == {}


def test_two_builds_are_the_same_to_the_byte(made, copied):
    shutil.rmtree(copied.root / "results")
    copied.run(*TARGETS, MEMBERSHIPS)
    # Papermill notes in notebooks when each cell ran.
    first, second = (
        {name: part for name, part in build.hashes().items() if ".ipynb" not in name}
        for build in (made, copied)
    )
    assert {name for name in first if name.endswith((".pdf", ".svg", ".png"))}
    assert second == first


def test_a_variant_has_results_of_its_own(copied):
    before = copied.hashes()
    variant = ("--configfile", "variants/paper_penalty.yaml", "--")
    folder = "results/variants/paper_penalty/tiny"
    copied.run(*variant, f"{folder}/memberships.parquet")
    assert before.items() <= copied.hashes().items()
    part, base = (
        read_parquet(copied.root / f"{place}/memberships.parquet")
        for place in (folder, "results/tiny")
    )
    assert len(part) == len(base)
    assert not part["center"].equals(base["center"])
    # The same random numbers: what the option does not concern is the same.
    for table in ("trials", "samples"):
        assert (copied.root / f"{folder}/{table}.parquet").read_bytes() == (
            copied.root / f"results/tiny/{table}.parquet"
        ).read_bytes()
