import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.membership import equidistant
from fuzzybounds.paper.fuzzy.rules import CONTINUE, STOP
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure, point_rules

THREE = equidistant(3, convention="width")


def learn(t, x, y, memberships=(THREE, THREE), **options):
    """One set of points, without the axis of sets."""
    structure = learn_structure(np.stack([t, x])[None], np.atleast_2d(y), memberships, **options)
    return {name: value[0] for name, value in structure._asdict().items()}


def by_hand(t, x, y, memberships, resolution, normalised):
    """Steps 2 and 3 as the paper tells them, point by point."""
    best, votes = {}, {}
    for point in zip(t, x, y, strict=True):
        time = memberships[0].degrees(point[0], normalised)
        position = memberships[1].degrees(point[1], normalised)
        cell = time.argmax(), position.argmax()
        certainty = time.max() * position.max()
        votes.setdefault(cell, [0.0, 0.0])[point[2]] += certainty
        if certainty > best.get(cell, (0.0, 0))[0]:
            best[cell] = certainty, point[2]
    if resolution == "largest":
        return {cell: winner for cell, (_, winner) in best.items()}
    return {cell: int(stop > go) for cell, (go, stop) in votes.items()}


def test_halfway_between_two_centres_the_smaller_label_wins():
    # The last digit of a third would favour the larger one at 0.5 and at 5/6.
    four = equidistant(4, convention="width")
    labels, _ = point_rules(np.array([[[1 / 6, 0.5], [0.5, 5 / 6]]]), (four, four))
    assert labels[0].tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("resolution", ["largest", "vote"])
@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize("n_labels", [(3, 3), (5, 4)])
def test_structure_is_that_of_the_paper_point_by_point(resolution, normalised, n_labels):
    rng = np.random.default_rng(4)
    memberships = tuple(equidistant(n, convention="deviation") for n in n_labels)
    for _ in range(5):
        t, x = rng.random((2, 40))
        y = rng.integers(0, 2, 40)
        got = learn(t, x, y, memberships, resolution=resolution, normalised=normalised)
        expected = by_hand(t, x, y, memberships, resolution, normalised)
        for cell, consequent in np.ndenumerate(got["consequents"]):
            if cell in expected:
                assert consequent == expected[cell]
            else:
                assert np.isnan(consequent)


def test_the_most_certain_point_wins_and_the_vote_may_differ():
    # One stop point at the centre of the cell against three continue points near it.
    t, x, y = [0.5, 0.55, 0.56, 0.45], [0.5, 0.55, 0.54, 0.46], [1, 0, 0, 0]
    largest, vote = learn(t, x, y), learn(t, x, y, resolution="vote")
    assert largest["consequents"][1, 1] == STOP
    assert vote["consequents"][1, 1] == CONTINUE
    assert largest["support"][1, 1] == vote["support"][1, 1] == 4
    assert (largest["conflicts"][1, 1], vote["conflicts"][1, 1]) == (3, 1)
    assert largest["vote_share"][1, 1] == pytest.approx(1 - vote["vote_share"][1, 1])
    assert largest["certainty"][1, 1] > vote["certainty"][1, 1]


def test_a_tie_goes_to_continue():
    for resolution in ("largest", "vote"):
        got = learn([0.5, 0.5], [0.5, 0.5], [1, 0], resolution=resolution)
        assert got["consequents"][1, 1] == CONTINUE
        assert got["vote_share"][1, 1] == 0.5


def test_many_sets_are_learnt_as_each_alone():
    rng = np.random.default_rng(5)
    inputs, y = rng.random((6, 2, 30)), rng.integers(0, 2, (6, 30))
    weights = rng.random((6, 30)) * (rng.random((6, 30)) < 0.7)
    together = learn_structure(inputs, y, (THREE, THREE), weights=weights, resolution="vote")
    for k in range(6):
        used = weights[k] > 0
        alone = learn(
            *inputs[k][:, used], y[k][used], weights=weights[k][used][None], resolution="vote"
        )
        for name, value in together._asdict().items():
            np.testing.assert_array_equal(value[k], alone[name], err_msg=name)


def test_weights_count_in_votes():
    points = ([0.5, 0.5], [0.5, 0.5], [1, 0])
    got = learn(*points, weights=np.array([[3.0, 1.0]]), resolution="vote")
    assert got["consequents"][1, 1] == STOP
    assert got["vote_share"][1, 1] == pytest.approx(0.75)
