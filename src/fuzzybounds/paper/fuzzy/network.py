"""The controller as a neural network of four layers (Fig. 7): what is connected to what.

Neurons of layer 1 are numbered as in the appendix: the labels of the first input, then those of
the next.  So with three labels each, neuron 1 of layer 2 multiplies neurons 1 and 4 (Eq. A12).
Here they count from 0, and there may be any number of inputs and labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fuzzybounds.paper.fuzzy.membership import EXPONENT, Convention, check_convention


@dataclass(frozen=True, eq=False)
class Network:
    """The connections of layers 1 and 2.

    Parameters
    ----------
    inputs : array of int, shape (n_neurons,)
        The input that each neuron of layer 1 reads.
    premises : array of int, shape (n_rules, n_inputs)
        The neurons of layer 1 that each neuron of layer 2 multiplies.
    convention : {"width", "deviation"}
        What sigma means in the activation of layer 1 (ambiguity A01).
    """

    inputs: np.ndarray
    premises: np.ndarray
    convention: Convention

    def __post_init__(self):
        check_convention(self.convention)

    @property
    def exponent(self) -> float:
        """The factor before (x - mu)² / sigma² in the exponent."""
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
