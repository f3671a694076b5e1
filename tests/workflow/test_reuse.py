"""Another workflow takes this one as a module, and overrides its configuration."""

from __future__ import annotations

import os
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from fuzzybounds.core.documents import read_yaml
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


DEPLOYED = """
configfile: "config/config.yaml"


module fuzzybounds:
    snakefile:
        {source}
    config:
        config


use rule * from fuzzybounds
"""


def reported(report: Path) -> set[str]:
    """The names of the results in a report of Snakemake."""
    with zipfile.ZipFile(report) as archive:
        return {Path(name).name for name in archive.namelist() if "/data/" in name}


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
    outer.run("counted.txt", "--report", "report.zip")
    assert "fig03.png" in reported(outer.root / "report.zip")
    # Everything is made in the outer folder.
    assert not (project.root / "results").exists()


@pytest.mark.parametrize("source", ["local", "hosted"])
def test_the_workflow_is_deployed_from_git(project, project_root, tmp_path, source):
    """As snakedeploy writes it; a clone of the hosted repository is where Snakemake keeps it."""
    git = ["git", "-c", "user.name=N", "-c", "user.email=n@example.org", "-C", str(project.root)]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "All"], ["tag", "v1"]):
        subprocess.run([*git, *arguments], check=True)
    kept = "snakemake/snakemake/source-cache/snakemake-git-cache/github.com/owner/fuzzybounds"
    subprocess.run([*git, "clone", "-q", "--bare", ".", str(tmp_path / kept)], check=True)
    addresses = {
        "local": f'"git+file://{project.root}/workflow/Snakefile@v1"',
        "hosted": 'github("owner/fuzzybounds", path="workflow/Snakefile", tag="v1")',
    }
    deployed = replace(project, root=tmp_path / "deployed")
    for name in ("config", "workflow"):
        (deployed.root / name).mkdir(parents=True)
    (deployed.root / "workflow/Snakefile").write_text(DEPLOYED.format(source=addresses[source]))
    options = (project_root / "config/config.yaml").read_text()
    (deployed.root / "config/config.yaml").write_text(options)
    # What is not committed is not in the copy.
    (project.root / "config.yaml").write_text("nonsense")
    target = "results/simulated/figures/fig03.png"
    output = deployed.run(
        "--dry-run",
        "--",
        target,
        "results/simulated/claims.csv",
        env={"XDG_CACHE_HOME": str(tmp_path)},
    )
    assert "score_claims" in output
    (copy,) = (deployed.root / ".snakemake/fuzzybounds").iterdir()
    assert (copy / "src/fuzzybounds/__init__.py").is_file()
    deployed.run(target, env={"XDG_CACHE_HOME": str(tmp_path)})
    assert (deployed.root / target).is_file()


def test_the_options_that_are_deployed_are_the_defaults(project_root):
    defaults = read_yaml(project_root / "config.yaml")
    deployed = read_yaml(project_root / "config/config.yaml")
    assert deployed
    assert deployed.items() <= defaults.items()
