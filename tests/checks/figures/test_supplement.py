"""Supplementary figures on small made-up tables: each shows what the tables hold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.checks.figures import figS1_recovery as recovery
from fuzzybounds.checks.figures import figS6_after_errors as after_errors
from fuzzybounds.checks.figures import figS7_stopping_comparison as stopping_comparison
from fuzzybounds.checks.figures import figS8_stopping_checks as stopping_checks
from fuzzybounds.checks.figures import figS9_regression_to_mean as regression_to_mean
from fuzzybounds.checks.figures import figS10_rule_recovery as rule_recovery
from fuzzybounds.checks.figures import figS11_rules_or_boundary as rules_or_boundary
from fuzzybounds.checks.figures import figS12_boundary_and_errors as boundary_and_errors
from fuzzybounds.checks.figures import figS13_direction as direction
from fuzzybounds.checks.figures import figS14_stopping_surface as stopping_surface
from fuzzybounds.checks.figures import figS15_rule_posterior as rule_posterior
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.fuzzy.membership import labels
from fuzzybounds.stopping.catalogue import CATALOGUE

pytestmark = pytest.mark.usefixtures("closed")
DATASET = {"kind": "simulated", "title": "Test"}


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_centres_and_losses_are_those_of_the_tables():
    centers = pd.DataFrame(product(("time", "position"), labels(3)), columns=["variable", "label"])
    centers = centers.assign(labels=3, center_bias=0.1, center_sd=0.05)
    losses = pd.DataFrame({"subject": ["a", "b"], "labels": 3, "true_loss": 0.5})
    losses = losses.assign(loss_before=[0.9, 1.0], loss_after=[0.4, 0.5])
    left, right = recovery.draw(centers, losses, n_labels=3).axes
    assert [list(part.lines[0].get_ydata()) for part in left.containers] == [[0.1] * 3] * 2
    medians = [line.get_ydata()[0] for line in right.lines if line.get_color() == "#D55E00"]
    assert medians == pytest.approx([0.95, 0.45, 0.5])


def test_changes_after_errors_are_drawn_beside_those_after_permuted_errors():
    table = pd.DataFrame(
        product(("rt", "distance"), ("any", "easy", "hard"), ("regression", "difference")),
        columns=["quantity", "previous", "measure"],
    )
    table = table.assign(subjects=7, change=0.4, low=0.1, high=0.7)
    table = table.assign(permuted=0.0, permuted_low=-0.2, permuted_high=0.2)
    table.loc[table["previous"] == "hard", ["subjects", "change"]] = (9, 0.3)
    for axes in after_errors.draw(table, DATASET).axes:
        ticks = [tick.get_text() for tick in axes.get_yticklabels()]
        assert ticks == ["easy error\n(7 subjects)", "hard error\n(9 subjects)"]
        logged, permuted = axes.containers
        assert list(logged.lines[0].get_xdata()) == [0.4, 0.3]
        (bars,) = permuted.lines[2]
        assert bars.get_segments()[0][:, 0] == pytest.approx([-0.2, 0.2])
    left, right = after_errors.draw(table[table["quantity"] == "rt"], DATASET).axes
    assert (texts(left), texts(right)) == ([], ["insufficient data"])
    nobody = TABLES["post_error"].empty()
    assert all(
        texts(axes) == ["insufficient data"] for axes in after_errors.draw(nobody, DATASET).axes
    )


def changes(value: float) -> pd.DataFrame:
    rows = [
        (*contrast, group, sign * value, sign * value - 1, sign * value + 1)
        for contrast in (("first", "first", "last"), ("last", "first", "last"))
        for group, sign in (("fast", 1), ("slow", -1))
    ]
    return pd.DataFrame(rows, columns=["chosen_by", "from", "to", "group", "change", "low", "high"])


def test_every_contrast_has_its_row():
    groups = pd.DataFrame({"group": ["fast", "slow"], "blocks": 5})
    axes = regression_to_mean.draw(changes(10.0), groups, DATASET).axes[0]
    assert len(axes.get_yticks()) == 2
    assert axes.get_yticklabels()[0].get_text().startswith("chosen by the first 5 blocks:")
    means = [list(part.lines[0].get_xdata()) for part in axes.containers]
    assert means == [[10.0, 10.0], [-10.0, -10.0]]
    with pytest.raises(TooFew, match="no fast or slow subjects"):
        regression_to_mean.draw(changes(float("nan")), groups, DATASET)


def test_shares_of_recovered_rules_are_beside_the_averages():
    premises = list(product(labels(5), repeat=2))
    names = ["group", "window", "time_label", "position_label", "mean"]
    groups = {"fast": 0.9, "slow": 0.2}
    rows = [(group, "first", *part, mean) for group, mean in groups.items() for part in premises]
    consequents = pd.DataFrame(rows, columns=names).assign(n_subjects=2, labels=5, blocks=20)
    names = ["time_label", "position_label", "consequent"]
    cells = pd.DataFrame([(*part, rule) for part in premises for rule in (0.0, 1.0)], columns=names)
    cells = cells.assign(labels=5, subjects=2, empty=0.25, found=0.6, guess=0.5)
    cells.loc[0, ["empty", "found"]] = [1.0, 0.0]
    of = pd.DataFrame({"subject": ["a", "b"], "group": ["fast", "slow"]})
    figure = rule_recovery.draw(consequents, of, cells, DATASET)
    slow, fast, none, go, stop, _ = figure.axes[:6]
    assert texts(slow).count("0.20") == 25
    assert texts(fast).count("0.90") == 25
    assert texts(stop).count("0.60") == 25
    assert (texts(go).count("0.60"), texts(go).count("no\nrule")) == (24, 1)
    assert "no subjects with 3 labels" in " ".join(texts(none))


KEY = {"condition": "easy", "scheme": "interleaved", "delay": "fitted"}


def made_up():
    """A comparison of every model."""
    models = [{"model": name, "family": part.family} for name, part in CATALOGUE.items()]
    return pd.DataFrame(models).assign(**KEY, elpd=-1000.0 - np.arange(len(models)))


def test_checks_show_the_best_model_of_each_family():
    comparison = made_up()
    statistics = [name for _, panel in stopping_checks.PANELS.values() for name in panel]
    rows = [
        {
            **{"condition": "easy", "delay": "fitted", "statistic": statistic},
            **{"model": model, "family": CATALOGUE[model].family},
            **{"data": 1.0, "predicted": 1.5, "se": 0.1},
        }
        for model in CATALOGUE
        for statistic in statistics
    ]
    figure = stopping_checks.draw(pd.DataFrame(rows), comparison, DATASET)
    assert len(figure.axes) == 4
    for axes in figure.axes:
        assert len(axes.containers) == len(stopping_comparison.FAMILIES)
        marks = np.concatenate([part.lines[0].get_ydata() for part in axes.containers])
        assert marks == pytest.approx(0.5)


def test_every_model_stands_beside_what_it_predicts_of_directions():
    comparison = made_up().assign(low=-10.0, high=10.0, subjects=10, elpd_difference=0.0)
    both = pd.concat([comparison, comparison.assign(condition="hard")])
    names = ["data", *(name for name in CATALOGUE if not name.startswith("pipeline"))]
    rows = pd.DataFrame(product(("easy", "hard"), names, (0.2, 0.3)))
    rows.columns = ["condition", "source", "phase_low"]
    rows = rows.assign(delay="fitted", outward=0.6 + rows["phase_low"], low=0.7, high=0.95)
    rows.loc[rows["source"] == "surface", "outward"] = 0.8
    question = {"question": "kind", "answer": "rules", "protected_exceedance": 0.9, "subjects": 10}
    asked = pd.DataFrame([{**KEY, **question, "elpd_difference": 0.0, "low": 0.0, "high": 0.0}])
    figure = stopping_comparison.draw(both, asked, rows, DATASET)
    easy, _, shares, _ = figure.axes
    order = [label.get_text() for label in easy.get_yticklabels()]
    marks = [line for line in shares.lines if len(line.get_xdata()) == 1]
    assert len(marks) == 2 * len(order)
    drawn = {order[int(mark.get_ydata()[0])]: mark.get_xdata()[0] for mark in marks}
    assert drawn["smooth surface"] == pytest.approx(0.8)
    assert drawn["smooth surface, direction"] == pytest.approx(0.9)
    assert np.isnan(drawn["pipeline, 3 labels"])
    assert texts(shares) == ["easy", "hard"]


def test_leads_are_drawn_beside_those_of_known_truths():
    comparison = made_up()
    comparison = pd.concat([comparison, comparison.assign(delay="none", elpd=-2000.0)])
    asked = list(rules_or_boundary.QUESTIONS)
    questions = pd.DataFrame(
        {
            **KEY,
            "question": np.repeat(asked, 2),
            "answer": ["boundary", "rules"] * 2,
            "elpd": [-100.0, -130.0, -110.0, -100.0],
            "se": [0.0, 12.0, 5.0, 0.0],
        }
    )
    leads = rules_or_boundary.leads(questions)
    assert leads["lead"].tolist() == [30.0, -10.0]
    assert leads["se"].tolist() == [12.0, 5.0]
    power = pd.DataFrame(
        {
            **KEY,
            "question": asked[0],
            "true_answer": ["boundary", "rules"],
            "ahead": [80.0, -60.0],
            "se": [10.0, 20.0],
        }
    )
    figure = rules_or_boundary.draw(comparison, questions, power, DATASET)
    left, right = figure.axes
    assert len(left.get_yticks()) == len(stopping_comparison.FAMILIES)
    marks = [x for part in right.containers for x in part.lines[0].get_xdata()]
    assert marks == [30.0, -10.0]
    bars = [line.get_xdata() for line in right.lines if len(line.get_xdata()) == 2]
    assert [60.0, 100.0] in [list(ends) for ends in bars]


def test_a_boundary_is_drawn_where_decisions_were_made():
    rows = [
        {
            **KEY,
            **{"subject": f"S{number}", "model": boundary_and_errors.MODEL, "scheme": "all"},
            **{"motor_delay": 0.2, "level": 200.0 + number, "asymptote": 80.0},
            **{"time_scale": 2.0, "sigma": 30.0, "tau": 15.0},
        }
        for number in range(4)
    ]
    trials = pd.DataFrame(
        {
            "subject": np.repeat([f"S{number}" for number in range(4)], 3),
            "condition": "easy",
            "rt": [1.0, 2.0, 3.0] * 4,
            "position": [100.0, -120.0, 90.0] * 4,
            "responded": True,
        }
    )
    nothing = TABLES["session_population"].empty()
    figure = boundary_and_errors.draw(trials, pd.DataFrame(rows), nothing, DATASET)
    assert figure.axes[0].lines[0].get_xdata() == pytest.approx([0.8, 1.8, 2.8])
    with pytest.raises(TooFew, match="fewer than 3"):
        boundary_and_errors.draw(trials, pd.DataFrame(rows[:2]), nothing, DATASET)


def test_nothing_is_drawn_where_nobody_can_be_fitted():
    for figure, name in ((direction, "outward"), (stopping_surface, "stopping_surface")):
        with pytest.raises(TooFew, match="enough responses"):
            figure.draw(TABLES[name].empty(), DATASET)


def test_shares_of_people_are_drawn_as_points_and_those_of_models_as_lines():
    sources = ["data", *direction.MODELS, "simulated graded_3"]
    rows = pd.DataFrame(product(sources, np.arange(5) / 10), columns=["source", "phase_low"])
    rows = rows.assign(condition="easy", delay="fitted", phase_high=rows["phase_low"] + 0.1)
    rows["outward"] = 0.6 + rows["phase_low"] / 2 + 0.1 * (rows["source"] == "data")
    rows = rows.assign(low=rows["outward"] - 0.05, high=rows["outward"] + 0.05, n=100.0)
    (axes,) = direction.draw(rows, DATASET).axes
    (people,) = axes.containers
    assert people.lines[0].get_ydata() == pytest.approx([0.7, 0.75, 0.8, 0.85, 0.9])
    drawn = [line for line in axes.lines if len(line.get_xdata()) == 5]
    assert len(drawn) == 1 + len(direction.MODELS)


def test_the_surface_stands_above_what_models_leave_of_it_and_its_slices():
    """Late cells have few decisions; models leave 2.6 errors where the canoe moves inward."""
    times, distances = [(3.0, 4.5), (4.5, 6.0)], [(0.0, 45.0), (45.0, 90.0), (90.0, 135.0)]
    rows = [
        {
            **{"condition": "easy", "subject": subject, "source": source, "outward": outward},
            **{"time_low": t[0], "time_high": t[1], "position_low": x[0], "position_high": x[1]},
            **{"decisions": 100.0 if t[0] < 4 else 5.0, "responses": 8.0 if t[0] < 4 else 0.4},
            **{"hazard": 0.08 if outward else 0.02, "low": 0.01, "high": 0.1},
            "residual": np.nan if source == "data" else 1.4 if outward else -2.6,
        }
        for subject, source in [*product([""], ["data", *direction.MODELS]), ("S1", "data")]
        for outward, t, x in product((True, False), times, distances)
    ]
    figure = stopping_surface.draw(pd.DataFrame(rows), DATASET)
    above, below = (part.axes for part in figure.subfigs)
    size = 1 + len(direction.MODELS)
    assert texts(above[0]) == ["8"] * 3
    assert [texts(axes) for axes in above[1:size]] == [[]] * (size - 1)
    assert [texts(axes) for axes in above[size + 1 : 2 * size]] == [["\N{MINUS SIGN}3"] * 3] * (
        size - 1
    )
    assert np.ma.getmaskarray(above[0].collections[0].get_array()).sum() == 3
    # The second slice is at 3 s, inward below outward.
    people = [axes.containers[0].lines[0].get_ydata() for axes in (below[1], below[4])]
    assert [list(values) for values in people] == [[8.0] * 3, [2.0] * 3]
    (subject,) = below[-1].lines[:1]
    assert subject.get_xdata() == subject.get_ydata() == pytest.approx([8.0])


def test_subjects_rules_are_drawn_by_group_with_how_often_they_are_right():
    cells = pd.DataFrame(product(labels(3), labels(3)), columns=["time_label", "position_label"])
    parts = [
        cells.assign(
            subject=f"S{n}",
            window=window,
            labels=3,
            p_stop=n / 4,
            prior="independent",
            group=group,
            common=0.3 if window == "first" else 0.7,
        )
        for n, group in enumerate(("slow", "fast", "middle"))
        for window in ("first", "last")
    ]
    check = pd.DataFrame(
        {
            **{"sure_low": [0.5, 0.5, 0.9], "sure_high": [1.0, 0.9, 1.0]},
            **{"sure": [0.9, 0.7, 0.98], "right": [0.88, 0.72, 0.95]},
            **{"wang_mendel": [0.55, 0.4, 0.6], "n": [90, 30, 60], "subjects": 10},
        }
    )
    figure = rule_posterior.draw(pd.concat(parts), check, DATASET)
    first, _, right = figure.subfigs[0].axes[:3]
    drawn = np.asarray(first.collections[0].get_array()).reshape(3, 9)
    assert drawn[:, 0] == pytest.approx([0.25, 0.5, 0.0])  # fast, middle, slow
    assert [label.get_text() for label in first.get_yticklabels()] == ["fast", "middle", "slow"]
    assert texts(right) == ["found: 88%\nby structure learning: 55%"]
    # The slow one is known to continue; each group is one subject.
    groups = {axes.get_title(loc="right"): texts(axes) for axes in figure.subfigs[1].axes}
    assert groups["slow, first"] == ["30%", "1 of 1"] * 9
    assert groups["fast, last"] == ["70%", "0 of 1"] * 9
