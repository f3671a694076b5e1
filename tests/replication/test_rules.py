"""The paper's averaged rules (Fig. 14, C11) and design numbers (C16, C17) from the real logs."""

import pandas as pd
import pytest

from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.logs import recordings
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.fuzzy.subject_fits import extract_rules
from fuzzybounds.paper.groups.fast_and_slow import (
    assign_groups,
    average_consequents,
    average_rules,
    consequents_by_draw,
)
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships
from fuzzybounds.paper.reinforcement.policy_value import rate_of

PRINTED = {("fast", "S", "M"): 1.0, ("slow", "S", "M"): 0.16, ("slow", "M", "S"): 0.33}
"""Averaged consequents that the paper prints: group, label of time, label of position."""


@pytest.fixture(scope="module")
def config(project_root):
    return read_yaml(project_root / "config.yaml")


@pytest.fixture(scope="module")
def named(config):
    """What names the random numbers."""
    return {"seed": config["seed"], "dataset": "experiment_a"}


@pytest.fixture(scope="module")
def samples(trials, config, named):
    return draw_points(trials, recordings.empty(), config["samples"]["draws"], **named)


@pytest.fixture(scope="module")
def options(config):
    return {**config["fuzzy"], "labels": {"one_session": [5], "three_session": [5]}}


@pytest.fixture(scope="module")
def groups(trials, config, named):
    how = {name: value for name, value in config["groups"].items() if name != "labels"}
    return assign_groups(trials, blocks=config["fuzzy"]["blocks"], **how, **named).groups


@pytest.fixture(scope="module")
def by_draw(trials, samples, options, groups):
    """Consequents of the first window with five labels, averaged over each group, by draw."""
    chosen = {name: value for name, value in options.items() if name != "penalty"}
    rules = extract_rules(trials, samples, **chosen)
    table = consequents_by_draw(
        rules, dict(zip(groups["subject"], groups["group"], strict=True)), 5
    )
    return table[table["window"] == "first"]


@pytest.fixture(scope="module")
def averaged(trials, samples, options, groups, fit_subjects):
    """The whole way from the log to Figs. 13 and 14, with four draws."""
    chosen = groups.loc[groups["group"] != "middle", "subject"]
    few = samples[(samples["draw"] <= 4) & samples["subject"].isin(chosen)]
    fitted = fit_subjects(trials[trials["subject"].isin(chosen)], few, **options)
    return average_rules(groups, *fitted, labels=5)


def cell(table: pd.DataFrame, group: str, time: str, position: str) -> pd.DataFrame:
    keys = {"group": group, "time_label": time, "position_label": position}
    return table[(table[list(keys)] == pd.Series(keys)).all(axis=1)]


@pytest.mark.parametrize(("premise", "printed"), PRINTED.items())
def test_a_printed_cell_lies_among_those_of_random_draws(by_draw, premise, printed):
    """The paper had one draw of earlier points: its cell is one of those that draws give."""
    means = cell(by_draw, *premise)["mean"]
    assert len(means) == 20
    assert means.min() - 0.01 <= printed <= means.max() + 0.01


def test_the_fast_stop_where_the_slow_continue(by_draw):
    fast, slow = (
        cell(by_draw, group, "S", "M").set_index("draw")["mean"] for group in ("fast", "slow")
    )
    assert (fast > slow).all()
    averaged = average_consequents(by_draw)
    assert cell(averaged, "fast", "S", "M")["mean"].item() > 0.7
    assert cell(averaged, "slow", "S", "M")["mean"].item() < 0.4


def test_the_output_of_the_fast_is_larger_than_that_of_the_slow(averaged):
    """C10: in both windows; the slow group's least output is about 0 in the first."""
    output = averaged.outputs.groupby(["window", "group"])["output"].agg(["mean", "min"])
    for window in ("first", "last"):
        assert output.loc[(window, "fast"), "mean"] > output.loc[(window, "slow"), "mean"] + 0.03
    assert output.loc[("first", "slow"), "min"] < 0.05
    counts = averaged.outputs.groupby("group")["n_subjects"].unique()
    assert {name: n.tolist() for name, n in counts.items()} == {"fast": [7], "slow": [6]}


def test_the_fast_stop_earlier_where_labels_are_small_or_medium(averaged):
    """The text of Fig. 14 sees the main difference where time and position are S or M.

    The difference is there in all four cells; in ours it is as large where time is VS.
    """
    first = averaged.consequents[averaged.consequents["window"] == "first"]
    wide = first.pivot_table("mean", ["time_label", "position_label"], "group")
    gap = wide["fast"] - wide["slow"]
    assert (gap[[(t, p) for t in ("S", "M") for p in ("S", "M")]] > 0.1).all()
    assert gap["VS", "M"] > 0.5


def test_the_initial_rules_of_figure_17_earn_what_it_shows(config):
    """C16: about -0.2 coins per second before anything is learnt."""
    learning = config["learning"]
    memberships = paper_memberships(len(learning["rule_base"]))
    start = Controller(memberships, memberships, RuleBase.from_table(learning["rule_base"]))
    decisions = Decisions(learning["o"], learning["frames"])
    assert rate_of(start, decisions, PAPER_UNCUED) == pytest.approx(-0.2, abs=0.05)
