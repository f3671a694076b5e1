"""Figures against stored images, so that a change of style is seen.

``pytest tests/paper/figures --mpl-generate-path=tests/paper/figures/baseline`` stores them again.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.paper.figures import contrast
from fuzzybounds.paper.figures import fig02_zero_likelihood as zero_likelihood
from fuzzybounds.paper.figures import fig03_basis_functions as basis_functions
from fuzzybounds.paper.figures import fig04_membership_functions as membership_functions
from fuzzybounds.paper.figures import fig05_rule_base as rule_base
from fuzzybounds.paper.figures import fig06_fuzzy_output as fuzzy_output
from fuzzybounds.paper.figures import fig07_network as network
from fuzzybounds.paper.figures import fig09_structure_learning as structure_learning
from fuzzybounds.paper.figures import fig10_fitted_output as fitted_output
from fuzzybounds.paper.figures import fig11_fitted_rules as fitted_rules
from fuzzybounds.paper.figures import fig12_fitted_memberships as fitted_memberships
from fuzzybounds.paper.figures import fig16_simulated_trial as simulated_trial
from fuzzybounds.paper.figures import fig17_rl_simulation as rl_simulation
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import equidistant, labels
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.paper_simulation import CONTROL

pytestmark = pytest.mark.usefixtures("closed")
DATASET = {"kind": "simulated", "title": "Test"}

# Anti-aliasing and the renderer's version move single pixels (a root mean square below 2 of 255); a
# letter, a colour or a line that is another makes more.
compared = pytest.mark.mpl_image_compare(
    baseline_dir="baseline", style="default", tolerance=4, savefig_kwargs={"dpi": 72}
)


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


@pytest.mark.parametrize(
    "module", [fitted_output, fitted_rules, fitted_memberships], ids=["fig10", "fig11", "fig12"]
)
@compared
def test_fits_of_two_subjects(module):
    """Four draws, of which one has other rules, and one label that moves."""
    drawn = []
    for draw, tables in enumerate(["CSS", "CSS", "CSS", "SSS"]):
        table = RuleBase.from_table({"L": tables, "M": "CCS", "S": "CCC"}).consequents.copy()
        table[2, 0] = np.nan
        rules = RuleBase.from_consequents(table)
        time = equidistant(3, high=1 - 0.05 * draw, convention="width")
        drawn.append(Controller(time, equidistant(3, convention="width"), rules))
    points = pd.DataFrame({"time": [1.0, 2.0, 6.0], "position": [45.0, 90.0, 180.0]})
    points = points.assign(responded=[False, False, True], path="recorded")
    three = equidistant(3, convention="width")
    fits = []
    for subject, reach in (("S01", 7.0), ("S02", 12.0)):
        untuned, tuned = (
            [one.scaled(time=reach, position=200.0) for one in kind]
            for kind in ([Controller(three, three, one.rules) for one in drawn], drawn)
        )
        key = (subject, "first", "blocks 1–20")
        fits.append(contrast.Fit(*key, untuned, tuned, reach, 200.0, points, contrast.STAND_INS))
    return module.draw(fits, DATASET)


NAMES = [f"{time},{position}" for time in labels(3) for position in labels(3)]


def learned() -> pd.DataFrame:
    """Consequents that move apart over trials, from the rules C and S."""
    rows = [
        (rule, trial, *name.split(","), (number > 5) + sign * number * trial / 1000)
        for rule, sign in (("as printed", -1), ("sign reversed", 1))
        for trial in (0, 500, 1000)
        for number, name in enumerate(NAMES)
    ]
    return pd.DataFrame(rows, columns=["rule", "trial", "time_label", "position_label", "median"])


@compared
def test_simulated_trial():
    time = np.arange(0, 6, 0.5)
    trial = pd.DataFrame({"time": time, "position": 45.0 * np.arange(12), "output": 0.0})
    trial = trial.assign(**{name: np.exp(-((time - n) ** 2)) for n, name in enumerate(NAMES)})
    return simulated_trial.draw(trial, learned(), (0.6, 0.9))


@compared
def test_rl_simulation():
    trials = np.arange(500, 6000, 500)
    curves = [
        pd.DataFrame({"rule": rule, "replicate": replicate, "trial": trials}).assign(
            reward_rate=-0.2 + gain * (trials - 1000) / 5000 + 0.05 * replicate
        )
        for rule, gain in (("as printed", 0.1), ("sign reversed", 0.8), (CONTROL, 0.4))
        for replicate in range(3)
    ]
    printed = {"initial": -0.2, "after 3000": 0.6}
    return rl_simulation.draw(learned(), pd.concat(curves), -0.3, printed)
