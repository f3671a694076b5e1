"""What a user reads when something is wrong: a sentence, never a traceback."""

from __future__ import annotations

import pytest

HEADER = "subject,block,trial,rt,condition,correct,position\n"
B = ("--config", "dataset=experiment_b", "--", "results/experiment_b/design_check.csv")
GOOD = "ann,1,1,1.0,easy,1,90\nann,1,2,0.5,hard,0,-45\n"


def edit_manifest(project, old: str, new: str) -> None:
    manifest = project.root / "src/fuzzybounds/logs/published.yaml"
    text = manifest.read_text()
    assert old in text
    manifest.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sead": 3}, "sead: unknown key; did you mean 'seed'?"),
        ({"dataset": "simulatd"}, "did you mean 'simulated'?"),
        ({"dataset": "../etc"}, "dataset: '../etc' does not match"),
        (
            {"fuzzy": {"labels": {"one_session": [7, 3], "three_session": [3]}}},
            "groups.labels: 5, but fuzzy.labels.one_session: [7, 3]",
        ),
        (
            {"datasets": {"tiny": {"seed": 3}}},
            "config.yaml, datasets.tiny: 1 problem\n  - seed: known: validation, samples, fuzzy",
        ),
        (
            {"datasets": {"tiny": {"fuzzy": {"penalti": 3}}}},
            "options of tiny: 1 problem\n  - fuzzy.penalti: unknown key; did you mean 'penalty'?",
        ),
    ],
)
def test_a_wrong_configuration_is_explained(project, change, said):
    project.configure(**change)
    output = project.run("--dry-run", check=False)
    assert said in output
    assert "Traceback" not in output


def test_a_broken_configuration_has_a_line_number(project):
    (project.root / "config.yaml").write_text("dataset: tiny\nseed: [1\nfuzzy: 2\n")
    output = project.run("--dry-run", check=False)
    assert "error: config.yaml: not a readable YAML document (line 3, column 6" in output
    assert "Traceback" not in output


def test_no_network_and_no_mirror_names_both_ways_out(project):
    edit_manifest(project, "https://raw.githubusercontent.com", "http://127.0.0.1:9")
    output = project.run(
        "--config", "dataset=experiment_a", "--", "results/experiment_a/trials.parquet", check=False
    )
    assert "Canoe_A.csv: cannot be downloaded" in output
    assert "either connect to the network" in output
    assert "FUZZYBOUNDS_MIRROR" in output
    assert "Traceback" not in output
    assert not list((project.root / "data").rglob("*.csv"))


def test_a_corrupt_mirror_is_refused_with_both_hashes(project, tmp_path):
    (tmp_path / "Canoe_A.csv").write_text("1,1,1,5.05,20,1,1,90\n")
    output = project.run(
        "--config",
        "dataset=experiment_a",
        "--",
        "results/experiment_a/trials.parquet",
        check=False,
        env={"FUZZYBOUNDS_MIRROR": str(tmp_path)},
    )
    assert "expected a1fe9e70ac05d9f293d12543cbafe4746bb99c1b3e62c3162db6f5908c2b13bc" in output
    assert "21 bytes; expected 275776" in output
    assert not list((project.root / "data").rglob("*.csv"))


def test_the_published_logs_come_from_the_mirror_whole(project, shared_data):
    project.run(*B, env={"FUZZYBOUNDS_MIRROR": str(shared_data)})
    retrieved = project.root / "data/raw/experiment_b/Canoe_B.csv"
    assert retrieved.read_bytes() == (shared_data / "Canoe_B.csv").read_bytes()
    # Once it is there, it is not fetched again for want of a mirror.
    assert project.planned(*B) == {}


def test_every_bad_row_of_a_log_is_named_and_nothing_is_written(project):
    folder = project.root / "data/raw/my_lab"
    folder.mkdir(parents=True)
    bad = "ann,1,3,-1,easy,1,90\nann,1,4,1.0,medium,1,90\nann,1,4,1.0,easy,1,900\n"
    (folder / "ann.csv").write_text(HEADER + GOOD + bad)
    project.configure(dataset="my_lab")
    output = project.run("results/my_lab/trials.parquet", check=False)
    for line in (
        "time_out_of_range: 1 row, column rt; expected 0 to 15 s; first: ann.csv row 4 ('-1')",
        "unknown_condition: 1 row, column condition; expected easy or hard (1 or 2); first: ann",
        "off_screen: 1 row, column position; expected -420 to 420 px; first: ann.csv row 6 ('900')",
        "repeated_trial: 1 row, column trial; expected one row per trial",
    ):
        assert line in output
    assert "Traceback" not in output
    assert not (project.root / "results/my_lab/trials.parquet").exists()
