"""What the published logs say, and what claim C01 and the notes on them rest on."""

from __future__ import annotations

import numpy as np
import pytest
import yaml

from fuzzybounds.canoe.paths import locate
from fuzzybounds.canoe.task import BLOCK, DEADLINE
from fuzzybounds.logs.design_check import check_design
from fuzzybounds.logs.reading import read_published
from fuzzybounds.logs.retrieval import verify
from fuzzybounds.logs.validation import validate

FILES = {"A": "Canoe_A.csv", "B": "Canoe_B.csv"}
CUE = {"A": 0.0, "B": 1.0}
"""Seconds by which totals are too long: Experiment B had no cues, but its log counts their time."""


@pytest.fixture(scope="module")
def raw(shared_data):
    return {name: read_published(shared_data / file) for name, file in FILES.items()}


@pytest.fixture(scope="module")
def validated(raw):
    return {name: validate(table) for name, table in raw.items()}


@pytest.fixture(scope="module")
def design(validated):
    tables = {name: check_design(result.trials) for name, result in validated.items()}

    def value(name, quantity, condition=""):
        table = tables[name]
        chosen = (table["quantity"] == quantity) & (table["condition"] == condition)
        (row,) = table[chosen & (table["subject"] == "")].itertuples()
        return row

    return value


@pytest.fixture(scope="module")
def blocks(raw, validated):
    """One row per block: how long it lasted, missed deadlines, time of repeated rows."""

    def of(name, cue):
        trials = validated[name].trials
        total = trials["total"] - cue
        repeated = raw[name].drop(columns=["file", "row"]).duplicated().to_numpy()
        table = trials.assign(
            total=total, missed=~trials["responded"], repeated=total.where(repeated, 0.0)
        )
        by_block = table.groupby(["subject", "block"], sort=False)
        sums = by_block[["total", "missed", "repeated"]].sum()
        return sums.assign(before_last=sums["total"] - by_block["total"].last())

    return of


def share_of_a_minute(blocks):
    """Share of the blocks that end with the trial that runs when their minute is over."""
    return ((blocks["before_last"] < BLOCK) & (blocks["total"] > BLOCK - 0.5)).mean()


@pytest.mark.parametrize("name", FILES)
def test_the_manifest_describes_the_files(project_root, shared_data, name):
    manifest = yaml.safe_load((project_root / "src/fuzzybounds/logs/published.yaml").read_text())
    entry = manifest[f"experiment_{name.lower()}"]
    assert entry["file"] == FILES[name]
    verify(shared_data / FILES[name], sha256=entry["sha256"], size=entry["size"])
    assert (shared_data / FILES[name]).stat().st_size == entry["size"]


WARTS = ("off_lattice", "missed_deadline", "missed_without_wait", "repeated_row")


@pytest.mark.parametrize(("name", "expected"), [("A", (18, 48, 48, 14)), ("B", (164, 24, 24, 14))])
def test_every_wart_is_counted_and_there_are_no_others(validated, name, expected):
    counts = validated[name].counts.set_index("check")["rows"]
    assert counts[counts > 0].to_dict() == dict(zip(WARTS, expected, strict=True))
    assert len(validated[name].exclusions) == expected[0]


class TestBlocks:
    def test_those_of_a_last_a_minute_and_end_with_the_running_trial(self, blocks):
        assert share_of_a_minute(blocks("A", cue=0.0)) > 0.94
        assert blocks("A", cue=0.0)["total"].min() > BLOCK - 2

    def test_those_of_b_do_so_only_without_the_time_of_a_cue(self, blocks):
        """B's totals have 4.05 s per trial like A's, but its blocks hold more trials than that."""
        assert share_of_a_minute(blocks("B", cue=1.0)) > 0.94
        for cue in (0.0, 0.5, 1.5):
            assert share_of_a_minute(blocks("B", cue)) < 0.5

    @pytest.mark.parametrize(("name", "too_short"), [("A", 34), ("B", 19)])
    def test_those_with_a_missed_deadline_last_their_minute_only_with_it(
        self, blocks, name, too_short
    ):
        table = blocks(name, CUE[name])
        missed = table["missed"] > 0
        shortest = table.loc[~missed, "total"].min()
        assert shortest == pytest.approx(BLOCK, abs=2)
        assert (table.loc[missed, "total"] >= shortest).all()
        without = (table["total"] - DEADLINE * table["missed"])[missed]
        assert (without < shortest).sum() == too_short
        assert too_short / missed.sum() > 0.7

    @pytest.mark.parametrize(("name", "needed"), [("A", 10), ("B", 9)])
    def test_most_repeated_rows_are_needed_to_fill_theirs(self, blocks, name, needed):
        table = blocks(name, CUE[name])
        repeated = table["repeated"] > 0
        assert repeated.sum() == 14
        shortest = table.loc[~repeated, "total"].min()
        without = (table["total"] - table["repeated"])[repeated]
        assert (without < shortest).sum() == needed


class TestKinematics:
    def test_nearly_all_responses_of_a_lie_on_the_lattice(self, validated, design):
        share = design("A", "share_on_lattice")
        assert share.low > 0.99
        trials = validated["A"].trials
        responded = trials[trials["responded"]]
        fits = locate(responded["rt"], responded["position"]).fits
        assert (~fits).sum() == 18
        # To within one frame, not just the tolerance.
        residual = locate(responded["rt"], responded["position"]).residual
        assert (np.abs(residual) <= 1.5).mean() > 0.99

    def test_a_wrong_speed_would_not_fit(self, validated):
        trials = validated["A"].trials[lambda table: table["responded"]]
        for factor in (0.97, 1.03):
            assert locate(trials["rt"] * factor, trials["position"]).fits.mean() < 0.7


class TestP0:
    """C01: P0 is 0.65 on easy and 0.51 on hard trials."""

    @pytest.mark.parametrize("condition", ["easy", "hard"])
    def test_that_of_a_is_the_design_s(self, design, condition):
        row = design("A", "p0", condition)
        assert row.low <= row.expected <= row.high
        assert row.high - row.low < 0.015

    def test_that_of_b_is_not_on_easy_trials(self, design):
        easy = design("B", "p0", "easy")
        assert easy.low > 0.73
        assert easy.value == pytest.approx(0.74, abs=0.01)
        hard = design("B", "p0", "hard")
        assert hard.low <= 0.51 <= hard.high

    def test_completed_steps_alone_would_miss_it(self, design):
        row = design("A", "p0_completed_steps", "easy")
        assert row.high < 0.65


@pytest.mark.parametrize("name", FILES)
def test_payoffs_and_penalties_are_the_design_s(design, name):
    for condition in ("easy", "hard"):
        for outcome in ("correct", "incorrect"):
            reward = design(name, f"reward_{outcome}", condition)
            assert reward.low == reward.high == reward.expected
            wait = design(name, f"time_besides_decision_{outcome}_s", condition)
            assert wait.value == pytest.approx(wait.expected, abs=1e-3)
            assert wait.high - wait.low < 0.002
