"""Tables of learning by reinforcement: the optimum, simulations, and fits to people."""

from __future__ import annotations

from fuzzybounds.storage.registry.data import CONDITION, SUBJECT
from fuzzybounds.storage.registry.definition import Column, Table
from fuzzybounds.storage.registry.fuzzy import LABELS, POSITION_LABEL, TIME_LABEL

DESIGN = Column("design", "text", "", "paper_uncued, paper_cued or logs_b_uncued")
RESPOND_AT = Column("respond_at", "text", "", "when one may respond: steps or frames")
UPDATE_RULE = Column("rule", "text", "", "update rule")
TRIAL = Column("trial", "integer", "", "trials so far")
BAND = (
    Column("median", "number", "", "median over replicates"),
    Column("low", "number", "", "10 % quantile over replicates"),
    Column("high", "number", "", "90 % quantile over replicates"),
)
RATE = "coins/s"
MODEL = Column("model", "text", "", "name of the learning model")
FIT = (
    Column("nll", "number", "", "negative log-likelihood at its minimum", digits=5),
    Column("aic", "number", "", "Akaike's information criterion", digits=5),
    Column("bic", "number", "", "Bayesian information criterion", digits=5),
)

TABLES = (
    Table(
        "optimum.csv",
        "design and times at which one may respond",
        (
            DESIGN,
            RESPOND_AT,
            Column("reward_rate", "number", RATE, "largest reward rate of any observer"),
            Column("reward", "number", "coins", "mean reward of a trial"),
            Column("time", "number", "s", "mean length of a trial"),
            Column("p0_easy", "number", "", "P0 of easy trials"),
            Column("p0_hard", "number", "", "P0 of hard trials"),
        ),
    ),
    Table(
        "optimal_boundary.csv",
        "point of an optimal boundary",
        (
            DESIGN,
            RESPOND_AT,
            CONDITION,
            Column("time", "number", "s", "decision time"),
            Column("boundary", "number", "px", "least distance at which to respond"),
        ),
    ),
    Table(
        "learning_curves.parquet",
        "window of a replicate of the paper's simulation",
        (
            UPDATE_RULE,
            Column("replicate", "integer", "", "number of the replicate"),
            TRIAL,
            Column("reward_rate", "number", RATE, "reward rate over the last 1000 trials"),
        ),
    ),
    Table(
        "learning_consequents.parquet",
        "consequent at a trial of the paper's simulation",
        (UPDATE_RULE, TRIAL, TIME_LABEL, POSITION_LABEL, *BAND),
    ),
    Table(
        "learning_initial.csv",
        "initial rule base",
        (
            Column("exact", "number", RATE, "its exact reward rate"),
            Column("simulated", "number", RATE, "mean of simulated windows"),
            Column("sd_of_a_window", "number", RATE, "their standard deviation"),
        ),
    ),
    Table(
        "example_trial.parquet",
        "frame of the simulated trial of Fig. 16",
        (
            Column("time", "number", "s", "time from the first movement"),
            Column("position", "number", "px", "distance from the centre"),
            Column("output", "number", "", "output O"),
        ),
        "one column per rule, 'time label,position label': its activation",
    ),
    Table(
        "learning_reach.csv",
        "number of labels, with fixed or tuned memberships",
        (
            LABELS,
            Column("memberships", "text", "", "fixed or tuned"),
            RESPOND_AT,
            # Ascents end in several optima; which ones are reached may differ in the third digit.
            Column("reward_rate", "number", RATE, "largest reward rate", digits=5),
            Column("share_of_optimum", "number", "", "the same, over the optimum", digits=5),
        ),
    ),
    Table(
        "learning_sweep.parquet",
        "reading of the paper's update rule",
        (
            Column("rule_base", "text", "", "initial rule base"),
            Column("o", "integer", "", "o of p = O / o"),
            Column("frames", "integer", "", "frames between two decisions"),
            Column("learning_rate", "number", "", "learning rate"),
            Column("leak", "number", "", "decay of a rule's memory"),
            Column("sign", "integer", "", "-1 as printed, 1 reversed"),
            Column("range", "text", "", "clipped or free consequents"),
            Column("initial", "number", RATE, "exact initial reward rate"),
            Column("replicates", "integer", "", "replicates that were run"),
            Column("first", "number", RATE, "median reward rate, first window"),
            Column("after_3000", "number", RATE, "median reward rate after 3000 trials"),
            Column("last", "number", RATE, "median reward rate, last window"),
            Column("match", "true/false", "", "whether it starts and ends near the paper's"),
        ),
    ),
    Table(
        "learning_sweep_summary.csv",
        "statement about the sweep",
        (
            Column("quantity", "text", "", "what is counted"),
            Column("value", "text", "", "its value"),
        ),
    ),
    Table(
        "learning_rule_curves.parquet",
        "trial of an update rule and a start",
        (UPDATE_RULE, Column("start", "text", "", "initial rule base"), TRIAL, *BAND),
    ),
    Table(
        "learning_rules.csv",
        "update rule and start",
        (
            UPDATE_RULE,
            Column("start", "text", "", "initial rule base"),
            Column("learning_rate", "number", "", "the rate that earned most on other trials"),
            Column("replicates", "integer", "", "replicates"),
            Column("reward_rate", "number", RATE, "median exact reward rate at the end"),
            Column("reward_rate_low", "number", RATE, "10 % quantile"),
            Column("reward_rate_high", "number", RATE, "90 % quantile"),
            Column("share_of_best", "number", "", "median over the best rate of these labels"),
            Column("trials_needed", "number", "", "trials until 95 % of it is kept, median"),
            Column("trials_needed_low", "number", "", "10 % quantile"),
            Column("trials_needed_high", "number", "", "90 % quantile"),
            Column("reached", "number", "", "share of replicates that keep 95 %"),
        ),
    ),
    Table(
        "learning_people.parquet",
        "learning model fitted to one subject's trials, as logged or with shuffled outcomes",
        (
            SUBJECT,
            MODEL,
            Column("shuffle", "integer", "", "number of the shuffle; 0: outcomes as logged"),
            Column("n", "integer", "", "trials with a likelihood"),
            Column("off_lattice", "integer", "", "trials left out: their path is unknown"),
            Column("k", "integer", "", "parameters"),
            *FIT,
            Column("learning_rate", "number", "", "alpha; none without learning", digits=3),
            Column("leak", "number", "", "gamma; none without learning", digits=3),
        ),
        "theta_i_j_k: consequent of cue i, time label j and position label k at the first trial",
        more_digits=3,
    ),
    Table(
        "learning_people_selection.csv",
        "learning model and criterion, over subjects",
        (
            Column("criterion", "text", "", "aic or bic"),
            MODEL,
            Column("subjects", "integer", "", "subjects"),
            Column("total", "number", "", "criterion, summed over subjects", digits=5),
            Column("n_best", "integer", "", "subjects for whom the model is best"),
            Column("better_than_none", "integer", "", "subjects: better than without learning"),
            Column("better_than_drift", "integer", "", "subjects: better than drift"),
            Column("better_than_serial", "integer", "", "subjects: better than serial dependence"),
            Column("frequency", "number", "", "expected share of subjects", digits=3),
            Column("exceedance", "number", "", "probability to be the most frequent", digits=3),
            Column("protected_exceedance", "number", "", "the same, protected", digits=3),
        ),
    ),
    Table(
        "learning_people_control.csv",
        "learning model and shuffle of the outcomes, over subjects",
        (
            MODEL,
            Column("shuffle", "integer", "", "number of the shuffle"),
            Column("subjects", "integer", "", "subjects"),
            Column("nll", "number", "", "summed NLL of the model, outcomes as logged", digits=5),
            Column("nll_shuffled", "number", "", "the same, outcomes shuffled", digits=5),
            Column("nll_drift", "number", "", "summed NLL of drift", digits=5),
            Column("nll_serial", "number", "", "summed NLL of serial dependence", digits=5),
            Column("better_than_drift", "integer", "", "subjects: better than drift"),
            Column("shuffled_better_than_drift", "integer", "", "the same, outcomes shuffled"),
            Column("better_than_shuffled", "integer", "", "subjects: better as logged"),
            Column("p", "number", "", "Wilcoxon signed-rank test, logged vs shuffled", digits=2),
        ),
    ),
)
