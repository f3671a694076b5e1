import os
import shutil
import subprocess
import sys

import pytest

from fuzzybounds.paper.boundaries.models import UNCUED, all_models

K = {
    "constant-none": (4, 2),
    "weibull-none": (10, 5),
    "constant-utility": (10, 7),
    "weibull-utility": (16, 10),
    "constant-accuracy": (14, 7),
    "weibull-accuracy": (20, 10),
    "constant-window": (12, 8),
    "weibull-window": (18, 11),
    "constant-rl": (13, 5),
    "weibull-rl": (19, 8),
}
"""Parameters of the authors' ten models with cues, and without, where there is no critic."""


def test_there_are_ten_models_with_the_authors_numbers_of_parameters():
    assert {model.name: model.k for model in all_models()} == {x: k for x, (k, _) in K.items()}
    assert {m.name: m.k for m in all_models(UNCUED)} == {x: k for x, (_, k) in K.items()}


BOUNDS = {
    **{"psi": (10, 300), "psi_prime": (-100, 200), "lam": (0.1, 20), "phi": (1, 20)},
    **{"sigma": (0, 100), "alpha_s": (-1, 1)},
    **{"alpha_gain": (0, 15), "beta_gain": (-5, 15), "alpha_loss": (0, 5), "beta_loss": (-5, 15)},
    **{"prior_a": (0, 20), "prior_b": (0, 20), "theta": (0, 1), "alpha": (-10, 10)},
    **{"w_r": (1, 50), "w_t": (1, 50), "alpha_1": (-10, 10), "alpha_2": (-10, 10)},
    **{"const": (-10, 10), "alpha_m": (-0.1, 0.1), "kappa": (-20, 20)},
    **{"alpha_V": (-0.01, 0.01), "V": (-5, 5)},
}
"""Of the authors' search, by the name of a parameter without its condition."""


@pytest.mark.parametrize("model", [*all_models(), *all_models(UNCUED)], ids=lambda m: m.name)
def test_bounds_are_those_of_the_authors_search(model):
    # The constant mean is wider where only the value used is clipped.
    mean = (20, 400) if model.learning in ("utility", "accuracy") else (0, 300)
    expected = [{**BOUNDS, "m": mean}[part] for part in model.part_names.tolist()]
    assert list(zip(model.lower, model.upper, strict=True)) == expected


NEW_CLASS = """    "drift": LearningClass(
        (BoundaryParameter("speed", -9, 9, rate=True),), shifts=True
    ),
    "rl": LearningClass("""
NEW_BRANCH = """    if learning == LEARNING_CLASSES.index("drift"):
        return q[0], (1.0, 0.0, 0.0, 0.0, 0.0)
    if learning == ACCURACY:"""
USE = """
import numpy as np
from fuzzybounds.paper.boundaries.learning_classes import LEARNING_CLASSES, NONE, RL
from fuzzybounds.paper.boundaries.models import Model
from fuzzybounds.paper.boundaries.recursion import course_of
from fuzzybounds.paper.boundaries.trials import trials_of

assert [LEARNING_CLASSES[number] for number in (NONE, RL)] == ["none", "rl"]
model = Model("constant", "drift", ("all",))
assert model.names == ("m", "sigma", "alpha_s", "speed")
columns = {name: np.ones(4) for name in ("rt", "total", "reward", "position")}
others = {"condition": np.array(["easy"] * 4), "correct": np.ones(4, bool)}
trials = trials_of({**columns, **others, "responded": np.ones(4, bool)}, ("all",))
course = course_of(model, np.array([100.0, 20.0, 0.0, 2.5]), trials)
assert course.boundary.tolist() == [100.0, 102.5, 105.0, 107.5]
"""


def test_a_learning_class_is_added_in_one_file(project_root, tmp_path):
    """Ahead of another one, so that numbers change."""
    shutil.copytree(project_root / "src/fuzzybounds", tmp_path / "fuzzybounds")
    file = tmp_path / "fuzzybounds/paper/boundaries/learning_classes.py"
    text = file.read_text()
    for old, new in (
        ('    "rl": LearningClass(', NEW_CLASS),
        ("    if learning == ACCURACY:", NEW_BRANCH),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text)
    # Not compiled, which takes longer than the four trials.
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", USE], env=environment, check=True, cwd=tmp_path)
