"""The appendix of the paper, equation by equation: the gradients of the log-likelihood.

This is the reference, written to be read next to the appendix.  :mod:`kernel`
computes the same numbers faster; a test compares the two.

L of Eq. cross_entropy is a log-likelihood, so what descends is -L (ambiguity A06).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzybounds.paper.fuzzy.network import Network


@dataclass(frozen=True, eq=False)
class Layers:
    """The output of every neuron for each sample; samples are the first axis."""

    y1: np.ndarray  # (n_samples, n_neurons): certainty for each label
    y2: np.ndarray  # (n_samples, n_rules): certainty of each premise
    y3: np.ndarray  # (n_samples, 2): numerator and denominator of Eq. fuzzy_O
    y4: np.ndarray  # (n_samples,): the output O


def forward_pass(
    network: Network,
    centers: np.ndarray,
    widths: np.ndarray,
    consequents: np.ndarray,
    x: np.ndarray,
) -> Layers:
    """Compute the output of each layer from left to right.

    Parameters
    ----------
    network : Network
    centers, widths : array of shape (n_neurons,)
        mu and sigma.
    consequents : array of shape (n_rules,)
        c; NaN leaves the rule out.
    x : array of shape (n_samples, n_inputs)
    """
    given = ~np.isnan(consequents)
    c = np.where(given, consequents, 0.0)
    distance = x[:, network.inputs] - centers
    y1 = np.exp(-network.exponent * distance**2 / widths**2)  # Eq. A1
    y2 = given * y1[:, network.premises].prod(axis=-1)  # Eq. A12
    y3 = np.stack([(c * y2).sum(axis=-1), y2.sum(axis=-1)], axis=-1)  # Eq. A9
    y4 = y3[:, 0] / y3[:, 1]  # Eq. A6
    return Layers(y1, y2, y3, y4)


def backward_pass(
    network: Network,
    centers: np.ndarray,
    widths: np.ndarray,
    consequents: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
) -> tuple[float, np.ndarray, np.ndarray]:
    """Compute the local gradients from right to left, and with them the gradient of L.

    Parameters
    ----------
    network, centers, widths, consequents, x
        As in :func:`forward_pass`.
    y : array of shape (n_samples,)
        1 where the subject responded, 0 where she continued.

    Returns
    -------
    L : float
        The log-likelihood, Eq. cross_entropy with p = O.
    by_center, by_width : array of shape (n_neurons,)
        dL / dmu and dL / dsigma.
    """
    layers = forward_pass(network, centers, widths, consequents, x)
    given = ~np.isnan(consequents)
    c = np.where(given, consequents, 0.0)
    y1, y4 = layers.y1, layers.y4
    y31, y32 = layers.y3.T

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
