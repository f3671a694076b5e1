"""Another workflow takes this one as a module, and overrides its configuration."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from fuzzybounds.core.tables import read_parquet

OUTER = """
module fuzzybounds:
    snakefile:
        "{project}/Snakefile"
    config:
        config["fuzzybounds"]


use rule * from fuzzybounds as fb_*


rule count:
    default_target: True
    input:
        "results/theirs/trials.parquet",
        "results/theirs/figures/fig03.png",
    output:
        "counted.txt",
    shell:
        "wc -c {{input}} > {{output}}"
"""
CONFIG = """
fuzzybounds:
  dataset: theirs
  cohorts:
    theirs: {one_session: 1, three_session: 0}
  samples: {draws: 2}
"""


@pytest.fixture
def outer(project, tmp_path):
    """A workflow in a folder of its own that uses the project's."""
    relative = os.path.relpath(project.root, tmp_path)
    (tmp_path / "Snakefile").write_text(
        'configfile: "options.yaml"\n' + OUTER.format(project=relative)
    )
    (tmp_path / "options.yaml").write_text(CONFIG)
    return replace(project, root=tmp_path)


def test_another_workflow_runs_our_rules_with_its_options(outer, project):
    assert {"fb_score_claims", "fb_split_subjects"} <= set(
        outer.planned("results/theirs/claims.csv")
    )
    outer.run("counted.txt")
    assert set(read_parquet(outer.root / "results/theirs/trials.parquet")["subject"]) == {"S01"}
    assert (outer.root / "results/theirs/notebooks/fig03.ipynb").is_file()
    assert outer.planned("counted.txt") == {}
    # Everything is made in the outer folder.
    assert not (project.root / "results").exists()
