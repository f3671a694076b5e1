import pytest

from fuzzybounds.weibull.models import CUED, UNCUED, Model, all_models
from fuzzybounds.weibull.recursion import LEARNT, form_of


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


@pytest.mark.parametrize("conditions", [CUED, UNCUED])
def test_every_parameter_has_a_place_in_the_compiled_code(conditions):
    for model in all_models(conditions):
        assert len(set(model.names)) == model.k
        columns = form_of(model).columns
        assert set(columns[columns < model.k]) == set(range(model.k))


def test_parameters_of_a_learning_class_may_be_shared():
    model = Model("weibull", "window")
    shared = [name for name in model.names if not name.endswith(("_easy", "_hard"))]
    assert shared == ["w_r", "w_t", "alpha_1", "alpha_2"]
    easy, hard = form_of(model).columns[:, LEARNT]
    assert easy == hard


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("linear", "none"), "shape is 'linear'"),
        (("weibull", "sarsa"), "learning is 'sarsa'"),
        (("weibull", "none", ("easy",)), "conditions is"),
    ],
)
def test_unknown_parts_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Model(*arguments)
