"""Cohorts with known truths, simulated under a design and analysed as the data will be.

A subject has the parameters of a person of the simulated cohort, and one of these truths:

- *met*: a boundary, drawn once per trial, that is met;
- *kept*: that, but where it is met before the signal, the decision is kept: the subject responds at
  the signal, wherever the canoe is then;
- *hazard*: a chance to respond that depends on time and distance;
- *directed*: the same, smaller while the canoe moves inward;
- *dependent*: that, with positions that shift from trial to trial, as people's do;
- *rules*: the paper's rules of consequents 0 and 1, one monotone rule base after the other.

Every truth but the last is judged by the density of left-out trials, as in
:mod:`~fuzzybounds.stopping.comparison`; the last by the exact posterior of rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit, softmax

from fuzzybounds.cohort.boundary_subjects import PARAMETERS, Boundary, people
from fuzzybounds.core.seeds import generator
from fuzzybounds.core.thresholds import KNOWN
from fuzzybounds.logs.study_design import StudyDesign
from fuzzybounds.paper.reinforcement.design import design as paper_design
from fuzzybounds.stopping import rules
from fuzzybounds.stopping.answers import DESIRE, MEETING
from fuzzybounds.stopping.data import ALL, FEWEST, Data, likelihoods, responses
from fuzzybounds.stopping.designs import Seen, draw_trials, likelihoods_on, respond, seen_on
from fuzzybounds.stopping.gate import gate_effect, read_subject
from fuzzybounds.stopping.lattice import Bins
from fuzzybounds.stopping.rule_posterior import GAINS, LAPSES, NUMBER, all_bases, weigh_parts

RECORDED, BRIDGED = "recorded", "bridged"
MET, KEPT, HAZARD, DIRECTED = "met", "kept", "hazard", "directed"
DEPENDENT, RULES = "dependent", "rules"
RIGHT = {MET: MEETING, KEPT: MEETING, HAZARD: DESIRE, DIRECTED: DESIRE, DEPENDENT: DESIRE}
"""The answer that is taken for right, by truth: is a boundary met?  Of a hazard neither is."""
TRUTHS = (*RIGHT, RULES)
GAIN, TAU, INWARD = 0.3, 20.0, 0.2
"""Of hazards: the chance to respond in a bin beyond the boundary, the px over which it rises, and
the ratio of chances, inward to outward.  They were chosen, not fitted."""
SHIFT_SD, SHIFT_CORRELATION = 30.0, 0.8
"""Of shifts from trial to trial in px, as the models of sessions find them in Experiment A."""
TIME_RANGE, POSITION_RANGE, SPREAD = 10.0, 300.0, 0.15
"""Of the labels of simulated rules in s and px, and how much they vary between subjects (logs)."""
SHARES = (0.25, 0.5, 1.0)
"""Parts of the first session that are analysed as well."""
FOLDS = 3
BINS = Bins()


class Simulated(NamedTuple):
    """A subject's trials of the analysed condition, positions at decisions, delay and rule base."""

    trials: pd.DataFrame
    positions: np.ndarray
    delay: float
    base: np.ndarray


