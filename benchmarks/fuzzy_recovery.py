"""How often structure learning finds a true rule base, and what survival-weighted bridges bring.

1. Synthetic subjects: points spread evenly, responses drawn from a true controller with three
   labels; share of subjects with all nine cells right, for the paper's rule (largest certainty)
   and for the certainty-weighted vote.
2. Simulated canoe subjects: fits on uniform and on survival-weighted bridges, against the fit on
   the true paths.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from dataclasses import replace

import numpy as np

from fuzzybounds.canoe import task
from fuzzybounds.canoe.paths import locate
from fuzzybounds.cohort.fuzzy_subjects import one_session_subject
from fuzzybounds.fuzzy.bridges import draw_candidates, fit_candidates, reweight, weighted_points
from fuzzybounds.fuzzy.membership import equidistant
from fuzzybounds.fuzzy.rules import RuleBase
from fuzzybounds.fuzzy.wang_mendel import learn_structure
from fuzzybounds.storage.seeds import generator

SUBJECTS, SIZES, WIDTHS = 2000, (60, 150, 400), (0.2, 0.25, 0.3)


def rule_bases() -> None:
    falling = RuleBase.from_table({"L": "SSS", "M": "CSS", "S": "CCS"}).consequents
    start = equidistant(3, convention="width")
    print(f"all nine cells right, of {SUBJECTS} synthetic subjects, at {SIZES} points")
    for kind in ("falling boundary", "random tables"):
        for width in WIDTHS:
            truth = equidistant(3, width=width, convention="width")
            share = {"largest": [], "vote": []}
            for size in SIZES:
                rng = generator(1, "recovery", kind, str(width), size)
                tables = np.broadcast_to(falling, (SUBJECTS, 3, 3))
                if kind == "random tables":
                    tables = rng.integers(0, 2, (SUBJECTS, 3, 3)).astype(float)
                inputs = rng.random((SUBJECTS, 2, size))
                time, position = (truth.degrees(inputs[:, k], normalised=True) for k in (0, 1))
                output = np.einsum("spi,sij,spj->sp", time, tables, position)
                responded = rng.random(output.shape) < output
                for resolution, found in share.items():
                    learnt = learn_structure(
                        inputs, responded, (start, start), resolution=resolution
                    )
                    found.append((learnt.consequents == tables).all(axis=(1, 2)).mean())
            told = "; ".join(
                f"{resolution} " + " / ".join(f"{100 * value:.1f}" for value in found) + " %"
                for resolution, found in share.items()
            )
            print(f"  {kind}, true width {width}: {told}")


def bridges(subjects: int = 24, trials: int = 90, candidates: int = 30) -> None:
    start = (equidistant(5, convention="width"),) * 2
    output, position = [], []
    for number in range(1, subjects + 1):
        name = f"S{number:02d}"
        subject = one_session_subject(1, "bridges", name)
        controller, frames = subject.controller("easy", 1), subject.policies["easy"].frames
        rng = generator(1, "bridges", name, "trials")
        done = task.simulate_trials(
            lambda t, x, c=controller, o=frames: c.output(t, x) / o, task.EASY, trials, rng
        )
        fits = done.responded & locate(done.decision_time, done.position).fits
        time, at = done.decision_time[fits], done.position[fits]
        bridge = draw_candidates(locate(time, at), time, at, candidates, rng)
        frame = rng.integers(0, done.frame[fits], size=bridge.earlier_time.shape)
        recorded = replace(
            bridge,
            earlier_time=frame * task.FRAME / task.DEADLINE,
            earlier_position=np.abs(done.paths[np.flatnonzero(fits), frame]) / task.EDGE,
        )
        uniform = np.full(bridge.earlier_time.shape, 1 / candidates)
        truth, weighted = fit_candidates(recorded, uniform, start), reweight(bridge, start)
        t, x = weighted_points(recorded, uniform).inputs[0]
        output.append(
            [
                np.sqrt(np.mean((model.output(t, x) - truth.output(t, x)) ** 2))
                for model in (fit_candidates(bridge, uniform, start), weighted.controller)
            ]
        )
        position.append(
            [
                task.EDGE * (weights * bridge.earlier_position).sum(axis=0).mean()
                - task.EDGE * recorded.earlier_position.mean()
                for weights in (uniform, weighted.weights)
            ]
        )
    output, position = np.array(output), np.array(position)
    print(
        f"\nbridges of {subjects} simulated subjects, {trials} trials: root mean square from the "
        f"output fitted to true paths {output[:, 0].mean():.3f} (uniform) and "
        f"{output[:, 1].mean():.3f} (survival-weighted, nearer in "
        f"{(output[:, 1] < output[:, 0]).mean():.0%}); earlier points too far out by "
        f"{position[:, 0].mean():.1f} px and {position[:, 1].mean():.1f} px"
    )


if __name__ == "__main__":
    rule_bases()
    bridges()
