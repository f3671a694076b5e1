"""What a subject's trials say about every rule: the exact posterior over all rule bases.

With three labels of each variable there are 2^9 = 512 rule bases of consequents 0 and 1, few enough
to compute the likelihood of each (:mod:`~fuzzybounds.stopping.likelihood`), on a grid of what else
is unknown: how far the labels reach, the paper's o, a lapse, and the motor delay.  The posterior
of a premise is the share of all weight on bases that say stop there.

The prior of a base is either the same for all (*independent*: every premise says stop with 1/2), or
that of the subject's group: the probability that a premise says stop is then estimated over its
members by expectation and maximisation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import logit, logsumexp

from fuzzybounds.canoe.block_windows import block_ranges, split
from fuzzybounds.canoe.samples import draw_points
from fuzzybounds.core.dictionary import TABLES
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.words import FIRST, GROUP, INDEPENDENT, LAST
from fuzzybounds.paper.fuzzy.membership import equidistant, labels
from fuzzybounds.paper.fuzzy.wang_mendel import learn_structure
from fuzzybounds.stopping import rules
from fuzzybounds.stopping.boundaries import GAIN, LAPSE
from fuzzybounds.stopping.data import DRAWS, Data, design_of, prepare
from fuzzybounds.stopping.lattice import Bins, states
from fuzzybounds.stopping.model import Model
from fuzzybounds.stopping.predictions import simulate

NUMBER = 3
"""Labels of each variable; with five there are 33 million bases."""
SCALES = (0.5, 0.7, 1.0)
"""How far labels reach, as shares of the subject's largest time and distance."""
GAINS = (0.05, 0.1, 0.2, 0.4, 0.8)
"""The chance to respond in a bin where every rule says stop, 1 / o."""
LAPSES = (0.003, 0.02)
"""The chance to respond where none does."""
ROUNDS = 200
"""Of expectation and maximisation."""
SURE_BINS = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0])
"""Ends of the ranges of certainty in which the posterior is checked."""


class Setting(NamedTuple):
    """One point of the grid of what is unknown beside the rules."""

    delay: float
    time_scale: float
    position_scale: float
    gain: float
    lapse: float


class Evidence(NamedTuple):
    """Log-likelihoods of one subject's trials: settings by bases."""

    settings: list[Setting]
    logs: np.ndarray

    @property
    def of_bases(self) -> np.ndarray:
        """The log-likelihood of every base, with all settings equally likely before."""
        return logsumexp(self.logs, axis=0) - np.log(len(self.settings))

    @property
    def best(self) -> tuple[Setting, int]:
        """The most likely setting and base."""
        setting, base = np.unravel_index(self.logs.argmax(), self.logs.shape)
        return self.settings[setting], int(base)


def all_bases(number: int = NUMBER) -> np.ndarray:
    """Return all rule bases: 1 where a premise (time, position) says stop."""
    return np.array(list(product((0.0, 1.0), repeat=number * number))).reshape(-1, number, number)


def scaled_labels(ranges: tuple[float, float], setting: Setting) -> np.ndarray:
    """Return the labels of a setting, in s and px."""
    time, position = ranges
    return rules.starting_labels(
        NUMBER, time * setting.time_scale, position * setting.position_scale
    )


def weigh_bases(data: Data) -> Evidence:
    """Return the log-likelihood of all trials under every setting and rule base."""
    return weigh_parts(data, [np.ones(len(data.trials), dtype=bool)])[0]


def weigh_parts(data: Data, parts: Sequence[np.ndarray]) -> list[Evidence]:
    """Return the same for parts of the trials, each chosen by truth values."""
    bases = all_bases()
    settings = [
        Setting(*values) for values in product(data.likelihoods, SCALES, SCALES, GAINS, LAPSES)
    ]
    logs = np.empty((len(settings), len(bases), len(parts)))
    outputs: dict[tuple[float, float], np.ndarray] = {}
    for place, setting in enumerate(settings):
        likelihood = data.likelihoods[setting.delay]
        where, reach = likelihood.states, setting[1:3]
        if reach not in outputs:
            tuned = scaled_labels(data.points.ranges, setting)
            time, position = (
                rules.shares(where.time, *tuned[:2]),
                rules.shares(where.position, *tuned[2:]),
            )
            premises = (time[:, None] * position).reshape(NUMBER * NUMBER, -1)
            outputs[reach] = bases.reshape(len(bases), -1) @ premises
        hazard = setting.lapse + (setting.gain - setting.lapse) * outputs[reach]
        counts = np.stack([likelihood.counts(part) for part in parts], axis=1)
        logs[place] = likelihood.totals(hazard, counts)
    return [Evidence(settings, of_part) for of_part in np.moveaxis(logs, -1, 0)]


