"""Data files are data: nothing in them runs, and nothing in them leads out of the project."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from fuzzybounds.figures.registry import SCHEMA as FIGURE
from fuzzybounds.intake import retrieval
from fuzzybounds.storage.errors import InputError
from fuzzybounds.storage.schemas import LARGEST, check, read_yaml

FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "joblib", "shelve", "marshal", "cloudpickle"}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_METHODS = {
    *("read_pickle", "to_pickle", "full_load", "unsafe_load", "load_all", "full_load_all"),
    *("unsafe_load_all", "eval", "read_hdf"),
}
SAFE_LOADERS = {"SafeLoader", "CSafeLoader", "loader"}


def sources(root: Path) -> list[Path]:
    """Every Python file of the project that is no test, with the cells of its notebooks."""
    folders = [root / name for name in ("src", "workflow", "docs", "benchmarks", "notebooks")]
    files = [path for folder in folders for path in folder.rglob("*")]
    return [path for path in files if path.suffix in (".py", ".smk", ".ipynb")] + [
        root / "Snakefile"
    ]


def python_of(path: Path) -> str:
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text())["cells"]
        return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    return path.read_text()


def offences(text: str) -> list[str]:
    """What in a piece of Python could run what stands in a data file."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "").split(".")[0]]
        else:
            names = []
        found += sorted(FORBIDDEN_MODULES.intersection(names))
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            found.append(node.func.id)
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            owner = getattr(node.func.value, "id", "")
            if name in FORBIDDEN_METHODS:
                found.append(name)
            if owner == "yaml" and name == "load":
                loaders = [k.value for k in node.keywords if k.arg == "Loader"]
                last = getattr(loaders[0], "attr", getattr(loaders[0], "id", "")) if loaders else ""
                found += [] if last in SAFE_LOADERS else ["yaml.load"]
            if any(k.arg == "allow_pickle" for k in node.keywords):
                found.append("allow_pickle")
    return found


@pytest.mark.parametrize(
    ("text", "offence"),
    [
        ("import pickle", "pickle"),
        ("from joblib import load", "joblib"),
        ("eval(text)", "eval"),
        ("import yaml\nyaml.load(text, Loader=yaml.FullLoader)", "yaml.load"),
        ("import yaml\nyaml.load(text)", "yaml.load"),
        ("import numpy as np\nnp.load(path, allow_pickle=True)", "allow_pickle"),
        ("frame.eval(text)", "eval"),
    ],
)
def test_the_test_sees_what_it_looks_for(text, offence):
    assert offences(text) == [offence]


def test_nothing_in_a_data_file_can_run(project_root):
    looked_at = [path for path in sources(project_root) if path.suffix in (".py", ".ipynb")]
    assert len(looked_at) > 100
    for path in looked_at:
        assert offences(python_of(path)) == [], path


def test_rules_load_yaml_through_the_library(project_root):
    for path in sources(project_root):
        if path.suffix == ".smk" or path.name == "Snakefile":
            text = path.read_text()
            assert "yaml.load" not in text
            assert "pickle" not in text
            assert "eval(" not in text


