"""Trials of learning a CPU second, for every rule, initial rule base and time between decisions."""

import time

import numpy as np

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.rules import RuleBase
from fuzzybounds.paper.reinforcement.design import PAPER_UNCUED
from fuzzybounds.paper.reinforcement.policy import Decisions, paper_memberships
from fuzzybounds.paper.reinforcement.update_rules import Rule, learn, soften

BASES = {"slow": {"L": "CCS", "M": "CCS", "S": "CCC"}, "fast": {"L": "SSS", "M": "SSS", "S": "CSS"}}
RULES = {
    "outcome": Rule("outcome", learning_rate=1e-5, leak=0.9),
    "hindsight": Rule("hindsight", learning_rate=1e-4, range="logit"),
    "score": Rule("score", learning_rate=1e-5, range="logit"),
}
TRIALS, REPLICATES = 10_000, 10


def trials_per_second(rule, controller, decisions):
    def run(trials):
        learn(
            rule,
            controller,
            decisions,
            PAPER_UNCUED,
            trials=trials,
            replicates=REPLICATES,
            rng=np.random.default_rng(1),
            every=trials,
        )

    run(1)
    start = time.process_time()
    run(TRIALS)
    return TRIALS * REPLICATES / (time.process_time() - start)


def main():
    for labels in (3, 5):
        memberships = paper_memberships(labels)
        for name, letters in BASES.items():
            rules = RuleBase.from_table(letters)
            if labels == 5:
                rules = RuleBase.from_consequents(
                    np.kron(rules.consequents, np.ones((2, 2)))[1:, 1:]
                )
            controller = soften(Controller(memberships, memberships, rules), 0.02)
            for frames in (30, 6, 1):
                speeds = [
                    f"{label} {trials_per_second(rule, controller, Decisions(1.0, frames)):11,.0f}"
                    for label, rule in RULES.items()
                ]
                print(f"{labels} labels, {name}, {frames:2} frames a decision:", *speeds)


if __name__ == "__main__":
    main()
