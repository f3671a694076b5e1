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
