"""Tables of the stopping models: fits, comparison, recovery, predictive checks, sensitivity."""

from __future__ import annotations

from fuzzybounds.storage.registry.data import SUBJECT
from fuzzybounds.storage.registry.definition import Column, Table

CONDITION = Column("condition", "text", "", "easy or hard; all where there were no cues")
SCHEME = Column("scheme", "text", "", "how blocks were left out: interleaved or contiguous")
MODEL = Column("model", "text", "", "name of the stopping model")
FAMILY = Column("family", "text", "", "boundary, rules or control, by its noise")

_FITS = (
    SUBJECT,
    CONDITION,
    MODEL,
    FAMILY,
    Column("scheme", "text", "", "none (all trials), interleaved or contiguous"),
    Column("fold", "integer", "", "which part was left out; 0: none"),
    Column("n", "integer", "", "trials fitted"),
    Column("n_left_out", "integer", "", "trials left out"),
    Column("n_off_lattice", "integer", "", "trials without a path, not used"),
    Column("k", "integer", "", "free parameters"),
    Column("log_likelihood", "number", "nats", "of the trials fitted", 2),
    Column("log_density_left_out", "number", "nats", "of the trials left out", 2),
    Column("searches", "integer", "", "searches for the optimum"),
    Column("searches_agree", "integer", "", "of these within 0.01 nats of the best"),
    Column("converged", "true/false", "", "whether the slope vanishes at the optimum"),
)
NO_DIGIT = 0
"""Some sessions leave parameters open along a ridge, where processors end in different places."""
_SESSION = (
    Column("level", "number", "px", "boundary at the start of a trial", NO_DIGIT),
    Column("asymptote", "number", "px", "boundary in the end", NO_DIGIT),
    Column("time_scale", "number", "s", "in which the difference falls to 1/e", NO_DIGIT),
    Column(
        "lapse", "number", "", "probability to respond in 0.1 s far below the boundary", NO_DIGIT
    ),
    Column("gain", "number", "", "the same far above the boundary", NO_DIGIT),
    Column("tau", "number", "px", "width over which it rises", NO_DIGIT),
    Column("sigma", "number", "px", "standard deviation of the boundary between trials", NO_DIGIT),
    Column("correlation", "number", "", "of the boundary on successive trials", NO_DIGIT),
    Column("drift", "number", "px", "of the boundary from the first to the last block", NO_DIGIT),
)
_SELECTION = (
    Column("n_best", "integer", "", "subjects for whom it is best"),
    Column("frequency", "number", "", "expected share of subjects", 3),
    Column("exceedance", "number", "", "probability of being the most frequent", 2),
    Column("protected_exceedance", "number", "", "the same, protected against chance", 2),
)

_ANSWERS = (
    CONDITION,
    SCHEME,
    Column(
        "question",
        "text",
        "",
        "kind; kind, noise within trials; noise; conditions; shape; or rules",
    ),
    Column("answer", "text", "", "the models that are pooled"),
    Column("models", "integer", "", "how many they are"),
    Column("elpd", "number", "nats", "of their mean density, summed over subjects", 3),
    Column("elpd_difference", "number", "nats", "less that of the best answer", 2),
    Column("se", "number", "nats", "standard error of the difference, over subjects", 2),
    Column("low", "number", "nats", "lower end of its 95 % interval", 2),
    Column("high", "number", "nats", "upper end", 2),
    *_SELECTION,
    Column("subjects", "integer", "", "subjects compared"),
)

_POWER = (
    CONDITION,
    Column("question", "text", "", "as in stopping_questions.csv"),
    Column("true_answer", "text", "", "kind of the model that was simulated"),
    Column("true_model", "text", "", "model that was simulated"),
    Column("simulated", "integer", "", "simulated subjects"),
    Column("cohort", "integer", "", "subjects per cohort, as many as were observed"),
    Column("boundary_ahead", "number", "nats", "expected lead of boundaries over rules", 2),
    Column("se", "number", "nats", "standard deviation of that lead over cohorts", 2),
    Column("called_rules", "number", "", "share of cohorts with rules ahead by two errors", 2),
    Column("called_boundary", "number", "", "the same for boundaries", 2),
    Column("undecided", "number", "", "share of cohorts with neither", 2),
)


