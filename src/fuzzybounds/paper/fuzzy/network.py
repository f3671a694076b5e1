"""The controller as a neural network of four layers (Fig. 7), and the equations of the appendix.

:func:`forward_pass` and :func:`backward_pass` are the reference, written to be read next to the
appendix.  :mod:`tuning` computes the same gradients in a form that cannot underflow; a test
compares the two.  L of Eq. cross_entropy is a log-likelihood, so what descends is -L (A06).

Neurons of layer 1 are numbered as in the appendix: the labels of the first input, then those of
the next.  So with three labels each, neuron 1 of layer 2 multiplies neurons 1 and 4 (Eq. A12).
Here they count from 0, and there may be any number of inputs and labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fuzzybounds.paper.fuzzy.membership import EXPONENT, Convention


@dataclass(frozen=True, eq=False)
class Network:
    """The connections of layers 1 and 2.

    `inputs` (neuron) is the input that each neuron of layer 1 reads, and `premises` (rule, input)
    are the neurons of layer 1 that each neuron of layer 2 multiplies.
    """

    inputs: np.ndarray
    premises: np.ndarray
    convention: Convention

    @property
    def exponent(self) -> float:
        """The factor before (x - mu)² / sigma² in the exponent (A01)."""
        return EXPONENT[self.convention]

    @classmethod
    def on_premises(
        cls, premises: ArrayLike, label_counts: Sequence[int], convention: Convention
    ) -> Network:
        """Connect the given premises, each a label number (from 0) for every input."""
        first_neuron = np.concatenate([[0], np.cumsum(label_counts)[:-1]])
        inputs = np.repeat(np.arange(len(label_counts)), label_counts)
        return cls(inputs, np.asarray(premises, dtype=np.int64) + first_neuron, convention)

    @classmethod
    def grid(cls, label_counts: Sequence[int], convention: Convention) -> Network:
        """Connect every premise, in the order of a rule base's cells."""
        cells = np.indices(label_counts).reshape(len(label_counts), -1).T
        return cls.on_premises(cells, label_counts, convention)


def forward_pass(
    network: Network,
    centers: np.ndarray,
    widths: np.ndarray,
    consequents: np.ndarray,
    x: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the outputs y1 to y4 of the layers for samples `x` (sample, input).

    `centers` and `widths` are mu and sigma of each neuron of layer 1, and `consequents` c of each
    rule; NaN leaves the rule out.  Samples are the first axis of every layer's output.
    """
    given = ~np.isnan(consequents)
    c = np.where(given, consequents, 0.0)
    distance = x[:, network.inputs] - centers
    y1 = np.exp(-network.exponent * distance**2 / widths**2)  # Eq. A1
    y2 = given * y1[:, network.premises].prod(axis=-1)  # Eq. A12
    y3 = np.stack([(c * y2).sum(axis=-1), y2.sum(axis=-1)], axis=-1)  # Eq. A9
    y4 = y3[:, 0] / y3[:, 1]  # Eq. A6
    return y1, y2, y3, y4


def backward_pass(
    network: Network,
    centers: np.ndarray,
    widths: np.ndarray,
    consequents: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return L (Eq. cross_entropy with p = O), dL / dmu and dL / dsigma.

    `y` is 1 where the subject responded and 0 where she continued; the rest is as in
    :func:`forward_pass`.  Local gradients are computed from right to left.
    """
    y1, _, y3, y4 = forward_pass(network, centers, widths, consequents, x)
    given = ~np.isnan(consequents)
    c = np.where(given, consequents, 0.0)
    y31, y32 = y3.T

    delta4 = y / y4 - (1 - y) / (1 - y4)  # Eq. A4
    dy4_dy3 = np.stack([1 / y32, -y31 / y32**2], axis=-1)  # Eq. A7
    delta3 = delta4[:, None] * dy4_dy3  # Eq. A5
    dy3_dy2 = np.stack([c, np.ones_like(c)])  # Eq. A10
    delta2 = given * (delta3 @ dy3_dy2)  # Eq. A8

    delta1 = np.zeros_like(y1)  # Eq. A11
    for j, premise in enumerate(network.premises):
        for i in premise:
            others = premise[premise != i]
            dy2_dy1 = y1[:, others].prod(axis=-1)  # Eq. A13
            delta1[:, i] += delta2[:, j] * dy2_dy1

    # The factor 2 of A2 and A3 is that of Eq. A1; in the other convention it is 1.
    factor = 2 * network.exponent
    distance = x[:, network.inputs] - centers
    by_center = (delta1 * factor * distance / widths**2 * y1).sum(axis=0)  # Eq. A2
    by_width = (delta1 * factor * distance**2 / widths**3 * y1).sum(axis=0)  # Eq. A3
    log_likelihood = float(np.sum(np.log(np.where(y == 1, y4, 1 - y4))))
    return log_likelihood, by_center, by_width
