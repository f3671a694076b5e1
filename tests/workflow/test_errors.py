"""What a user reads when something is wrong: a sentence, never a traceback."""

from __future__ import annotations

import pytest
from snakemake.utils import update_config

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.logs.retrieval import published

B = ("--config", "dataset=experiment_b", "--", "results/experiment_b/trials.parquet")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"dataset": "simulatd"}, "did you mean 'simulated'?"),
        ({"dataset": "shared"}, "a data set cannot be called 'shared'"),
        (
            {"fuzzy": {"labels": {"one_session": [7, 3]}}},
            "groups.labels: 5, but fuzzy.labels.one_session: [7, 3]",
        ),
        (
            {"datasets": {"simulated": {"seed": 3}}},
            "config.yaml, datasets.simulated: 1 problem\n  - seed: known: validation, samples",
        ),
    ],
)
def test_options_that_cannot_be_used_are_explained(project_root, monkeypatch, change, expected):
    monkeypatch.syspath_prepend(str(project_root / "workflow"))
    from options import find_dataset, for_dataset

    config = read_yaml(project_root / "config.yaml")
    update_config(config, change)
    schema = read_yaml(project_root / "workflow/schemas/config.schema.yaml")
    with pytest.raises(InputError) as error:
        find_dataset(
            for_dataset(config, schema)["dataset"], config["cohorts"], published(), "results/"
        )
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ("sead: 3\n", "sead: unknown key; did you mean 'seed'?"),
        ("seed: [1\nfuzzy: 2\n", "error: config.yaml: not a readable YAML document (line"),
    ],
)
def test_a_wrong_configuration_ends_the_run_with_its_reason(project, added, expected):
    config = project.root / "config.yaml"
    config.write_text(config.read_text() + added)
    output = project.run("--dry-run", check=False)
    assert expected in output
    assert "Traceback" not in output


def test_the_published_logs_come_from_the_mirror_whole(project, shared_data):
    project.run(*B, env={"FUZZYBOUNDS_MIRROR": str(shared_data)})
    retrieved = project.root / "data/raw/experiment_b/Canoe_B.csv"
    assert retrieved.read_bytes() == (shared_data / "Canoe_B.csv").read_bytes()
    # Once it is there, it is not fetched again for want of a mirror.
    assert project.planned(*B) == {}
