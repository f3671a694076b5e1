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


@pytest.mark.parametrize("path", ["../secret.csv", "/etc/secret.csv", "a/../../a.csv", "a.csv\n"])
def test_no_table_of_a_figure_leads_outside(path):
    figure = {"title": "A figure", "label": "fig", "tables": [path]}
    with pytest.raises(InputError, match="expected one of"):
        check(figure, FIGURE, "a notebook")


@pytest.mark.parametrize("name", ["../etc", "/etc", "a/b", "..", ".", "", "a\n", "a b", "-x"])
def test_no_name_of_a_data_set_leads_outside(project_root, name):
    schema = read_yaml(project_root / "workflow/schemas/config.schema.yaml")
    config = read_yaml(project_root / "config.yaml")
    tiny = {"one_session": 1, "three_session": 0}
    for change in ({"dataset": name}, {"cohorts": {name: tiny}}):
        with pytest.raises(InputError, match="does not match"):
            check({**config, **change}, schema, "config.yaml")
