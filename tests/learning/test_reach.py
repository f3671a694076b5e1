"""The best reward rate within reach of the fuzzy model."""

from dataclasses import replace

import numpy as np
import pytest

from fuzzybounds.fuzzy.controller import Controller
from fuzzybounds.fuzzy.membership import Memberships
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.learning import reach
from fuzzybounds.learning.curves import rate_of
from fuzzybounds.learning.design import PAPER_UNCUED
from fuzzybounds.learning.optimal_labels import boundary_levels, follow_boundary
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


@pytest.mark.parametrize("decisions", [Decisions(3.0, 6), Decisions(frames=30, at_start=True)])
def test_gradient_is_that_of_finite_differences(controller, decisions):
    value, gradient = reach.controller_gradient(controller, decisions, PAPER_UNCUED)
    assert value == pytest.approx(rate(controller, decisions), rel=1e-12)
    for index in np.ndindex(3, 2):

        def consequent(step, index=index):
            table = controller.rules.consequents.copy()
            table[index] += step
            return replace(controller, rules=replace(controller.rules, consequents=table))

        assert gradient.consequents[index] == pytest.approx(slope(consequent, decisions), rel=1e-5)
    for variable, by_memberships in (("time", gradient.time), ("position", gradient.position)):
        own = getattr(controller, variable)
        for label in range(len(own.labels)):
            one = np.eye(len(own.labels))[label]

            def center(step, own=own, one=one, variable=variable):
                moved = replace(own, centers=own.centers + step * one)
                return replace(controller, **{variable: moved})

            def width(step, own=own, one=one, variable=variable):
                moved = replace(own, widths=own.widths * np.exp(step * one))
                return replace(controller, **{variable: moved})

            expected = [slope(center, decisions), slope(width, decisions)]
            assert by_memberships[:, label] == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_best_consequents_beat_every_rule_base_and_not_the_optimum():
    memberships, decisions = paper_memberships(3), Decisions()
    found = reach.best_consequents(memberships, memberships, decisions, PAPER_UNCUED)
    assert found.reward_rate == pytest.approx(rate(found.controller, decisions), abs=1e-12)
    assert found.reward_rate < solve(PAPER_UNCUED, "steps").reward_rate
    for rules in monotone_rule_bases(3):
        assert rate_of(rules.consequents, found.controller, decisions, PAPER_UNCUED) < (
            found.reward_rate
        )
    # No small change within [0, 1] improves them: the projected gradient vanishes.
    _, gradient = reach.controller_gradient(found.controller, decisions, PAPER_UNCUED)
    table = found.controller.rules.consequents
    assert (gradient.consequents[table < 0.999] < 1e-4).all()
    assert (gradient.consequents[table > 0.001] > -1e-4).all()


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
            labels, "width", decisions, PAPER_UNCUED, rounds=((4, 2), (1, 15)), first=first
        )
        assert best.found.size == 1 + len(first)
        assert best.reward_rate == pytest.approx(rate(best.controller, decisions), abs=1e-12)
        first = [reach.padded(best.controller, 3)]
        found.append(best.reward_rate)
    assert 0.5 < found[0] < found[1]


def test_levels_of_a_boundary_leave_room_for_parity():
    inf = np.inf
    # After 3 steps the canoe is 1 or 3 away, after 4 steps 0, 2 or 4: both say "beyond 2 to 3".
    assert boundary_levels(np.array([inf, inf, inf, 3, 4, 3, 2, 3, 2, 1, inf])) == [
        (3, 2.5),
        (6, 1.5),
        (9, 0.0),
    ]
    assert boundary_levels(np.array([inf, 1, 2, 1])) == [(1, 0.5)]
    assert boundary_levels(np.full(4, inf)) == []


def test_three_labels_earn_what_the_optimal_observer_earns():
    """The optimum bounds every controller, so a search that gets there needs no other search."""
    optimum, decisions = solve(PAPER_UNCUED, "steps"), Decisions()
    boundary = optimum.boundary()[0]
    assert follow_boundary(boundary, 2, "width") is None
    for convention in ("width", "deviation"):
        start = follow_boundary(boundary, 3, convention)
        assert rate(start, decisions) < 0.9995 * optimum.reward_rate
        best = reach.best_controller(
            3, convention, decisions, PAPER_UNCUED, first=[start], bound=optimum.reward_rate
        )
        assert best.found.size == 1  # no other ascent was made
        assert best.reward_rate == pytest.approx(rate(best.controller, decisions), abs=1e-12)
        assert 1 - 5e-6 < best.reward_rate / optimum.reward_rate < 1


@pytest.mark.parametrize("labels", [3, 5])
def test_consequents_are_the_best_from_wherever_the_search_starts(labels):
    memberships = paper_memberships(labels)
    found = reach.best_consequents(memberships, memberships, Decisions(), PAPER_UNCUED).found
    most = found[: found.size - 2]  # the rule-bases that earn least may end in a lower maximum
    assert most == pytest.approx(most[0], rel=1e-7)
    few = reach.best_consequents(memberships, memberships, Decisions(), PAPER_UNCUED, starts=2)
    assert few.found == pytest.approx(most[0], rel=1e-7)


def test_o_below_1_is_refused():
    memberships = paper_memberships(3)
    with pytest.raises(ValueError, match=r"o = 0\.5"):
        reach.best_consequents(memberships, memberships, Decisions(0.5), PAPER_UNCUED)