def common_rules(of_bases: np.ndarray) -> np.ndarray:
    """Return how common "stop" is among subjects (rows of log-likelihoods of bases), by premise."""
    bases = all_bases().reshape(of_bases.shape[1], -1)
    common = np.full(bases.shape[1], 0.5)
    for _ in range(ROUNDS):
        says_stop = posterior(of_bases, common).sum(axis=0)
        common = (says_stop + 1.0) / (len(of_bases) + 2.0)
    return common


def posterior(of_bases: np.ndarray, common: np.ndarray | float = 0.5) -> np.ndarray:
    """Return the probability that each premise says stop: subjects by premises."""
    bases = all_bases().reshape(of_bases.shape[1], -1)
    common = np.broadcast_to(common, bases.shape[1])
    prior = bases @ np.log(common) + (1 - bases) @ np.log1p(-common)
    logs = of_bases + prior
    return np.exp(logs - logsumexp(logs, axis=1, keepdims=True)) @ bases


def infer_rules(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    groups: pd.DataFrame,
    paths: pd.DataFrame | None = None,
    *,
    cued: bool,
    condition: str,
    blocks: int,
    delays: Sequence[float],
) -> pd.DataFrame:
    """Compute the posterior of every rule of every subject in both windows.

    Parameters
    ----------
    trials, samples, design, groups : DataFrame
        Result tables.
    paths : DataFrame, optional
        Recorded paths.
    cued : bool
        Without cues, the rules serve all trials.
    condition : str
        Whose trials are used, if there are cues.
    blocks : int
        Of a window.
    delays : sequence of float
        Motor delays in s, equally likely before.

    Returns
    -------
    DataFrame
        The table ``rule_posterior``.
    """
    group = groups.set_index("subject")["group"]
    rows = []
    for window in (FIRST, LAST):
        arguments = (window, cued, condition, blocks, delays, paths)
        subjects = list(_in_window(trials, samples, design, *arguments))
        if not subjects:
            continue
        names = [data.subject for data in subjects]
        of_bases = np.array([weigh_bases(data).of_bases for data in subjects])
        members = group.reindex(names).fillna("").to_numpy()
        common = np.full((len(names), NUMBER * NUMBER), np.nan)
        pooled = np.full_like(common, np.nan)
        for name in np.unique(members[members != ""]):
            chosen = members == name
            common[chosen] = common_rules(of_bases[chosen])
            pooled[chosen] = posterior(of_bases[chosen], common[chosen][0])
        alone = posterior(of_bases)
        for prior, values in ((INDEPENDENT, alone), (GROUP, pooled)):
            for place, name in enumerate(names):
                if np.isnan(values[place]).any():
                    continue
                for cell, (time, position) in enumerate(product(labels(NUMBER), repeat=2)):
                    rows.append(
                        (
                            *(name, window, NUMBER, time, position, values[place, cell], prior),
                            *(members[place], common[place, cell]),
                        )
                    )
    return pd.DataFrame(rows, columns=TABLES["rule_posterior"].names)


def _in_window(
    trials, samples, design, window, cued, condition, blocks, delays, paths=None
) -> Iterator[Data]:
    """Yield the data of every subject in a window, ready for the likelihood."""
    ranges = block_ranges(trials, blocks)
    parts = (split(table, ranges) for table in (trials, samples))
    trials, samples = (part[part["window"] == window] for part in parts)
    task = design_of(design, cued=cued)
    yield from prepare(trials, samples, Bins(), task, [condition], delays, paths)


