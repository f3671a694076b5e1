"""Rank designs by a simulation of its own, and compare with `fuzzybounds plan --compare`.

Nothing of the library is used for walks, hazards and posteriors: a few plain lines, with labels,
gain and lapse known.  Run it from the project: python benchmarks/design_ranking.py
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

DESIGNS = {"recorded": (0, False), "random_start": (5, False), "gate": (0, True)}
DESIGNS["start_and_gate"] = (5, True)
GAIN, LAPSE, TRIALS, P0 = 0.2, 0.01, 120, 0.65
BASES = np.array(list(product((0.0, 1.0), repeat=9)))
MONOTONE = [b for b in BASES.reshape(-1, 3, 3) if (np.diff(b, axis=0) >= 0).all()]
MONOTONE = [b for b in MONOTONE if (np.diff(b, axis=1) >= 0).all() and 0 < b.sum() < 9]


def shares(value: float, reach: float) -> np.ndarray:
    """Return the normalised memberships of small, medium and large."""
    degree = np.exp(-(((value - reach * np.array([0, 0.5, 1])) / (0.3 * reach)) ** 2))
    return degree / degree.sum()


def subject(base: np.ndarray, start: int, gate: bool, rng: np.random.Generator):
    """Return the log-likelihood of every base after a session, and its minutes."""
    logs, seconds = np.zeros(len(BASES)), 0.0
    for _ in range(TRIALS):
        steps = int(rng.integers(-start, start + 1))
        heading = 1 if rng.random() < 1 / (1 + (P0 / (1 - P0)) ** -steps) else -1
        opens = 0.0
        if gate and rng.random() > 0.2:
            opens = 11.0
            while opens > 10:
                opens = 0.3 + rng.exponential(2.2)
        place, bin_number, responded = 45.0 * steps, 0, False
        while bin_number < 150 and not responded:
            if bin_number % 5 == 0:
                way = heading if rng.random() < P0 else -heading
            place += 9.0 * way
            bin_number += 1
            if 0.1 * bin_number < opens:
                continue
            time, distance = 0.1 * bin_number, min(abs(place), 420.0)
            premises = np.outer(shares(time, 10.0), shares(distance, 300.0)).ravel()
            hazards = LAPSE + (GAIN - LAPSE) * BASES @ premises
            responded = rng.random() < LAPSE + (GAIN - LAPSE) * base.ravel() @ premises
            logs += np.log(hazards if responded else 1 - hazards)
        wrong = not responded or place * heading < 0
        seconds += 0.1 * bin_number + 4.05 + 3.0 * wrong
    return logs, seconds / 60


def main(subjects: int = len(MONOTONE)) -> dict[str, float]:
    """Print bits, bits per minute and known cells of every design; return bits per minute."""
    ranking = {}
    for name, (start, gate) in DESIGNS.items():
        rows = []
        for number in range(subjects):
            base = MONOTONE[number % len(MONOTONE)]
            logs, minutes = subject(base, start, gate, np.random.default_rng([1, number]))
            chance = np.exp(logs - logs.max())
            chance /= chance.sum()
            some = chance[chance > 0]
            bits = 9 + (some * np.log2(some)).sum()
            right = np.where(base.ravel() > 0.5, chance @ BASES, 1 - chance @ BASES)
            rows.append((bits, bits / minutes, (right > 0.95).sum(), (right < 0.05).sum(), minutes))
        mean = np.mean(rows, axis=0)
        ranking[name] = float(mean[1])
        print(name, *(f"{value:.3f}" for value in mean), flush=True)
    return ranking


if __name__ == "__main__":
    print("design, bits, bits per minute, cells known and right, known and wrong, minutes")
    main(*map(int, sys.argv[1:]))
