"""Figures against stored images, so that a change of style is seen.

``pytest tests/figures --mpl-generate-path=tests/figures/baseline`` stores them again.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.figures import (
    basis_functions,
    fitted_boundaries,
    fuzzy_output,
    group_boundaries,
    group_consequents,
    group_output,
    membership_functions,
    model_selection,
    network,
    rule_base,
    structure_learning,
    two_class_data,
    zero_likelihood,
)
from fuzzybounds.fuzzy.membership import labels
from fuzzybounds.storage.seeds import generator

DATASET = {"kind": "simulated", "title": "Test"}
GROUPS, WINDOWS = ("slow", "fast"), ("first", "last")
SETTINGS = {"labels": 5, "condition": "easy", "blocks": 20}
MEMBERS = pd.DataFrame({"group": ["fast"] * 6 + ["slow"] * 6})

# Anti-aliasing and the renderer's version move single pixels (a root mean square below 2 of 255); a
# letter, a colour or a line that is another makes more.
compared = pytest.mark.mpl_image_compare(
    baseline_dir="baseline", style="default", tolerance=4, savefig_kwargs={"dpi": 72}
)


@pytest.fixture(autouse=True)
def closed():
    """Close what a test drew."""
    from matplotlib import pyplot as plt

    yield
    plt.close("all")


@pytest.mark.parametrize(
    "module",
    [
        zero_likelihood,
        basis_functions,
        membership_functions,
        rule_base,
        fuzzy_output,
        network,
        structure_learning,
    ],
    ids=["fig02", "fig03", "fig04", "fig05", "fig06", "fig07", "fig09"],
)
@compared
def test_worked_example(module):
    return module.draw()


@compared
def test_fitted_boundaries():
    time = np.linspace(0, 15, 31)
    boundaries = pd.DataFrame(
        [
            (subject, "decision", "easy", after, t, 200 - (5 + level) * t)
            for level, subject in enumerate(("S01", "S02", "S10"))
            for level, after in ((level, "first_block"), (level + 3, "last_block"))
            for t in time
        ],
        columns=["subject", "boundary_time", "condition", "after", "time", "boundary"],
    )
    changes = pd.DataFrame({"subject": ["S01", "S02", "S10"], "earliest": 2.0, "latest": 9.0})
    changes = changes.assign(boundary_time="decision", condition="easy", stable=False)
    return fitted_boundaries.draw(boundaries.assign(stable=False), changes, DATASET)


@compared
def test_two_class_data():
    rng = generator(0, "test_images", "points")
    responded = np.repeat([True, False], 40)
    time = rng.uniform(0, 6, 80) + 2 * responded
    points = pd.DataFrame({"time": time, "position": 30 * time, "responded": responded})
    return two_class_data.draw(points.assign(subject="S01", path="recorded"), DATASET)


@compared
def test_group_output():
    times, positions = (grid.ravel() for grid in np.meshgrid(*2 * [np.linspace(0, 1, 21)]))
    square = pd.DataFrame({"time": times, "position": positions})
    tables = [
        square.assign(output=np.minimum(1, (times + positions) / reach), group=group, window=window)
        for group, reach in zip(GROUPS, (2, 1), strict=True)
        for window in WINDOWS
    ]
    output = pd.concat(tables).assign(n_subjects=6, **SETTINGS)
    return group_output.draw(output, MEMBERS, DATASET)


@compared
def test_group_consequents():
    rows = [
        (group, window, time, position, min(1.0, (i + j + shift) / 8), 0.1, 6 - 1.4 * i)
        for shift, group in enumerate(GROUPS)
        for window in WINDOWS
        for i, time in enumerate(labels(5))
        for j, position in enumerate(labels(5))
        if i + j < 7
    ]
    columns = [
        "group",
        "window",
        "time_label",
        "position_label",
        "mean",
        "sd_over_draws",
        "n_subjects",
    ]
    consequents = pd.DataFrame(rows, columns=columns).assign(**SETTINGS)
    return group_consequents.draw(consequents, MEMBERS, DATASET)


@compared
def test_group_boundaries():
    rng = generator(0, "test_images", "groups")
    groups = pd.DataFrame(
        [
            (group, *(level + rng.normal(0, 10, 2)))
            for group, level in (("slow", 220), ("fast", 110))
            for _ in range(6)
        ],
        columns=["group", *WINDOWS],
    ).assign(condition="easy", blocks=20)
    comparisons = [f"slow_vs_fast_{window}" for window in WINDOWS]
    comparisons += [f"{group}_last_vs_first" for group in GROUPS]
    tests = pd.DataFrame({"comparison": comparisons, "p": [0.0001, 0.003, 0.29, 0.18]})
    return group_boundaries.draw(groups, tests.assign(test="student_t"), DATASET)


@compared
def test_model_selection():
    rows = [
        (time, "bic", shape, learning, 1000.0 * n + 300 * (shape == "constant"), n, n / 10)
        for time in ("decision", "total")
        for shape in ("constant", "weibull")
        for n, learning in enumerate(model_selection.LEARNING_CLASSES)
    ]
    columns = ["boundary_time", "criterion", "shape", "learning", "bic", "n_best"]
    table = pd.DataFrame(rows, columns=[*columns, "protected_exceedance"])
    return model_selection.draw(table.assign(stable=False), DATASET)
