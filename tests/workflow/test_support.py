"""The import graph against Python's own, and the registries against what is there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from snakemake.utils import update_config

from fuzzybounds.cohort.sessions import draw_cohort
from fuzzybounds.figures.registry import read_registry
from fuzzybounds.storage.schemas import check as check_schema
from fuzzybounds.storage.schemas import read_yaml
from fuzzybounds.storage.source_graph import modules_of
from fuzzybounds.weibull.search import BUDGETS


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
    assert scripts
    for script in scripts:
        found = set(modules_of(script, source))
        assert really_imported(script, source) <= found, script.name


def test_import_graph_leaves_out_what_is_not_imported(project_root):
    script = project_root / "workflow/scripts/draw_samples.py"
    found = {Path(path).name for path in modules_of(script, project_root / "src")}
    assert "paths.py" in found
    assert not {"sessions.py", "design_check.py", "validation.py", "style.py"} & found


def test_import_graph_reads_notebooks(project_root):
    notebook = project_root / "notebooks/fig08_two_class_data.ipynb"
    found = {Path(path).name for path in modules_of(notebook, project_root / "src")}
    assert {"two_class_data.py", "style.py", "samples.py", "paths.py"} <= found


def test_every_notebook_says_what_it_draws(project_root):
    registry = read_registry(project_root / "notebooks")
    names = [Path(entry["notebook"]).name for entry in registry.values()]
    assert sorted(names) == sorted(
        path.name for path in (project_root / "notebooks").glob("*.ipynb")
    )
    assert [name for name in registry if "S" not in name] == [f"fig{n:02d}" for n in range(1, 18)]


def test_every_stage_exists_and_is_watched(project_root):
    """Every stage that a rule names is a function of the module whose code the rule depends on."""
    named = 0
    for rules in (project_root / "workflow/rules").glob("*.smk"):
        for rule in re.split(r"^(?:rule|checkpoint) ", rules.read_text(), flags=re.M)[1:]:
            stage = re.search(r'stage="([\w.]+)"', rule)
            if stage is None:
                continue
            named += 1
            module, function = stage[1].rsplit(".", 1)
            assert f'stage_code("{module}")' in rule, rule.split(":")[0]
            assert callable(getattr(import_module(f"fuzzybounds.{module}"), function))
    assert named >= 8


def test_notebooks_are_stored_clean(project_root):
    for path in (project_root / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code), path
        tagged = [cell for cell in code if "parameters" in cell["metadata"].get("tags", [])]
        assert len(tagged) == 1, path


def test_every_check_of_a_log_is_an_option(project_root):
    from fuzzybounds.intake.checks import CHECKS

    config = yaml.safe_load((project_root / "config.yaml").read_text())
    schema = yaml.safe_load((project_root / "workflow/schemas/config.schema.yaml").read_text())
    options = schema["properties"]["validation"]["properties"]
    assert {check.name: check.action for check in CHECKS} == config["validation"]
    for check in CHECKS:
        kind = "action" if check.keepable else "strict"
        assert options[check.name]["$ref"] == f"#/$defs/{kind}"


def test_every_length_of_search_is_an_option(project_root):
    schema = yaml.safe_load((project_root / "workflow/schemas/config.schema.yaml").read_text())
    assert schema["properties"]["weibull"]["properties"]["search"]["enum"] == list(BUDGETS)


@pytest.fixture
def support(project_root, monkeypatch):
    monkeypatch.syspath_prepend(str(project_root / "workflow"))
    from support import datasets, expectations, sharing

    return SimpleNamespace(datasets=datasets, expectations=expectations, sharing=sharing)


def test_the_options_of_a_first_look_are_options(project_root):
    config, fast = (
        read_yaml(project_root / name) for name in ("config.yaml", "workflow/fast.yaml")
    )
    assert config["first_look"] is None
    update_config(config, fast)
    check_schema(config, read_yaml(project_root / "workflow/schemas/config.schema.yaml"), "both")
    assert config["first_look"]
    cohort = config["cohorts"]["simulated"]
    assert cohort["one_session"] + cohort["three_session"] == config["subjects"]


def test_a_figure_is_shared_if_all_its_tables_are(project_root, support):
    registry = read_registry(project_root / "notebooks")
    shared = [name for name, entry in registry.items() if support.sharing.is_shared(entry)]
    assert shared == [f"fig{n:02d}" for n in (2, 3, 4, 5, 6, 7, 9, 16, 17)] + ["figS1", "figS5"]
    assert support.sharing.folder_of("learning_reach", "lab") == "shared"
    assert support.sharing.folder_of("groups", "lab") == "lab"


def test_what_the_start_says_of_each_kind_of_data(project_root, support, tmp_path, monkeypatch):
    published = yaml.safe_load((project_root / "workflow/datasets.yaml").read_text())
    cohorts = {"sim": {"one_session": 2, "three_session": 1}}
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data/raw/lab"
    folder.mkdir(parents=True)
    (folder / "all.csv").write_text("subject,rt\nann,1\nben,2\nann,3\n")
    (folder / "odd.csv").write_bytes(b"\xff\xfe\x00")
    said = {}
    for name in ("sim", "experiment_a", "lab"):
        dataset = support.datasets.find(name, cohorts, published)
        subjects = support.expectations.subjects_of(dataset, cohorts, published)
        shards = support.expectations.shards_of(dataset, subjects, None)
        said[name] = (support.expectations.describe(dataset, subjects, published), shards)
    assert said == {
        "sim": ("3 simulated subjects", 3),
        "experiment_a": ("Experiment A (cued), 26 subjects", 26),
        "lab": ("the logs of 3 subjects in data/raw/lab", 3),
    }


def test_expected_names_are_those_of_the_cohort(support):
    dataset = support.datasets.Dataset("sim", "simulated", ())
    cohort = {"one_session": 11, "three_session": 2}
    names = support.expectations.subjects_of(dataset, {"sim": cohort}, {})
    assert names == [subject.name for subject in draw_cohort(1, "sim", **cohort)]


def test_snakemake_still_has_what_is_replaced():
    """A new version may call it otherwise; then pandas is imported at every start again."""
    from snakemake.persistence import PersistenceBase

    assert isinstance(PersistenceBase._serialize_param, property)
    assert callable(PersistenceBase._serialize_param_builtin)


@pytest.mark.workflow
def test_snakemake_looks_for_jobs_when_one_ends(tmp_path, project_root):
    """Eight jobs of a second each, one after the other: without the limit on jobs, nine looks."""
    (tmp_path / "Snakefile").write_text(
        f"import sys; sys.path.insert(0, {str(project_root / 'workflow')!r})\n"
        "from support import scheduling\n"
        "rule all:\n    input: [f'{n}.txt' for n in range(8)]\n"
        "rule one:\n    output: '{n}.txt'\n    shell: 'sleep 1; touch {output}'\n"
        "onstart:\n    scheduling.look_only_when_a_job_ends(workflow)\n"
    )
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--verbose"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert 8 <= done.stderr.count("Ready jobs:") <= 12


def test_planning_loads_neither_pandas_nor_scipy():
    code = (
        "import sys\n"
        "import fuzzybounds.figures.registry, fuzzybounds.paper.claims\n"
        "import fuzzybounds.storage.registry, fuzzybounds.storage.schemas\n"
        "print(*{'pandas', 'scipy', 'numba', 'matplotlib'} & sys.modules.keys())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
