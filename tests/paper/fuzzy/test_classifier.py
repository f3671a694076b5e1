import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import estimator_checks_generator

from fuzzybounds.classifier import FuzzyClassifier
from fuzzybounds.paper.fuzzy.rules import RuleBase


@pytest.mark.parametrize(
    ("estimator", "check"),
    list(estimator_checks_generator(FuzzyClassifier())),
    ids=lambda value: getattr(getattr(value, "func", value), "__name__", "fuzzy"),
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture
def canoe(random_controller, two_class_points):
    """Times in s, distances in px, and whether the subject responded."""
    rng = np.random.default_rng(31)
    t, x, y = two_class_points(random_controller(rng), 300, rng)
    return np.stack([15 * t, 420 * x], axis=1), y


def test_with_two_columns_it_is_the_controller_of_the_paper(canoe):
    X, y = canoe
    classifier = FuzzyClassifier().fit(X, y)
    assert isinstance(classifier.rules_, RuleBase)
    probability = classifier.predict_proba(X)
    np.testing.assert_allclose(probability[:, 1], classifier.controller_.output(*X.T), rtol=1e-10)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    assert classifier.score(X, y) > 0.7
    assert classifier.tuned_.loss_after[0] < classifier.tuned_.loss_before[0]


@pytest.mark.parametrize("empty", ["omit", "neighbours"])
def test_it_takes_more_columns_than_the_paper_has(empty):
    rng = np.random.default_rng(32)
    X = rng.random((300, 4))
    y = np.where(X[:, 0] + X[:, 2] > 1, "stop", "continue")
    classifier = FuzzyClassifier(empty=empty)
    assert cross_val_score(classifier, X, y, cv=3).mean() > 0.85
    classifier.fit(X, y)
    assert classifier.sentences()[0].startswith("IF x0 is small AND x1 is small AND x2 is small")
    assert classifier.sentences()[0].endswith("THEN continue")
    assert (len(classifier.premises_) == 81) == (empty == "neighbours")
    with pytest.raises(AttributeError, match="X had 4 columns"):
        _ = classifier.rules_


def test_units_do_not_matter(canoe):
    X, y = canoe
    one = FuzzyClassifier(ranges=[[0, 15], [0, 420]]).fit(X, y)
    other = FuzzyClassifier(ranges=[[5000, 20000], [5000, 425000]]).fit(1000 * X + 5000, y)
    np.testing.assert_allclose(
        one.predict_proba(X), other.predict_proba(1000 * X + 5000), atol=1e-3
    )
