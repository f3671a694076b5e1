import numpy as np
import pytest

from fuzzybounds.weibull.fit import fit_models
from fuzzybounds.weibull.models import Model
from fuzzybounds.weibull.nesting import embed
from fuzzybounds.weibull.restarts import Found, budget_of
from fuzzybounds.weibull.search import Budget
from fuzzybounds.weibull.trials import trials_of


class Scripted:
    """A search whose restarts reach given values, one after the other."""

    def __init__(self, values, shape="weibull"):
        self.model, self.budget = Model(shape, "rl", stable=True), Budget()
        self.values = iter(values)

    def restart(self, rng):
        return np.zeros(1), next(self.values)


def restarted(values, shape="weibull"):
    found = Found(np.empty(0), np.inf, [])
    found.restart(Scripted(values, shape), 1, ("test",))
    return found


@pytest.mark.parametrize(("shape", "needed"), [("weibull", 3), ("constant", 6)])
def test_restarts_end_when_enough_agree(shape, needed):
    found = restarted([10.0, *[9.0, 9.05] * 10], shape)
    # The first one ended elsewhere.
    assert len(found.reached) == needed + 1
    assert found.value == 9.0
    assert found.first == (10.0, 9.0)


def test_two_suffice_after_eight():
    apart = [20.0, 19.0, 18.0, 17.0, 16.0, 15.0]
    assert len(restarted([*apart, 9.0, 9.0, 30.0]).reached) == 8
    assert len(restarted([9.0, *apart, 14.0, 13.0, 9.0, 30.0]).reached) == 10


def test_restarts_that_never_agree_are_spent():
    found = restarted([float(value) for value in range(100, 0, -1)])
    assert len(found.reached) == Budget().restarts
    assert found.value == min(found.reached)


def test_restarts_go_on_when_another_start_is_better():
    search = Scripted([9.0] * 3 + [8.0] * 10)
    found = Found(np.empty(0), np.inf, [])
    found.restart(search, 1, ("test",))
    assert len(found.reached) == 3
    assert found.offer(np.ones(1), 8.0)
    found.restart(search, 1, ("test",))
    assert found.reached == [9.0] * 3 + [8.0] * 3


def test_free_class_rl_has_a_budget_of_its_own():
    free, stable = Model("weibull", "rl"), Model("weibull", "rl", stable=True)
    assert budget_of(stable, Budget()) == Budget()
    assert budget_of(free, Budget()).restarts == Budget().free_restarts
    assert budget_of(Model("weibull", "window"), Budget()) == Budget()


def test_a_constant_form_takes_learning_and_noise_of_the_weibull_form():
    weibull, constant = Model("weibull", "accuracy"), Model("constant", "accuracy")
    theta = (weibull.lower + 2 * weibull.upper) / 3
    given = dict(zip(weibull.names, theta, strict=True))
    found = dict(zip(constant.names, embed(weibull, theta, constant), strict=True))
    assert found["alpha_easy"] == given["alpha_easy"]
    assert found["sigma_hard"] == given["sigma_hard"]
    # Halfway through its change: e = 1/2 in b = ψ - (1 - e)(ψ/2 - ψ').
    psi, psi_prime = given["psi_easy"], given["psi_prime_easy"]
    assert found["m_easy"] == pytest.approx(psi - (psi / 2 - psi_prime) / 2)


def test_a_given_start_is_used(table):
    model, by_time = Model("weibull", "rl", stable=True), {"decision": trials_of(table)}
    few = Budget(restarts=1, members=4, draws=2, generations=1, kicks=0)
    ((_, best),) = fit_models([model], by_time, 1)
    ((_, alone),) = fit_models([model], by_time, 2, budget=few)
    near = {(model, "decision"): best.parameters}
    ((_, started),) = fit_models([model], by_time, 2, budget=few, near=near)
    assert alone.nll > best.nll + 0.1
    assert started.nll <= best.nll + 1e-6
