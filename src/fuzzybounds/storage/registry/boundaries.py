"""Tables of the boundary models: fits, comparison, recovery."""

from __future__ import annotations

from fuzzybounds.storage.registry.data import CONDITION, SUBJECT
from fuzzybounds.storage.registry.definition import Column, Table

SHAPE = Column("shape", "text", "", "constant or weibull")
LEARNING = Column("learning", "text", "", "none, utility, accuracy, window or rl")
BOUNDARY_TIME = Column("boundary_time", "text", "", "decision or total")
STABLE = Column("stable", "true/false", "", "whether class rl was kept to stable parameters")
CRITERION = Column("criterion", "text", "", "aic or bic")
TRUE_SHAPE = Column("true_shape", "text", "", "shape of the model that was simulated")
TRUE_LEARNING = Column("true_learning", "text", "", "learning class of that model")
WAY = Column("way", "text", "", "walk: met by a canoe; times: drawn at given times")

TABLES = (
    Table(
        "model_fits.parquet",
        "fit of a boundary model to one subject",
        (
            SUBJECT,
            SHAPE,
            LEARNING,
            BOUNDARY_TIME,
            Column("cued", "true/false", "", "whether each condition has its own boundary"),
            STABLE,
            Column("n", "integer", "", "responses fitted"),
            Column("k", "integer", "", "free parameters"),
            Column("nll", "number", "nats", "negative log-likelihood"),
            Column("aic", "number", "", "Akaike's criterion"),
            Column("bic", "number", "", "Bayesian criterion"),
            Column("restarts", "integer", "", "independent searches"),
            Column("restarts_agree", "number", "", "share of them that end at the best NLL"),
            Column("agreed", "true/false", "", "whether at least two of them do"),
            Column("restart_spread", "number", "nats", "worst minus best NLL of the searches"),
            Column("on_bound", "text", "", "parameters on a bound"),
            Column("sigma_floor", "number", "", "share of trials with the smallest noise"),
            Column("level_limit", "number", "", "share of trials with the level at a limit"),
            Column("gain", "number", "", "largest growth of an error from trial to trial"),
            Column("unstable", "true/false", "", "whether errors grow"),
        ),
        "one column per parameter of the boundary models",
    ),
    Table(
        "boundaries.parquet",
        "point of a fitted boundary",
        (
            SUBJECT,
            BOUNDARY_TIME,
            STABLE,
            Column("after", "text", "", "first_block or last_block"),
            CONDITION,
            Column("time", "number", "s", "decision time"),
            Column("boundary", "number", "px", "boundary at that time"),
        ),
    ),
    Table(
        "boundary_changes.csv",
        "boundary after the first block",
        (
            SUBJECT,
            BOUNDARY_TIME,
            STABLE,
            CONDITION,
            Column("earliest", "number", "s", "5 % quantile of response times"),
            Column("latest", "number", "s", "95 % quantile of response times"),
            Column("change", "number", "px", "largest minus smallest boundary between them"),
            Column("net_change", "number", "px", "boundary at the latest minus at the earliest"),
            Column("sigma", "number", "px", "noise of the boundary"),
            Column("varies", "true/false", "", "whether the change exceeds the noise"),
        ),
    ),
    Table(
        "model_selection.csv",
        "boundary model, over subjects",
        (
            BOUNDARY_TIME,
            STABLE,
            SHAPE,
            LEARNING,
            CRITERION,
            Column("frequency", "number", "", "expected share of subjects"),
            Column("exceedance", "number", "", "probability of being the most frequent"),
            Column("protected_exceedance", "number", "", "the same, protected against chance"),
            Column("omnibus_risk", "number", "", "probability that frequencies are equal"),
            Column("n_best", "integer", "", "subjects for whom the model is best"),
            Column("n_unstable", "integer", "", "unstable fits"),
            Column("nll", "number", "nats", "sum over subjects"),
            Column("aic", "number", "", "sum over subjects"),
            Column("bic", "number", "", "sum over subjects"),
            Column("default", "true/false", "", "whether this is the configured criterion"),
        ),
    ),
    Table(
        "shape_evidence.csv",
        "learning class: Weibull against constant boundary",
        (
            BOUNDARY_TIME,
            STABLE,
            LEARNING,
            CRITERION,
            Column("difference", "number", "", "criterion of constant minus Weibull, summed"),
            Column("n_weibull", "integer", "", "subjects for whom it is positive"),
            Column("n_subjects", "integer", "", "subjects"),
            Column("frequency", "number", "", "expected share of subjects, Weibull"),
            Column("exceedance", "number", "", "probability of being the more frequent"),
            Column("protected_exceedance", "number", "", "the same, protected against chance"),
        ),
    ),
    Table(
        "model_recovery_fits.parquet",
        "fit of a boundary model to simulated trials",
        (WAY, TRUE_SHAPE, TRUE_LEARNING),
        "the columns of model_fits",
    ),
    Table(
        "model_recovery.csv",
        "pair of a true and a fitted boundary model",
        (
            WAY,
            STABLE,
            TRUE_SHAPE,
            TRUE_LEARNING,
            SHAPE,
            LEARNING,
            CRITERION,
            Column("share", "number", "", "share of experiments that the fitted model wins"),
            Column("n", "integer", "", "experiments"),
        ),
    ),
    Table(
        "model_recovery_summary.csv",
        "true boundary model",
        (
            WAY,
            STABLE,
            CRITERION,
            TRUE_SHAPE,
            TRUE_LEARNING,
            Column("n", "integer", "", "experiments"),
            Column("model", "number", "", "share of experiments with the right model"),
            Column("shape", "number", "", "share with the right shape"),
            Column("learning", "number", "", "share with the right learning class"),
        ),
    ),
)