class _Truth(NamedTuple):
    """A simulated subject who follows rules of the paper."""

    base: np.ndarray
    ranges: tuple[float, float]
    setting: Setting


def check_rule_posterior(
    trials: pd.DataFrame,
    samples: pd.DataFrame,
    design: pd.DataFrame,
    *,
    cued: bool,
    condition: str,
    blocks: int,
    delays: Sequence[float],
    subjects: int,
    seed: int,
    dataset: str,
) -> pd.DataFrame:
    """Simulate subjects from their most likely rules, and see which are found, and how surely.

    Parameters
    ----------
    trials, samples, design, cued, condition, blocks, delays
        As in :func:`infer_rules`.
    subjects : int
        How many subjects are simulated, each on the trials of its first window.
    seed, dataset
        Name the random numbers.

    Returns
    -------
    DataFrame
        The table ``rule_posterior_check``.
    """
    observed = list(_in_window(trials, samples, design, FIRST, cued, condition, blocks, delays))
    task = design_of(design, cued=cued)
    p0 = {each.name: each.p0 for each in task.conditions}
    sure, right, by_points = [], [], []
    for data in observed[:: max(len(observed) // subjects, 1)][:subjects]:
        setting, place = weigh_bases(data).best
        truth = _Truth(all_bases()[place], data.points.ranges, setting)
        rng = generator(seed, dataset, data.subject, "rule posterior")
        made = _simulate(data.trials, truth, p0, rng)
        none = pd.DataFrame(columns=["subject", "trial", "time", "position"])
        points = draw_points(made, none, DRAWS, seed, f"{dataset} rule posterior")
        (again,) = prepare(made, points, Bins(), task, [condition], delays)
        says_stop = posterior(weigh_bases(again).of_bases[None])[0]
        true = truth.base.ravel()
        sure.append(np.maximum(says_stop, 1 - says_stop))
        right.append((says_stop > 0.5) == (true > 0.5))
        by_points.append(np.abs(_wang_mendel(again) - true) < 0.5)
    rules_found = [np.concatenate(parts) for parts in (sure, right, by_points)]
    return _tabulate(rules_found, len(sure))


def _simulate(
    trials: pd.DataFrame, truth: _Truth, p0: Mapping[str, float], rng: np.random.Generator
) -> pd.DataFrame:
    """Simulate as many trials as a subject made, in the same blocks."""
    hazard, _ = rules.of_the_paper(truth.base, scaled_labels(truth.ranges, truth.setting))
    parameters = (LAPSE, GAIN, *rules.label_parameters(NUMBER))
    model = Model("truth", "paper_rules", parameters, hazard, [])
    theta = np.append(logit([truth.setting.lapse, truth.setting.gain]), np.zeros(4 * NUMBER))
    chances = trials["condition"].map(p0).to_numpy(dtype=float)
    made = simulate(model, theta, states(Bins()), chances, rng, truth.setting.delay)
    return trials.assign(**{name: made[name].to_numpy() for name in made})


def _wang_mendel(data: Data) -> np.ndarray:
    """Return the consequents that the paper's structure learning extracts; NaN without a point."""
    scale = np.reshape(data.points.ranges, (2, 1))
    inputs = np.stack([data.points.time[0], data.points.position[0]]) / scale
    memberships = [equidistant(NUMBER, convention="width")] * 2
    return learn_structure(inputs[None], data.points.responded[:1], memberships).consequents.ravel()


def _tabulate(rules_found: Sequence[np.ndarray], subjects: int) -> pd.DataFrame:
    """Return how many rules are right by how sure the posterior is, and over all."""
    sure, right, by_points = rules_found
    edges = [(SURE_BINS[0], SURE_BINS[-1]), *pairwise(SURE_BINS)]
    rows = []
    for low, high in edges:
        chosen = (sure >= low) & ((sure < high) | (high == SURE_BINS[-1]))
        mean = (
            values[chosen].mean() if chosen.any() else np.nan for values in (sure, right, by_points)
        )
        rows.append((low, high, *mean, int(chosen.sum()), subjects))
    return pd.DataFrame(rows, columns=TABLES["rule_posterior_check"].names)