def simulate_subject(design: StudyDesign, truth: str, number: int, seed: int) -> Simulated:
    """Let the subject of some number do all sessions of a design.

    Random numbers are named by truth and subject, so that designs are compared on the same people.
    """
    rng = generator(seed, "plan", truth, number)
    table = people()
    person = table[table["person"] == 1 + number % table["person"].max()].set_index("condition")
    bases = rules.monotone_bases(NUMBER)
    base = bases[number % len(bases)]
    ranges = np.exp(SPREAD * rng.normal(size=2)) * (TIME_RANGE, POSITION_RANGE)
    rule = base, ranges, rng.choice(GAINS[1:]), rng.choice(LAPSES)
    most = int(np.ceil(design.blocks * design.block / design.overhead)) + design.blocks
    hard = rng.random(most) < design.hard_share
    parts, places = [], []
    for name, condition in design.conditions.items():
        policy = Boundary(**{key: float(person.loc[name, key]) for key in PARAMETERS})
        drawn = draw_trials(design, condition, most, rng)
        positions = drawn.positions[:, :: int(BINS.within[0])]
        chance = _chance(truth, policy, rule, seen_on(positions, BINS), rng)
        delay = person.loc["easy", "motor_delay"]
        made = respond(design, condition, drawn, chance, BINS, rng, delay)
        used = hard == (name != "easy")
        parts.append(made[used].assign(condition=name))
        places.append(positions[used])
    order = np.argsort(np.concatenate([np.flatnonzero(~hard), np.flatnonzero(hard)]))
    trials = pd.concat(parts, ignore_index=True).iloc[order].reset_index(drop=True)
    ends = trials["total"].cumsum()
    trials = trials.assign(
        subject=str(number),
        session=1,
        trial=np.arange(1, len(trials) + 1),
        minutes=ends / 60,
        block=(ends // design.block).astype(int) + 1,
    )
    cued = design.experiment == "A"
    kept = (ends <= design.blocks * design.block) & ((trials["condition"] == "easy") | (not cued))
    positions = np.concatenate(places)[order]
    return Simulated(trials[kept].reset_index(drop=True), positions[kept.to_numpy()], delay, base)


def _chance(
    truth: str, policy: Boundary, rule: tuple, seen: Seen, rng: np.random.Generator
) -> np.ndarray:
    """Return the chance to respond at every decision of every trial."""
    if truth == RULES:
        base, ranges, gain, lapse = rule
        time = np.broadcast_to(seen.time, seen.distance.shape)
        output = rules.output(time, seen.distance, rules.starting_labels(NUMBER, *ranges), base)
        return lapse + (gain - lapse) * output
    number = len(seen.distance)
    noise = rng.normal(size=number)
    if truth in (MET, KEPT):
        chance = policy.hazard(seen.time, seen.distance, policy.sigma * noise)
        if truth == KEPT:
            decided = rng.random(chance.shape) < chance
            chance = np.logical_or.accumulate(decided, axis=1).astype(float)
        return chance
    shift = np.zeros(number)
    if truth == DEPENDENT:
        shift[0], fresh = noise[0], np.sqrt(1 - SHIFT_CORRELATION**2)
        for trial in range(1, number):
            shift[trial] = SHIFT_CORRELATION * shift[trial - 1] + fresh * noise[trial]
    beyond = seen.distance - SHIFT_SD * shift[:, None] - policy.curve(seen.time)
    chance = policy.lapse + (GAIN - policy.lapse) * expit(beyond / TAU)
    return chance if truth == HAZARD else chance * (seen.outward + INWARD * (1 - seen.outward))


def prepare_simulated(
    subject: Simulated,
    used: np.ndarray,
    paths: str,
    deadline: float,
    cued: bool,
    *,
    marked: bool = False,
) -> Data:
    """Return some trials as the fits take them; the motor delay is taken as known."""
    trials = subject.trials[used].reset_index(drop=True)
    if paths == RECORDED:
        seen = subject.positions[used]
        known = likelihoods_on(trials, seen, BINS, [subject.delay], deadline, marked=marked)
    else:
        known = likelihoods(trials, BINS, [subject.delay])
    done = responses(trials)
    columns = (done[name].to_numpy()[None] for name in ("time", "position", "responded"))
    return Data(
        str(trials["subject"].iloc[0]),
        "easy" if cued else ALL,
        trials,
        0,
        {0.0: known[subject.delay]},
        rules.Points(*columns),
        done["trial"].to_numpy(),
        paper_design("logs", cued=cued),
    )


def plan_subjects(
    design: StudyDesign,
    truth: str,
    subjects: int,
    *,
    paths: str = RECORDED,
    shares: Sequence[float] = SHARES,
    seed: int = 1,
) -> Iterator[dict[str, Any]]:
    """Simulate and analyse subjects: rows for every part of a session.

    Parameters
    ----------
    design : StudyDesign
        Of which `blocks` are those of all sessions.
    truth : str
        One of :data:`TRUTHS`.
    subjects : int
    paths : str
        Whether paths are recorded, or summed over.
    shares : sequence of float
        Parts of all blocks, the first ones, that are analysed, the largest last.
    seed : int

    Yields
    ------
    dict
        The subject, share, minutes and trials; with rules their number of cells that are known and
        right, or wrong, the probability of the true base, and the information in bits; with other
        truths by how many nats the right answer is ahead, and the effect of a gate in px.
    """
    cued = design.experiment == "A"
    for number in range(subjects):
        subject = simulate_subject(design, truth, number, seed)
        minutes = subject.trials["minutes"].to_numpy()
        session = design.blocks * design.block / 60
        parts = [minutes <= share * session for share in shares]
        about = [
            {"subject": number, "share": share, "minutes": share * session, "trials": part.sum()}
            for share, part in zip(shares, parts, strict=True)
        ]
        # As in :mod:`~fuzzybounds.stopping.data`: with fewer responses nothing is concluded.
        responded = subject.trials["responded"].to_numpy()
        enough = [(part & responded).sum() >= FEWEST for part in parts]
        arguments = (paths, design.deadline, cued)
        results: list[Mapping[str, float]] = []
        if truth == RULES:
            evidence = [np.zeros(2 ** (NUMBER * NUMBER))] * len(parts)
            if enough[-1]:
                data = prepare_simulated(subject, parts[-1], *arguments)
                weighed = weigh_parts(data, [part[parts[-1]] for part in parts])
                evidence = [
                    each.of_bases * fits for each, fits in zip(weighed, enough, strict=True)
                ]
            results = [weigh_rules(of_bases, subject.base) for of_bases in evidence]
        else:
            for part, fits in zip(parts, enough, strict=True):
                lead = effect = 0.0
                if fits:
                    lead, whole = read_subject(prepare_simulated(subject, part, *arguments), FOLDS)
                    marked = prepare_simulated(subject, part, *arguments, marked=True)
                    effect = gate_effect(marked, whole) if design.gate else np.nan
                results.append({"lead": lead if RIGHT[truth] == MEETING else -lead, "gate": effect})
        yield from (one | dict(more) for one, more in zip(about, results, strict=True))


def weigh_rules(of_bases: np.ndarray, base: np.ndarray) -> Mapping[str, float]:
    """Return what is known of a rule base, given the log-likelihoods of all and the true one."""
    bases, chance = all_bases().reshape(len(of_bases), -1), softmax(of_bases)
    stop, true = chance @ bases, base.ravel()
    some = chance[chance > 0]
    return {
        "cells_right": float((np.where(true > 0.5, stop, 1 - stop) > KNOWN).sum()),
        "cells_wrong": float((np.where(true > 0.5, 1 - stop, stop) > KNOWN).sum()),
        "p_true_base": float(chance[(bases == true).all(axis=1)].sum()),
        "bits": float(np.log2(len(bases)) + (some * np.log2(some)).sum()),
    }
