"""Recovery of learning models, simulated from fits to some subjects: which wins by BIC.

Trials are taken to be cued: of the published logs, Experiment A's is meant.
"""

import time

import numpy as np
import pandas as pd
from cohort_data import trials

from fuzzybounds.beyond.learners.people.fits import fit_subject
from fuzzybounds.beyond.learners.people.likelihood import Likelihood
from fuzzybounds.beyond.learners.people.sequence import sequence
from fuzzybounds.canoe.task import CONDITIONS, DEADLINE, EDGE, FRAME, simulate_trials
from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.policy import paper_memberships

MODELS = ("none", "drift", "hindsight")
SUBJECTS, TRIALS = 3, 250
MEMBERSHIPS, FRAMES = paper_memberships(3), 6


def fits_of(own):
    subject = sequence(own, cued=True)
    none = fit_subject(subject, "none", MEMBERSHIPS, FRAMES)
    others = [fit_subject(subject, model, MEMBERSHIPS, FRAMES, start=none) for model in MODELS[1:]]
    return dict(zip(MODELS, [none, *others], strict=True))


def simulated_from(fit, conditions, rng):
    """Let a subject who learns as a fit says do the task."""
    rows = []
    learning = (0.0, 1.0) if fit.model == "none" else (fit.learning_rate, fit.leak)
    consequents = fit.consequents
    for number, name in enumerate(conditions, start=1):
        rules = RuleBase.from_consequents(consequents[int(name != "easy")])
        controller = Controller(MEMBERSHIPS, MEMBERSHIPS, rules)

        def policy(seconds, distance, controller=controller):
            decides = np.round(seconds / FRAME).astype(int) % FRAMES == 0
            return decides * controller.output(seconds / DEADLINE, distance / EDGE)

        done = simulate_trials(policy, CONDITIONS[name], 1, rng)
        responded = bool(done.responded[0])
        rows.append(
            {
                "trial": number,
                "rt": done.decision_time[0] if responded else np.nan,
                "position": done.position[0] if responded else done.paths[0, -2],
                "condition": name,
                "correct": bool(done.correct[0]),
                "responded": responded,
            }
        )
        subject = sequence(pd.DataFrame(rows), cued=True)
        if fit.model != "none" and subject.cue.max() == 1:
            so_far = Likelihood(subject, MEMBERSHIPS, FRAMES)
            consequents = so_far(fit.model, fit.consequents, *learning)[2]
    return pd.DataFrame(rows)


def main():
    name, table = trials()
    start, right = time.process_time(), 0
    for subject in list(table["subject"].unique())[:SUBJECTS]:
        own = table[table["subject"] == subject].head(TRIALS)
        for truth, fit in fits_of(own).items():
            rng = np.random.default_rng([SUBJECTS, len(truth)])
            again = fits_of(simulated_from(fit, own["condition"].tolist(), rng))
            bic = {model: round(found.bic, 1) for model, found in again.items()}
            winner = min(bic, key=bic.get)
            right += winner == truth
            print(f"{name} {subject}, true {truth}: {winner} wins, BIC {bic}", flush=True)
    seconds = time.process_time() - start
    print(f"{right} of {SUBJECTS * len(MODELS)} recovered in {seconds:.0f} CPU s")


if __name__ == "__main__":
    main()
