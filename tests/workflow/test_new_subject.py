"""What one more subject costs: its own fits, the aggregates, and the figures drawn from them.

The rules are the project's; the scripts are one stand-in that writes, instead of results, what
they were made from.  So the whole workflow runs in seconds, and reruns when it should.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from fuzzybounds.figures.registry import read_registry

pytestmark = pytest.mark.workflow

SUBJECTS = 26
STAND_IN = """
import hashlib, json
from pathlib import Path

def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()

rule, outputs = snakemake.rule, list(snakemake.output)
made_from = sorted(digest(path) for path in snakemake.input if not path.endswith((".py", ".ipynb")))
if rule == "split_subjects":
    for name in ("trials", "samples"):
        for subject, content in json.loads(Path(snakemake.input[name]).read_text()).items():
            shard = Path(outputs[0], f"s_{subject}")
            shard.mkdir(parents=True, exist_ok=True)
            (shard / f"{name}.parquet").write_text(content)
    outputs = []
elif rule == "validate_logs":
    made_from = {Path(path).stem: digest(path) for path in snakemake.input.logs}
elif rule == "draw_samples":
    made_from = json.loads(Path(snakemake.input.trials).read_text())
for path in outputs:
    Path(path).write_text(json.dumps(made_from))
"""
AGGREGATES = {
    "validate_logs": 1,
    "check_design": 1,
    "draw_samples": 1,
    "split_subjects": 1,
    "fit_fuzzy": 1,
    "fit_weibull": 1,
    "gather_fuzzy": 1,
    "gather_weibull": 1,
    "compare_groups": 1,
    "run_specifications": 1,
    "check_fit_choices": 1,
    "select_models": 1,
    "vary_boundary_choices": 1,
    "measure_direction": 1,
    "compare_stopping_briefly": 1,
    "score_claims": 1,
}
"""Jobs of one more subject, besides the figures."""


def started(output: str) -> Counter[str]:
    """How many jobs of each rule ended in a run."""
    return Counter(re.findall(r"\(Rule: (\w+)\)", output))


@pytest.fixture
def lab(project):
    """The project with stand-ins for its scripts, and a data set of as many logs as the paper's."""
    for script in (project.root / "workflow/scripts").glob("*.py"):
        script.write_text(STAND_IN)
    raw = project.root / "data/raw/lab"
    raw.mkdir(parents=True)
    for number in range(1, SUBJECTS + 1):
        (raw / f"{number}.csv").write_text(str(number))
    project.configure(dataset="lab")
    # Of the worked examples, which have no tables, one stands for all.
    for name, entry in read_registry(project.root / "notebooks").items():
        if not entry.get("tables") and name != "fig03":
            Path(entry["notebook"]).unlink()
    return project


def test_a_second_data_set_shares_what_does_not_depend_on_data(lab):
    first = started(lab.run())
    shared = ("solve_optimum", "measure_reach", "sweep_learning", "compare_rules")
    assert all(first[rule] == 1 for rule in (*shared, "simulate_learning"))
    assert first["draw_shared_figure"] == first["share_figure"] == 4
    other = lab.root / "data/raw/other"
    other.mkdir()
    (other / "ann.csv").write_text("ann")
    second = started(lab.run("--config", "dataset=other"))
    assert not second.keys() & {*shared, "simulate_learning", "draw_shared_figure"}
    assert second["share_figure"] == 4
    assert second["share_tables"] == second["share_optimum"] == 1
    of_both = [lab.hashes(f"results/{name}/figures") for name in ("shared", "other")]
    digests = [{Path(path).name: digest for path, digest in files.items()} for files in of_both]
    assert digests[0].items() <= digests[1].items()


def test_no_data_set_can_have_the_name_of_the_shared_folder(lab):
    (lab.root / "data/raw/shared").mkdir()
    (lab.root / "data/raw/shared/ann.csv").write_text("ann")
    output = lab.run("--config", "dataset=shared", check=False)
    assert "a data set cannot be called 'shared'" in output
    assert "Traceback" not in output


def test_one_more_subject_reruns_its_fits_and_the_aggregates(lab, project_root):
    everything = started(lab.run())
    assert everything["fit_fuzzy"] == everything["fit_weibull"] == SUBJECTS
    assert lab.planned() == {}
    before = lab.hashes("results/lab/fits")
    (lab.root / "data/raw/lab/dora.csv").write_text("dora")
    output = lab.run("results/lab/claims.csv")
    assert started(output) == AGGREGATES
    assert "to s_dora of lab" in output
    assert before.items() <= lab.hashes("results/lab/fits").items()
    # Of the figures, those that draw something of the subjects; not the paper's worked examples.
    registry = read_registry(project_root / "notebooks")
    of_data = [entry for entry in registry.values() if "dataset" in entry.get("tables", [])]
    drawn = [entry for entry in of_data if not entry.keys() & {"only", "on_request"}]
    assert lab.planned() == {"draw_figure": len(drawn), "make_report": 1}
    guide = (project_root / "docs/new-subjects.md").read_text()
    assert (
        f"{sum(AGGREGATES.values()) + len(drawn) + 1} jobs, however many others there are" in guide
    )