def test_yaml_makes_no_objects(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("!!python/object/apply:os.system ['touch made']")
    with pytest.raises(InputError, match="not a readable YAML document"):
        read_yaml(path)
    assert not Path("made").exists()


@pytest.mark.parametrize("text", ["&a [*a]", "a: &a {b: *a}"])
def test_a_document_that_holds_itself_is_refused(tmp_path, text):
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(InputError, match=f"more than {LARGEST} values"):
        read_yaml(tmp_path / "a.yaml")


def test_a_few_lines_cannot_stand_for_billions(tmp_path):
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    (tmp_path / "a.yaml").write_text("\n".join(lines))
    with pytest.raises(InputError, match=f"more than {LARGEST} values"):
        read_yaml(tmp_path / "a.yaml")


def test_a_few_lines_of_merge_keys_cannot_stand_for_billions(tmp_path):
    lines = ["a0: &a0 {a: 1, b: 2}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 20)}]}}" for n in range(1, 12)]
    (tmp_path / "a.yaml").write_text("\n".join(lines))
    with pytest.raises(InputError, match=f"more than {LARGEST} keys with those of << written out"):
        read_yaml(tmp_path / "a.yaml")


@pytest.fixture(scope="module")
def schemas(project_root):
    folder = project_root / "workflow/schemas"
    return {name: read_yaml(folder / f"{name}.schema.yaml") for name in ("datasets", "config")}


@pytest.fixture
def documents(project_root):
    datasets = read_yaml(project_root / "workflow/datasets.yaml")
    return {"datasets": datasets, "config": read_yaml(project_root / "config.yaml")}


@pytest.mark.parametrize("name", ["datasets", "config"])
def test_the_documents_of_the_project_pass(schemas, documents, name):
    check(documents[name], schemas[name], name)


ESCAPES = (
    "../secret.csv",
    "/etc/secret.csv",
    "a/../../secret.csv",
    "..",
    "a.csv\n",
    "\\\\host\\a.csv",
)


@pytest.mark.parametrize("path", ESCAPES)
def test_no_path_of_a_registry_leads_outside(schemas, documents, path):
    documents["datasets"]["experiment_a"]["file"] = path
    with pytest.raises(InputError, match="does not match"):
        check(documents["datasets"], schemas["datasets"], "datasets.yaml")
    figure = {"title": "A figure", "label": "fig", "tables": [path]}
    with pytest.raises(InputError, match="expected one of"):
        check(figure, FIGURE, "a notebook")


@pytest.mark.parametrize("name", ["../etc", "/etc", "a/b", "..", ".", "", "a\n", "a b", "-x"])
def test_no_name_of_a_data_set_leads_outside(schemas, documents, name):
    tiny = {"one_session": 1, "three_session": 0}
    for change in ({"dataset": name}, {"cohorts": {name: tiny}}):
        with pytest.raises(InputError, match="does not match"):
            check({**documents["config"], **change}, schemas["config"], "config.yaml")
    entry = documents["datasets"]["experiment_a"]
    with pytest.raises(InputError, match="does not match"):
        check({name: entry}, schemas["datasets"], "datasets.yaml")


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (("samples", "draws"), 20.0, "expected integer"),
        (("samples", "draws"), True, "expected integer"),
        (("fuzzy", "penalty"), float("nan"), "expected a finite number"),
        (("fuzzy", "penalty"), float("inf"), "expected a finite number"),
        (("learning", "rule_base"), {"L": "CCS\n"}, "does not match"),
    ],
)
def test_numbers_are_what_they_look_like(schemas, documents, where, value, said):
    section, option = where
    documents["config"][section][option] = value
    with pytest.raises(InputError, match=said):
        check(documents["config"], schemas["config"], "config.yaml")


def test_a_mirror_is_a_folder_of_files_not_of_links_elsewhere(tmp_path):
    """Whatever the mirror holds under the name, only the published bytes are taken over."""
    (tmp_path / "mirror").mkdir()
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "mirror/Canoe_A.csv").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match="not the published file"):
        retrieval.retrieve(
            "Canoe_A.csv",
            url="https://example.org",
            sha256="0" * 64,
            size=1,
            mirror=str(tmp_path / "mirror"),
            destination=tmp_path / "data/Canoe_A.csv",
        )
    assert not (tmp_path / "data/Canoe_A.csv").exists()


def test_a_log_named_like_an_option_is_a_file(tmp_path):
    """A file name is handed over as it is, never to a shell."""
    log = tmp_path / "$(touch made).csv"
    log.write_text("subject\n")
    code = f"import sys, fuzzybounds.cli as c; sys.exit(c.main(['validate', {str(log)!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "made").exists()
