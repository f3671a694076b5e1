import os
import re
import shutil
import subprocess
import sys
from textwrap import dedent, indent

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


def test_models_have_the_authors_numbers_of_parameters():
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


def test_a_learning_class_is_added_as_the_page_says(project_root, tmp_path):
    """Ahead of another one, so that numbers change, and with the tests that it needs."""
    page = (project_root / "docs/how-to/add-a-model.md").read_text()
    blocks = re.findall(r"(?s)   ```python\n(.*?)   ```", page)
    entry, number, branch, plain, counts = blocks[:5]
    shutil.copytree(project_root / "src/fuzzybounds", tmp_path / "fuzzybounds")
    tests = tmp_path / "tests"
    shutil.copytree(project_root / "tests/paper/boundaries", tests)
    file = tmp_path / "fuzzybounds/paper/boundaries/learning_classes.py"
    for path, old, new in (
        (file, '    "rl": LearningClass(', entry),
        (file, "\n\n@njit\ndef change_of", dedent(number)),
        (file, "    if learning == ACCURACY:", branch),
        (tests / "plain.py", '        if learning == "window":', plain),
        (tests / "test_models.py", '\n    "constant-rl": (13, 5)', counts),
        (tests / "test_models.py", '\n    **{"w_r"', '**{"speed": (-9, 9)},'),
    ):
        text = path.read_text()
        assert text.count(old) == 1
        margin = " " * (len(old) - len(old.lstrip(" ")))
        path.write_text(text.replace(old, f"{indent(dedent(new).rstrip(), margin)}\n{old}"))
    # Not compiled, which takes longer than these tests.
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=."]
    chosen = [
        "-k",
        "drift or numbers_of_parameters",
        "tests/test_models.py",
        "tests/test_recursion.py",
    ]
    done = subprocess.run(
        [*command, *chosen], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 4, done.stdout
