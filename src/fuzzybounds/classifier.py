"""The fuzzy model as a scikit-learn classifier.

The paper has two inputs.  A classifier must take any number of columns, so here a premise is one
label for every column, and the rules are those that the data support.  With two columns (time,
distance) ``rules_`` and ``controller_`` are the paper's rule base and controller.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.membership import Memberships, equidistant, label_words
from fuzzybounds.paper.fuzzy.network import Network
from fuzzybounds.paper.fuzzy.rules import RuleBase, fill
from fuzzybounds.paper.fuzzy.tuning import ONE_CONSEQUENT, PENALTY, Points, tune
from fuzzybounds.paper.fuzzy.wang_mendel import point_rules, resolve


class FuzzyClassifier(ClassifierMixin, BaseEstimator):
    """A classifier of two classes by fuzzy IF-THEN rules.

    Parameters
    ----------
    n_labels : int
        Number of labels of every column, at least 2.
    convention : {"width", "deviation"}
        What sigma means (ambiguity A01).
    normalised : bool
        Whether degrees sum to 1 in structure learning (ambiguity A02).
    resolution : {"largest", "vote"}
        Which rule wins a conflict; the paper's has the largest certainty.
    empty : {"omit", "neighbours"}
        How premises without points are treated (ambiguity A08).
    penalty : float
        Weight of the squared deviations from structure learning, 0 or more; see
        :mod:`fuzzybounds.paper.fuzzy.tuning`.
    ranges : array_like of shape (n_features, 2), optional
        The values of each column that are mapped to 0 and to 1 (ambiguity A09).  By default the
        column's smallest and largest values.

    Attributes
    ----------
    classes_ : array of shape (2,)
        The second is "stop" (or the only one, if all points are of one class).
    memberships_ : list of Memberships
        One for each column, in its units.
    premises_ : array of int, shape (n_rules, n_features)
        Index of the label of each column.
    consequents_ : array of shape (n_rules,)
        1 for the second class, 0 for the first; between them a degree of the second.
    support_, certainty_ : array of shape (n_rules,)
        Points with this premise, and the largest certainty degree among those that agree.
    tuned_ : Tuned
        Losses, iterations, why the optimiser stopped, flags.
    rules_, controller_ : RuleBase, Controller
        With two columns only.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((200, 2))
    >>> y = (X.sum(axis=1) > 1).astype(int)
    >>> bool(FuzzyClassifier(n_labels=5).fit(X, y).score(X, y) > 0.9)
    True
    """

    def __init__(
        self,
        n_labels=3,
        *,
        convention="width",
        normalised=True,
        resolution="largest",
        empty="omit",
        penalty=PENALTY,
        ranges=None,
    ):
        self.n_labels = n_labels
        self.convention = convention
        self.normalised = normalised
        self.resolution = resolution
        self.empty = empty
        self.penalty = penalty
        self.ranges = ranges

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X, y):
        """Learn rules and memberships from `X` (sample, feature) and `y`, of at most two values."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        if type_of_target(y) != "binary":
            raise ValueError(
                "Only binary classification is supported. The type of the target is "
                f"{type_of_target(y)}."
            )
        if not isinstance(self.n_labels, int | np.integer) or self.n_labels < 2:
            what = "expected at least 2, the paper has 3, 5"
            raise ValueError(f"n_labels = {self.n_labels!r}: {what}")
        self.classes_, codes = np.unique(y, return_inverse=True)
        responded = codes == len(self.classes_) - 1
        low, reach = self._scales(X)
        inputs = ((X - low) / reach).T[None]
        start = equidistant(int(self.n_labels), convention=self.convention)
        self._learn_structure(inputs, responded, start)
        self.tuned_ = tune(
            self._network(X.shape[1]),
            Points(inputs, responded[None]),
            self.consequents_[None],
            np.tile(start.centers, X.shape[1]),
            np.tile(start.widths, X.shape[1]),
            penalty=self.penalty,
        )
        if ONE_CONSEQUENT in self.tuned_.flags[0]:
            only = self._class_in_words(self.consequents_[0])
            warnings.warn(
                f"every rule says {only!r}, so the loss is infinite and the memberships were not "
                "tuned; more points, fewer labels or resolution='vote' may help",
                stacklevel=2,
            )
        shape = (X.shape[1], self.n_labels)
        parts = (self.tuned_.centers.reshape(shape), self.tuned_.widths.reshape(shape))
        self.memberships_ = [
            Memberships(start.labels, low[i] + reach[i] * c, reach[i] * w, self.convention)
            for i, (c, w) in enumerate(zip(*parts, strict=True))
        ]
        return self

    def predict_proba(self, X):
        """Return the probability of each class, of shape (n_samples, n_classes)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        logs = np.zeros((len(X), len(self.premises_)))
        for column, variable in enumerate(self.memberships_):
            logs += variable.log_degrees(X[:, column])[:, self.premises_[:, column]]
        premises = np.exp(logs - logs.max(axis=1, keepdims=True))
        # Summed rule by rule, not by a matrix product: the sum does not depend on other samples.
        second = (premises * self.consequents_).sum(axis=1) / premises.sum(axis=1)
        if len(self.classes_) == 1:
            return np.ones((len(X), 1))
        return np.stack([1 - second, second], axis=1)

    def predict(self, X):
        """Return the more probable class of each sample."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    @property
    def rules_(self) -> RuleBase:
        """The rule base, with two columns only (:meth:`sentences` works for any)."""
        check_is_fitted(self)
        if self.n_features_in_ != 2:
            raise AttributeError(
                f"rules_ is a table of two inputs, and X had {self.n_features_in_} columns; "
                "sentences() says the rules of any number"
            )
        names = self.memberships_[0].labels
        consequents = np.full((len(names), len(names)), np.nan)
        consequents[tuple(self.premises_.T)] = self.consequents_
        return RuleBase(names, names, consequents)

    @property
    def controller_(self) -> Controller:
        """The controller, with two columns only."""
        return Controller(self.memberships_[0], self.memberships_[1], self.rules_)

    def sentences(self) -> list[str]:
        """Return every rule in words.

        Labels of a column called "time" are short, medium and long; those of any other column are
        small, medium and large.
        """
        check_is_fitted(self)
        default = [f"x{column}" for column in range(self.n_features_in_)]
        names = getattr(self, "feature_names_in_", default)
        labels = self.memberships_[0].labels
        sentences = []
        for premise, consequent in zip(self.premises_, self.consequents_, strict=True):
            parts = [
                f"{name} is {label_words(name, labels[label])}"
                for name, label in zip(names, premise, strict=True)
            ]
            sentences.append(f"IF {' AND '.join(parts)} THEN {self._class_in_words(consequent)}")
        return sentences

    def _network(self, columns: int) -> Network:
        return Network.on_premises(self.premises_, [self.n_labels] * columns, self.convention)

    def _learn_structure(self, inputs, responded, start) -> None:
        """Learn the premises that have rules, their consequents, support and certainty."""
        columns = inputs.shape[1]
        labels, certainty = point_rules(inputs, [start] * columns, normalised=self.normalised)
        self.premises_, cell = np.unique(labels[0].T, axis=0, return_inverse=True)
        rules = (cell.reshape(1, -1), certainty, responded[None], np.ones((1, len(responded))))
        resolved = resolve(*rules, n_premises=len(self.premises_), resolution=self.resolution)
        learnt = [resolved.consequents[0], resolved.support[0], resolved.certainty[0]]
        if self.empty != "omit":
            counts = [self.n_labels] * columns
            tables = [np.full(counts, empty) for empty in (np.nan, 0, np.nan)]
            for table, values in zip(tables, learnt, strict=True):
                table[tuple(self.premises_.T)] = values
            self.premises_ = np.indices(counts).reshape(columns, -1).T
            tables[0] = fill(tables[0], self.empty)
            learnt = [table.ravel() for table in tables]
        self.consequents_, self.support_, self.certainty_ = learnt

    def _class_in_words(self, consequent: float) -> str:
        if consequent in (0.0, 1.0):
            return str(self.classes_[-1] if consequent else self.classes_[0])
        return f"{self.classes_[-1]} to a degree of {consequent:.3g}"

    def _scales(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the value of each column that becomes 0, and its range (1 if it is constant)."""
        if self.ranges is None:
            low, high = X.min(axis=0), X.max(axis=0)
            return low, np.where(high > low, high - low, 1.0)
        ranges = np.asarray(self.ranges, dtype=float)
        if ranges.shape != (X.shape[1], 2) or not (ranges[:, 0] < ranges[:, 1]).all():
            raise ValueError(
                f"ranges = {ranges.tolist()}: expected two increasing numbers for each of the "
                f"{X.shape[1]} columns"
            )
        low, high = ranges.T
        return low, high - low
