import pytest

from fuzzybounds.paper.boundaries.models import UNCUED, Model, all_models


def test_there_are_ten_models_with_the_authors_numbers_of_parameters():
    k = {model.name: model.k for model in all_models()}
    assert k == {
        "constant-none": 4,
        "weibull-none": 10,
        "constant-utility": 10,
        "weibull-utility": 16,
        "constant-accuracy": 14,
        "weibull-accuracy": 20,
        "constant-window": 12,
        "weibull-window": 18,
        "constant-rl": 13,
        "weibull-rl": 19,
    }


def test_without_cues_there_is_one_set_and_no_critic():
    k = {model.name: model.k for model in all_models(UNCUED)}
    assert k["constant-none"] == 2
    assert k["weibull-none"] == 5
    assert k["weibull-utility"] == 10
    assert Model("weibull", "rl", UNCUED).names == (
        "psi",
        "psi_prime",
        "lam",
        "phi",
        "sigma",
        "alpha_s",
        "alpha_m",
        "kappa",
    )


def test_bounds_are_those_of_the_notes():
    model = Model("weibull", "rl")
    bounds = dict(zip(model.names, zip(model.lower, model.upper, strict=True), strict=True))
    assert bounds["psi_easy"] == (10, 300)
    assert bounds["psi_prime_hard"] == (-100, 200)
    assert bounds["lam_easy"] == (0.1, 20)
    assert bounds["phi_easy"] == (1, 20)
    assert bounds["sigma_hard"] == (0, 100)
    assert bounds["alpha_V"] == (-0.01, 0.01)
    assert bounds["alpha_m_easy"] == (-0.1, 0.1)
    assert bounds["kappa_hard"] == (-20, 20)
    assert bounds["V_easy"] == (-5, 5)


@pytest.mark.parametrize(
    ("learning", "bounds"), [("none", (0, 300)), ("utility", (20, 400)), ("rl", (0, 300))]
)
def test_the_constant_mean_is_wider_where_only_the_value_used_is_clipped(learning, bounds):
    model = Model("constant", learning)
    where = model.names.index("m_easy")
    assert (model.lower[where], model.upper[where]) == bounds
