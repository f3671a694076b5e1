"""The scorecard: every claim is in the registry and the code, and can fail."""

import numpy as np
import pandas as pd
import pytest
import yaml

from fuzzybounds.paper import claims
from fuzzybounds.paper.claims import DIRECTION, NOT, REPRODUCED, UNTESTABLE


@pytest.fixture(scope="module")
def registry(project_root):
    return yaml.safe_load((project_root / "workflow/claims.yaml").read_text())


def test_registry_and_code_know_the_same_claims(registry):
    assert list(registry) == list(claims.CLAIMS)
    for entry in registry.values():
        assert set(entry) == {"claim", "where", "printed", "tolerance", "tables", "about"}


@pytest.mark.parametrize("name", ["C05", "C06", "C07", "C08"])
def test_the_worked_example_holds(registry, name):
    assert claims.CLAIMS[name]({}, registry[name]["printed"]).verdict == REPRODUCED


@pytest.mark.parametrize(("name", "number"), [("C06", "short"), ("C07", "certainty")])
def test_another_printed_number_would_not_be_reproduced(registry, name, number):
    printed = {**registry[name]["printed"], number: registry[name]["printed"][number] + 0.05}
    assert claims.CLAIMS[name]({}, printed).verdict == NOT


def groups_table(fast, slow):
    return pd.DataFrame({"group": ["fast"] * fast + ["slow"] * slow + ["middle"] * 13})


@pytest.mark.parametrize(("sizes", "verdict"), [((7, 6), REPRODUCED), ((7, 7), NOT)])
def test_group_sizes_are_exact(registry, sizes, verdict):
    tables = {"groups": groups_table(*sizes)}
    assert claims.CLAIMS["C09"](tables, registry["C09"]["printed"]).verdict == verdict


def table_of_tests(p_fast, p_slow, fast=17.0, slow=-23.0):
    rows = [
        ("slow_vs_fast_first", "student_t", 1e-6, 118.0),
        ("slow_vs_fast_last", "student_t", 0.002, 78.0),
        ("slow_vs_fast_first", "permutation", 1e-3, 118.0),
        ("slow_vs_fast_last", "permutation", 0.002, 78.0),
        ("fast_last_vs_first", "student_t", p_fast, fast),
        ("slow_last_vs_first", "student_t", p_slow, slow),
    ]
    return pd.DataFrame(rows, columns=["comparison", "test", "p", "mean_difference"])


@pytest.mark.parametrize(
    ("table", "verdict"),
    [
        (table_of_tests(0.1852, 0.2954), REPRODUCED),
        (table_of_tests(0.10, 0.2954), DIRECTION),
        (table_of_tests(0.1852, 0.2954, slow=4.0), NOT),
    ],
)
def test_p_values_are_held_to_their_digits_and_signs(registry, table, verdict):
    assert (
        claims.CLAIMS["C14"]({"group_tests": table}, registry["C14"]["printed"]).verdict == verdict
    )


def consequents_table(fast, slow, other, sd=0.05):
    rows = [
        ("fast", "first", "S", "M", fast),
        ("slow", "first", "S", "M", slow),
        ("slow", "first", "M", "S", other),
    ]
    columns = ["group", "window", "time_label", "position_label", "mean"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(sd_over_draws=sd, n_subjects=6.0, first_draw=frame["mean"])


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [((0.95, 0.2, 0.3), REPRODUCED), ((0.6, 0.3, 0.6), DIRECTION), ((0.2, 0.9, 0.3), NOT)],
)
def test_key_cells_are_held_to_the_spread_over_draws(registry, cells, verdict):
    tables = {"consequents": consequents_table(*cells)}
    assert claims.CLAIMS["C11"](tables, registry["C11"]["printed"]).verdict == verdict


def corner(slow_change, fast_change):
    names = ["VS", "S", "M"]
    rows = [
        (group, window, time, position, 0.5 + (change if window == "last" else 0.0))
        for group, change in (("slow", slow_change), ("fast", fast_change))
        for window in ("first", "last")
        for time in names
        for position in names
    ]
    columns = ["group", "window", "time_label", "position_label", "mean"]
    return {"consequents": pd.DataFrame(rows, columns=columns)}


@pytest.mark.parametrize(
    ("changes", "verdict"), [((0.1, -0.1), REPRODUCED), ((-0.1, -0.1), NOT), ((0.1, 0.1), NOT)]
)
def test_the_lower_left_corner_must_rise_and_fall(changes, verdict):
    assert claims.CLAIMS["C12"](corner(*changes), {}).verdict == verdict


def test_one_cell_the_wrong_way_leaves_the_direction():
    tables = corner(0.1, -0.1)
    table = tables["consequents"]
    wrong = (table["group"] == "slow") & (table["window"] == "last")
    wrong &= (table["time_label"] == "S") & (table["position_label"] == "S")
    table.loc[wrong, "mean"] = 0.3
    assert claims.CLAIMS["C12"](tables, {}).verdict == DIRECTION


@pytest.mark.parametrize(
    ("dataset", "kind", "verdict"),
    [
        ("experiment_a", "published", REPRODUCED),
        ("simulated", "simulated", UNTESTABLE),
        ("experiment_b", "published", UNTESTABLE),
    ],
)
def test_only_the_right_data_set_gives_a_verdict(registry, dataset, kind, verdict):
    tables = {"groups": groups_table(7, 6)}
    (row,) = claims.score({"C09": registry["C09"]}, tables, dataset, kind).itertuples()
    assert row.verdict == verdict
    assert row.ours == "7 fast, 6 slow"


def test_text_has_every_claim(registry):
    scores = claims.score({name: registry[name] for name in ("C06", "C07")}, {}, "any", "own")
    text = claims.as_text(scores)
    assert "C06  REPRODUCED" in text
    assert "C07  REPRODUCED" in text
    assert max(map(len, text.splitlines())) <= 100
    assert np.all([len(line) for line in text.splitlines()])
