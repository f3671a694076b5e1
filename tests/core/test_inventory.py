"""What was made is noted by its hash, and whatever is then lost, cut or edited is named."""

from __future__ import annotations

import os
from importlib import import_module
from types import SimpleNamespace

import pytest

from fuzzybounds.core import inventory
from fuzzybounds.core.errors import InputError

LAB, VARIANT = "results/lab", "results/variants/quick/lab"
MADE = ("groups.csv", "figures/fig01.png")
BESIDE = ("shared/controls.csv", "article/article.pdf")


@pytest.fixture(params=[LAB, VARIANT])
def folder(request, tmp_path, monkeypatch):
    """Results of a data set, and those beside it, as a job has noted them."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / request.param
    for path in (*(folder / name for name in MADE), *(folder.parent / name for name in BESIDE)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a\n1\n2\n")
        inventory.record([str(path.relative_to(tmp_path)), "data/raw/lab/7.csv"])
    return folder.relative_to(tmp_path)


@pytest.mark.parametrize("name", [*MADE, *BESIDE])
def test_a_result_that_is_not_as_it_was_made_is_named(folder, name):
    path = (folder.parent if name in BESIDE else folder) / name
    assert inventory.damage(folder) == {}
    whole = path.read_text()
    for content, reason in (("a\n1\n", "changed since it was made"), (None, "missing")):
        path.unlink() if content is None else path.write_text(content)
        assert inventory.damage(folder) == {path: reason}
        with pytest.raises(InputError) as error:
            inventory.refuse([str(path), "data/raw/lab/7.csv"])
        assert error.value.problems[0] == f"{path}: {reason}"
    path.write_text(whole)
    # What no job has noted is not judged.
    inventory.refuse([str(path), str(folder / "unknown.csv")])


def test_the_command_that_makes_results_again(folder):
    command = inventory.run_command(folder)
    assert command == "fuzzybounds run lab" + " --variant quick" * ("quick" in str(folder))
    for beside in (inventory.SHARED, inventory.ARTICLE):
        anything = inventory.run_command(folder.with_name(beside))
        assert anything == command.replace(" lab", "")


def test_a_result_whose_job_failed_is_made_again(folder, project_root, monkeypatch):
    """Snakemake removes the outputs of a failed job, and keeps what was made from them before."""
    monkeypatch.syspath_prepend(project_root / "workflow/scripts")
    path = folder / "groups.csv"
    job = SimpleNamespace(log=["log"], input=[], output=[str(path)])
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    path.unlink()
    with pytest.raises(SystemExit), import_module("job").work(job):
        raise InputError("no such file")
    assert inventory.damage(folder) == {path: "missing"}
