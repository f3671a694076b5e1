"""The best reward rate within reach of the fuzzy model."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning import reach
from fuzzybounds.learning.curves import rate_of
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.optimum import solve
from fuzzybounds.learning.policy import Decisions, paper_memberships, stop_probabilities
from fuzzybounds.learning.policy_value import evaluate
from fuzzybounds.learning.sweep import monotone_rule_bases

STEP = 1e-5


def rate(controller, decisions):
    return evaluate(stop_probabilities(controller, decisions), PAPER_UNCUED).reward_rate


def slope(change, decisions):
    """Central difference of the reward rate by what `change` changes."""
    return (rate(change(STEP), decisions) - rate(change(-STEP), decisions)) / (2 * STEP)


@pytest.fixture(params=["width", "deviation"])
def controller(request):
    rng = np.random.default_rng(4)
    return Controller(
        Memberships(("S", "M", "L"), [0.05, 0.3, 0.9], [0.1, 0.2, 0.4], request.param),
        Memberships(("S", "L"), [0.1, 0.4], [0.15, 0.3], request.param),
        RuleBase.from_consequents(0.1 + 0.5 * rng.random((3, 2))),
    )


@pytest.mark.parametrize("decisions", [Decisions(3.0, 6), Decisions(frames=30)])
def test_gradient_is_that_of_finite_differences(controller, decisions):
    value, gradient = reach.controller_gradient(controller, decisions, PAPER_UNCUED)
    assert value == pytest.approx(rate(controller, decisions), rel=1e-12)

    def consequent(index, step):
        table = controller.rules.consequents.copy()
        table[index] += step
        return replace(controller, rules=replace(controller.rules, consequents=table))

    def center(variable, one, step):
        own = getattr(controller, variable)
        return replace(controller, **{variable: replace(own, centers=own.centers + step * one)})

    def width(variable, one, step):
        own = getattr(controller, variable)
        wider = replace(own, widths=own.widths * np.exp(step * one))
        return replace(controller, **{variable: wider})

    changes = [partial(consequent, index) for index in np.ndindex(3, 2)]
    for variable, count in (("time", 3), ("position", 2)):
        changes += [
            partial(change, variable, one) for change in (center, width) for one in np.eye(count)
        ]
    expected = [slope(change, decisions) for change in changes]
    assert gradient == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_best_consequents_beat_every_rule_base_and_not_the_optimum():
    memberships, decisions = paper_memberships(3), Decisions()
    found = reach.best_consequents(memberships, decisions, PAPER_UNCUED)
    assert found.reward_rate == pytest.approx(rate(found.controller, decisions), abs=1e-12)
    assert found.reward_rate < solve(PAPER_UNCUED, "steps").reward_rate
    for rules in monotone_rule_bases(3):
        own = Controller(memberships, memberships, rules)
        assert rate_of(own, decisions, PAPER_UNCUED) < found.reward_rate
    # No small change within [0, 1] improves them: the projected gradient vanishes.
    _, gradient = reach.controller_gradient(found.controller, decisions, PAPER_UNCUED)
    table = found.controller.rules.consequents.ravel()
    assert (gradient[:9][table < 0.999] < 1e-4).all()
    assert (gradient[:9][table > 0.001] > -1e-4).all()


def test_tuning_climbs_further_and_names_labels_by_their_centres():
    memberships, decisions = paper_memberships(3), Decisions()
    rules = RuleBase.from_table({"L": "SSS", "M": "SSS", "S": "CCS"})
    start = Controller(memberships, memberships, rules)
    fixed, _ = reach.ascend(start, decisions, PAPER_UNCUED, tune=False)
    tuned, controller = reach.ascend(start, decisions, PAPER_UNCUED, tune=True, iterations=60)
    assert rate(start, decisions) < fixed < tuned
    assert tuned == pytest.approx(rate(controller, decisions), abs=1e-12)
    for own in (controller.time, controller.position):
        assert (np.diff(own.centers) >= 0).all()
        assert own.centers.min() >= 0
        assert own.centers.max() <= 1


def test_renaming_labels_leaves_the_policy_as_it_is(controller):
    order = np.array([2, 0, 1])
    shuffled = Controller(
        replace(
            controller.time,
            centers=controller.time.centers[order],
            widths=controller.time.widths[order],
        ),
        controller.position,
        replace(controller.rules, consequents=controller.rules.consequents[order]),
    )
    back = reach.in_order(shuffled)
    assert back.time.centers.tolist() == controller.time.centers.tolist()
    assert back.rules.consequents.tolist() == controller.rules.consequents.tolist()


def test_more_labels_start_from_where_fewer_ended(controller):
    decisions = Decisions()
    small = replace(
        controller,
        position=controller.time,
        rules=RuleBase.from_consequents([[0.01, 0.1, 0.4], [0.1, 0.3, 0.6], [0.3, 0.5, 0.9]]),
    )
    more = reach.padded(small, 5)
    assert more.rules.consequents.shape == (5, 5)
    assert rate(more, decisions) == pytest.approx(rate(small, decisions), abs=1e-3)


def test_rounds_keep_the_most_promising():
    decisions, first = Decisions(), []
    found = []
    for labels in (2, 3):
        best = reach.best_controller(
            labels, decisions, PAPER_UNCUED, rounds=((4, 2), (1, 15)), first=first
        )
        assert best.found.size == 1 + len(first)
        assert best.reward_rate == pytest.approx(rate(best.controller, decisions), abs=1e-12)
        first = [reach.padded(best.controller, 3)]
        found.append(best.reward_rate)
    assert 0.5 < found[0] < found[1]


def test_three_labels_earn_what_the_optimal_observer_earns():
    """The optimum bounds every controller, so a search that gets there needs no other search."""
    decisions, bound = Decisions(), solve(PAPER_UNCUED, "steps").reward_rate
    best = reach.best_controller(3, decisions, PAPER_UNCUED, bound=bound)
    assert best.reward_rate == pytest.approx(rate(best.controller, decisions), abs=1e-12)
    assert 1 - 5e-6 < best.reward_rate / bound < 1
    more = reach.padded(best.controller, 5)
    again = reach.best_controller(5, decisions, PAPER_UNCUED, first=[more], bound=bound)
    assert again.found.size == 1  # no other ascent was made
    assert 1 - 5e-6 < again.reward_rate / bound < 1


@pytest.mark.parametrize("labels", [3, 5])
def test_consequents_are_the_best_from_wherever_the_search_starts(labels):
    memberships = paper_memberships(labels)
    found = reach.best_consequents(memberships, Decisions(), PAPER_UNCUED).found
    most = found[: found.size - 2]  # the rule-bases that earn least may end in a lower maximum
    assert most == pytest.approx(most[0], rel=1e-7)
    few = reach.best_consequents(memberships, Decisions(), PAPER_UNCUED, starts=2)
    assert few.found == pytest.approx(most[0], rel=1e-7)


def test_o_below_1_is_refused():
    memberships = paper_memberships(3)
    with pytest.raises(ValueError, match=r"o = 0\.5"):
        reach.best_consequents(memberships, Decisions(0.5), PAPER_UNCUED)
