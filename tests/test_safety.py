"""Data files are data: nothing in them runs, and nothing in them leads out of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzybounds.core.documents import check, read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.report.registry import SCHEMA as FIGURE


def test_yaml_makes_no_objects(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("!!python/object/apply:os.system ['touch made']")
    with pytest.raises(InputError, match="not a readable YAML document"):
        read_yaml(path)
    assert not Path("made").exists()


@pytest.mark.parametrize("text", ["&a [*a]", "a: &a {b: *a}"])
def test_a_document_that_holds_itself_is_refused(tmp_path, text):
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(InputError, match="endlessly nested"):
        read_yaml(tmp_path / "a.yaml")


def test_a_few_lines_cannot_stand_for_billions(tmp_path):
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 20)}]" for n in range(1, 12)]
    (tmp_path / "a.yaml").write_text("\n".join(["a0: &a0 [1]", *lines]))
    with pytest.raises(InputError, match="220 aliases; expected at most 20: write them out"):
        read_yaml(tmp_path / "a.yaml")


@pytest.fixture(scope="module")
def schemas(project_root):
    folder = project_root / "workflow/schemas"
    return {name: read_yaml(folder / f"{name}.schema.yaml") for name in ("datasets", "config")}


@pytest.fixture
def documents(project_root):
    datasets = read_yaml(project_root / "src/fuzzybounds/logs/published.yaml")
    return {"datasets": datasets, "config": read_yaml(project_root / "config.yaml")}


@pytest.mark.parametrize("path", ["../secret.csv", "/etc/secret.csv", "a/../../a.csv", "a.csv\n"])
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
