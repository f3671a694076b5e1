"""The paper's averaged rules (Fig. 14, C11) and design numbers (C16, C17) from the real logs."""

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.beyond.learners.optimum import solve
from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.logs import recordings
from fuzzybounds.logs.reading import read_published
from fuzzybounds.logs.validation import validate
from fuzzybounds.paper.fuzzy.fits import extract_rules
from fuzzybounds.paper.groups.fast_and_slow import (
    assign_groups,
    average_consequents,
    consequents_by_draw,
)
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED

PRINTED = {("fast", "S", "M"): 1.0, ("slow", "S", "M"): 0.16, ("slow", "M", "S"): 0.33}
"""Averaged consequents that the paper prints: group, label of time, label of position."""


@pytest.fixture(scope="module")
def config(project_root):
    return read_yaml(project_root / "config.yaml")


@pytest.fixture(scope="module")
def by_draw(config, shared_data):
    """Consequents of the first window with five labels, averaged over each group, by draw."""
    trials = validate(read_published(shared_data / "Canoe_A.csv")).trials
    named = {"seed": config["seed"], "dataset": "experiment_a"}
    samples = draw_points(trials, recordings.empty(), config["samples"]["draws"], **named)
    options = {**config["fuzzy"], "labels": {"one_session": [5], "three_session": [5]}}
    rules = extract_rules(trials, samples, **options)
    how = {name: value for name, value in config["groups"].items() if name != "labels"}
    groups = assign_groups(trials, blocks=options["blocks"], **how, **named).groups
    table = consequents_by_draw(
        rules, dict(zip(groups["subject"], groups["group"], strict=True)), 5
    )
    return table[table["window"] == "first"]


def cell(table: pd.DataFrame, group: str, time: str, position: str) -> pd.DataFrame:
    keys = {"group": group, "time_label": time, "position_label": position}
    return table[(table[list(keys)] == pd.Series(keys)).all(axis=1)]


@pytest.mark.parametrize(("premise", "printed"), PRINTED.items())
def test_a_printed_cell_lies_among_those_of_random_draws(by_draw, premise, printed):
    """The paper had one draw of earlier points: its cell is one of those that draws give."""
    found = cell(by_draw, *premise)["mean"]
    assert len(found) == 20
    assert found.min() - 0.01 <= printed <= found.max() + 0.01


def test_the_fast_stop_where_the_slow_continue(by_draw):
    fast, slow = (
        cell(by_draw, group, "S", "M").set_index("draw")["mean"] for group in ("fast", "slow")
    )
    assert (fast > slow).all()
    averaged = average_consequents(by_draw)
    assert cell(averaged, "fast", "S", "M")["mean"].item() > 0.7
    assert cell(averaged, "slow", "S", "M")["mean"].item() < 0.4


def test_both_groups_continue_at_once_and_stop_far_out(by_draw):
    averaged = average_consequents(by_draw)
    for group in ("fast", "slow"):
        assert cell(averaged, group, "VS", "VS")["mean"].item() < 0.1
        assert cell(averaged, group, "L", "L")["mean"].item() > 0.7


def test_the_optimum_of_the_paper_s_design_is_about_what_it_prints():
    """The paper: about 0.9 coins per second, with a boundary that falls with time."""
    best = solve(PAPER_UNCUED, "steps")
    assert round(best.reward_rate, 1) == 0.9
    (boundary,) = best.boundary()
    shown = boundary[np.isfinite(boundary)]
    assert shown[-1] < shown[0]