TABLES = (
    Table(
        "stopping_fits.parquet",
        "fit of a stopping model to one subject's trials, or to all but a fold of them",
        _FITS,
        "one column per parameter, and per rule and label that was settled before",
        more_digits=2,
    ),
    Table(
        "stopping_comparison.csv",
        "stopping model, over subjects",
        (
            CONDITION,
            SCHEME,
            MODEL,
            FAMILY,
            Column("k", "integer", "", "free parameters"),
            Column("elpd", "number", "nats", "log density of left-out trials, summed", 3),
            Column("elpd_difference", "number", "nats", "less that of the best model", 2),
            Column("se", "number", "nats", "standard error of the difference, over subjects", 2),
            Column("low", "number", "nats", "lower end of its 95 % interval", 2),
            Column("high", "number", "nats", "upper end", 2),
            *_SELECTION,
            Column("subjects", "integer", "", "subjects compared"),
            Column("converged", "number", "", "share of fits that converged", 3),
            Column("searches_agree", "number", "", "share of searches that found the best", 2),
        ),
    ),
    Table(
        "stopping_questions.csv",
        "answer to one question: models pooled by one of their properties",
        _ANSWERS,
    ),
    Table(
        "stopping_brief.csv",
        "answer to one question, from a few models",
        _ANSWERS,
    ),
    Table(
        "stopping_power.csv",
        "truth that was simulated, and what cohorts with it would be called",
        _POWER,
    ),
    Table(
        "stopping_brief_power.csv",
        "truth that was simulated, and what cohorts with it would be called, from a few models",
        _POWER,
    ),
    Table(
        "stopping_checks.csv",
        "statistic of the trials, and what one model predicts, over subjects",
        (
            CONDITION,
            MODEL,
            FAMILY,
            Column("statistic", "text", "", "name of the statistic; rt in s, distance in px"),
            Column("data", "number", "", "mean over subjects"),
            Column("predicted", "number", "", "mean over subjects under the model", 3),
            Column("se", "number", "", "standard error of prediction minus data", 2),
            Column("rmse", "number", "", "root mean square of prediction minus data", 2),
            Column("subjects", "integer", "", "subjects for whom it is known"),
        ),
    ),
    Table(
        "stopping_recovery_fits.parquet",
        "fit of a stopping model to one simulated subject, or to all but a fold",
        (
            Column("true_family", "text", "", "family of the model that was simulated"),
            Column("true_model", "text", "", "model that was simulated"),
            *_FITS,
        ),
    ),
    Table(
        "stopping_recovery.csv",
        "pair of a true and a fitted stopping model",
        (
            CONDITION,
            Column("true_family", "text", "", "family of the model that was simulated"),
            Column("true_model", "text", "", "model that was simulated"),
            FAMILY,
            MODEL,
            Column("subjects", "integer", "", "simulated subjects"),
            Column("n_best", "integer", "", "of these, for how many the fitted model is best"),
            Column("share", "number", "", "the same as a share"),
            Column("elpd_difference", "number", "nats", "elpd less that of the truth, summed", 2),
        ),
    ),
    Table(
        "stopping_sensitivity_fits.parquet",
        "stopping model fitted to one subject under one setting",
        (
            Column("setting", "text", "", "what differs from the default"),
            SUBJECT,
            CONDITION,
            MODEL,
            FAMILY,
            Column("log_density_left_out", "number", "nats", "of all trials, left out in turn", 4),
        ),
    ),
    Table(
        "stopping_sensitivity.csv",
        "stopping model under one setting, over subjects",
        (
            CONDITION,
            Column("setting", "text", "", "what differs from the default"),
            MODEL,
            Column("elpd", "number", "nats", "log density of left-out trials, summed", 4),
            Column("elpd_difference", "number", "nats", "less that of the best model", 2),
            Column("rank", "integer", "", "place of the model, 1 is the best"),
            Column("rank_correlation", "number", "", "of the models' order with the default", 2),
        ),
    ),
    Table(
        "session_fits.csv",
        "one-session subject and condition: a boundary that shifts from trial to trial",
        (
            SUBJECT,
            CONDITION,
            Column("n", "integer", "", "trials"),
            *_SESSION,
            Column("gain_by_dependence", "number", "nats", "over independent shifts, no drift", 2),
            Column("converged", "true/false", "", "whether the slope vanishes at the optimum"),
        ),
    ),
    Table(
        "people.csv",
        "person and condition: parameters for simulated subjects, without names",
        (Column("person", "integer", "", "number in a random order"), CONDITION, *_SESSION),
    ),
    Table(
        "session_recovery.csv",
        "parameter of simulated subjects, true and fitted",
        (
            CONDITION,
            Column("quantity", "text", "", "parameter, or the boundary at some time"),
            Column("n", "integer", "", "subjects"),
            Column("true_mean", "number", "", "mean of the true values", 3),
            Column("fitted_mean", "number", "", "mean of the fitted values", 3),
            Column("median_error", "number", "", "median of fitted minus true", 2),
            Column("median_absolute_error", "number", "", "median of its absolute value", 2),
            Column("rank_correlation", "number", "", "of true and fitted values", 2),
        ),
    ),
)
