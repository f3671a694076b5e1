"""The rules against what they name: stages, options, notebooks, and the paper's own graph."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from snakemake.utils import update_config

from fuzzybounds.core import inventory
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.documents import check as check_schema
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.results import NOT_OF_RUNS, Results
from fuzzybounds.core.source_graph import modules_of
from fuzzybounds.core.tables import read_table, write_table

OF_THE_CARD = {
    *("validate_logs", "draw_points", "fit_boundaries", "extract_rules", "tune_memberships"),
    *("assign_groups", "average_rules", "simulate_learning", "draw_figure"),
}


def really_imported(script: Path, source: Path) -> set[str]:
    """The package's files that Python loads when it imports a script."""
    code = (
        "import importlib.util, json, sys\n"
        f"sys.path.insert(0, {str(script.parent)!r})\n"
        f"spec = importlib.util.spec_from_file_location('script', {str(script)!r})\n"
        "spec.loader.exec_module(importlib.util.module_from_spec(spec))\n"
        "files = [getattr(m, '__file__', None) for m in sys.modules.values()]\n"
        f"print(json.dumps([f for f in files if f and f.startswith({str(source)!r})]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_import_graph_has_everything_that_python_imports(project_root):
    source = project_root / "src"
    scripts = sorted((project_root / "workflow/scripts").glob("*.py"))
    # What scripts do around their work changes no result, so it is not watched.
    around = set(modules_of(project_root / "workflow/scripts/job.py", source))
    assert around
    for script in scripts:
        result = around.union(modules_of(script, source))
        assert really_imported(script, source) <= result, script.name


def test_the_numbers_of_the_paper_are_watched_with_their_reader(project_root):
    source = project_root / "src"
    used = modules_of(source / "fuzzybounds/paper/reinforcement/paper_simulation.py", source)
    assert str(source / "fuzzybounds/paper/printed.yaml") in used


def test_every_rule_has_its_parts_and_its_stage_exists_and_is_watched(rule_texts):
    """A rule depends on the code of its stage's module."""
    named, unwatched = 0, {"retrieve_logs"}
    for name, rule in rule_texts().items():
        for part in ("log", "benchmark", "conda"):
            assert f"    {part}:\n" in rule, (name, part)
        # Inherited, they would be those of another rule.
        assert len(re.findall(rf"LOGS}}{name}\b", rule)) == 2, name
        assert name in unwatched or "stage(" in rule or "code=" in rule, name
        if stage := re.search(r'\*\*stage\("([\w.]+)"\)', rule):
            named += 1
            module, function = stage[1].rsplit(".", 1)
            assert callable(getattr(import_module(f"fuzzybounds.{module}"), function))
    assert named


def test_the_options_of_every_variant_are_options(project_root):
    schema = read_yaml(project_root / "workflow/schemas/config.schema.yaml")
    for path in (project_root / "variants").glob("*.yaml"):
        config = read_yaml(project_root / "config.yaml")
        assert config["first_look"] is None
        update_config(config, read_yaml(path))
        check_schema(config, schema, path.name)
        assert config["variant"] == path.stem
        assert bool(config["first_look"]) == (path.stem == "first_look")


def test_the_graph_of_the_paper_is_the_one_in_the_readme(project, project_root):
    """Snakemake's own graph of the target `paper`: at most 16 rules, as drawn for the README."""
    project.configure(dataset="simulated")
    dot = project.run("--rulegraph", "dot", "--", "paper")
    rules = set(re.findall(r'label = "(\w+)"', dot))
    assert OF_THE_CARD | {"simulate_logs"} <= rules
    assert len(rules) <= 16
    texts = [
        (project_root / "workflow/rules" / name).read_text() for name in ("data.smk", "paper.smk")
    ]
    of_the_paper = re.findall(
        r"^(?:rule|checkpoint|use rule run_stage as) (\w+)", "\n".join(texts), re.M
    )
    assert rules - {"paper"} <= set(of_the_paper)
    drawn = (project_root / "workflow/rulegraph.svg").read_text()
    assert set(re.findall(r">(\w+)</text>", drawn)) == rules
    planned = project.planned("--", "paper")
    assert planned["draw_figure"] == 17
    assert not {"score_claims", "compare_stopping_briefly", "make_report"} & planned.keys()


def test_a_table_that_is_made_on_request_is_read_where_it_is(project):
    project.configure(dataset="simulated")
    made = project.root / "results/simulated/rule_claims.csv"
    for there in (False, True):
        if there:
            made.parent.mkdir(parents=True, exist_ok=True)
            made.touch()
        planned = project.run("--dry-run", "--", "results/simulated/errata.csv")
        (inputs,) = re.findall(r"rule score_claims:\n +input: (.*)", planned)
        assert (made.name in inputs) == there


@pytest.mark.parametrize("folder", ["results/simulated", "results/variants/first_look/simulated"])
def test_a_missing_table_is_made_by_the_command_that_its_error_names(project, folder):
    """Every table, on request or not, of a data set or shared."""
    project.configure(dataset="simulated", variant="first_look" if "variants" in folder else None)
    (project.root / folder).mkdir(parents=True)
    results, targets = Results(project.root / folder), []
    for name in TABLES.keys() - NOT_OF_RUNS:
        with pytest.raises(InputError) as error:
            results[name]
        (remedy,) = error.value.problems
        command, _, target = remedy.removesuffix(" makes it").partition(" --only ")
        assert command == inventory.run_command(Path(folder))
        targets.append(target)
    assert project.planned("--", *targets)


def test_trials_with_a_gate_reach_only_stages_that_take_them(project_root, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(project_root / "workflow/scripts")
    run_stage = import_module("run_stage")
    empty = TABLES["trials"].empty()
    row = pd.DataFrame(np.ones((3, empty.shape[1])), columns=empty.columns).astype(empty.dtypes)
    row = row.assign(subject="S1", condition="easy", start=[0, 45, 0], signal=[np.nan, np.nan, 2.0])
    names = {"trials": str(tmp_path / "trials.parquet")}
    made = {"trials": str(tmp_path / "made/trials.parquet")}
    write_table(row, names["trials"])
    stage = {"stage": "stopping.data.of_condition", "condition": "all"}
    for params, number in ((stage, 1), (stage | {"any_design": True}, 3)):
        run_stage.main(names, made, params)
        assert len(read_table(made["trials"])) == number
