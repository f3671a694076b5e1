import pytest

from fuzzybounds.paper.boundaries.models import UNCUED, Model, all_models

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


@pytest.mark.parametrize(
    ("model", "parameter", "bounds"),
    [
        (Model("weibull", "rl"), "psi_easy", (10, 300)),
        (Model("weibull", "rl"), "psi_prime_hard", (-100, 200)),
        (Model("weibull", "rl"), "sigma_hard", (0, 100)),
        (Model("weibull", "rl"), "alpha_V", (-0.01, 0.01)),
        (Model("weibull", "rl", UNCUED), "kappa", (-20, 20)),
        # The constant mean is wider where only the value used is clipped.
        (Model("constant", "none"), "m_easy", (0, 300)),
        (Model("constant", "utility"), "m_easy", (20, 400)),
        (Model("constant", "rl"), "m_easy", (0, 300)),
    ],
)
def test_bounds_are_those_of_the_authors_search(model, parameter, bounds):
    where = model.names.index(parameter)
    assert (model.lower[where], model.upper[where]) == bounds
