"""What is true of simulated subjects by construction, by what they follow.

See :mod:`fuzzybounds.cohort.boundary_subjects` and :mod:`fuzzybounds.cohort.fuzzy_subjects`.
"""

from __future__ import annotations

_DESIGN = {
    "C01": "simulated with this design",
    "C15": "one simulated subject of three sessions has one rule that says continue, the other "
    "four; practice does not change them",
}
TRUTH = {
    "boundaries": {
        **_DESIGN,
        "C02": "boundaries of simulated subjects change with time as those fitted to people",
        "C03": "boundaries of simulated subjects change with time as those fitted to people",
        "C04": "simulated subjects do not learn from rewards; their boundaries drift with practice "
        "and are correlated from trial to trial",
        "C10": "simulated subjects have boundaries and no rules; those of slow ones are higher",
        "C11": "simulated subjects have boundaries, and no consequents",
        "C12": "simulated subjects have boundaries, which drift, and no consequents",
        "C13": "simulated subjects differ in their boundaries as people do",
        "C14": "the boundary of each simulated subject drifts as that of one person",
        "B01": "simulated subjects of one session stop by boundaries",
    },
    "rules": {
        **_DESIGN,
        "C02": "the rules of every simulated subject say stop at smaller positions as time passes",
        "C03": "the rules of every simulated subject say stop at smaller positions as time passes",
        "C04": "simulated subjects do not learn from rewards; practice stretches their position "
        "labels",
        "C10": "simulated fast subjects have rules that stop at smaller positions than slow ones",
        "C11": "simulated subjects have the consequents 0 and 1 of their style",
        "C12": "the rules of simulated subjects do not change, so neither do their consequents",
        "C13": "simulated fast and slow subjects differ in their rules, in both windows",
        "C14": "practice stretches each simulated subject's position labels by a factor of its own",
        "B01": "simulated subjects stop by fuzzy rules",
    },
}
