"""Every kind of result that is damaged after a run is made again by the same command."""

from __future__ import annotations

import pandas as pd
import pytest

TINY = "results/tiny/"
KINDS = {
    "log that was simulated": (f"{TINY}raw/S02.csv", "cut between rows"),
    "path that was simulated": (f"{TINY}raw/paths/T1.parquet", "edited"),
    "recorded paths": (f"{TINY}paths.parquet", "edited"),
    "truth": (f"{TINY}truth.json", "deleted"),
    "table that is also drawn on request": (f"{TINY}trials.parquet", "edited"),
    "part of a table": (f"{TINY}shards/0/samples.parquet", "edited"),
    "fits of a shard": (f"{TINY}fits/1/rules.parquet", "deleted"),
    "table": (f"{TINY}cohort_summary.csv", "cut between rows"),
    "table of all data sets": ("results/shared/example_trial.parquet", "edited"),
    "figure": (f"{TINY}figures/fig16.svg", "cut between rows"),
    "figure to be printed": (f"{TINY}figures/fig16.pdf", "deleted"),
    "figure of the report": (f"{TINY}figures/fig16.png", "cut between rows"),
    "notebook": (f"{TINY}notebooks/fig16.ipynb", "deleted"),
}


@pytest.fixture(scope="module")
def targets():
    return [f"{TINY}memberships.parquet", f"{TINY}cohort_summary.csv", f"{TINY}figures/fig16.png"]


def damage(path, how: str) -> None:
    if how == "deleted":
        path.unlink()
    elif how == "edited":
        pd.read_parquet(path).iloc[:-1].to_parquet(path, index=False)
    else:
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))


def test_whatever_is_damaged_is_made_again_and_nothing_else(copied, targets):
    wanted = copied.hashes()
    for name, how in KINDS.values():
        damage(copied.root / name, how)
    code, text = copied.fuzzybounds("show", "tiny")
    assert code == 1
    assert f"results/tiny: {len(KINDS)} damaged results" in text
    assert "fuzzybounds run tiny makes them again" in text
    assert all(f"{name}: " in text for name, _ in KINDS.values())
    code, text = copied.fuzzybounds("run", "tiny", "--only", *targets)
    assert code == 0, text
    # Papermill notes in notebooks when each cell ran.
    changed = {name for name, part in copied.hashes().items() if part != wanted.get(name)}
    assert changed == {name for name in wanted if "fig16.ipynb" in name}
    assert "tune_memberships" not in text


def test_a_result_that_no_rule_makes_any_more_is_named_with_a_remedy(copied, targets):
    noted = copied.root / TINY / ".made/old.csv.sha256"
    noted.write_text("0")
    code, text = copied.fuzzybounds("run", "tiny", "--only", *targets)
    assert code == 1
    assert "they could not be made again" in text
    noted.unlink()
    assert copied.fuzzybounds("run", "tiny", "--only", *targets)[0] == 0
