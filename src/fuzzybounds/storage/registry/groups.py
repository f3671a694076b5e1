"""Tables of fast and slow subjects, and of the choices that the paper leaves open."""

from __future__ import annotations

from fuzzybounds.storage.registry.data import SUBJECT
from fuzzybounds.storage.registry.definition import Column, Table
from fuzzybounds.storage.registry.fuzzy import (
    BLOCKS,
    CONDITION,
    DRAW,
    LABELS,
    POSITION_LABEL,
    TIME_LABEL,
    WINDOW,
)

GROUP = Column("group", "text", "", "fast, middle or slow")
P_VALUES = (
    Column("p_fast", "number", "", "p of last against first window, fast group"),
    Column("p_slow", "number", "", "p of last against first window, slow group"),
    Column("p_first", "number", "", "p of slow against fast, first window"),
    Column("p_last", "number", "", "p of slow against fast, last window"),
    Column("fast_change", "number", "px", "change of the fast group's mean boundary"),
    Column("slow_change", "number", "px", "change of the slow group's mean boundary"),
)

TABLES = (
    Table(
        "groups.csv",
        "one-session subject",
        (
            SUBJECT,
            Column("median_boundary", "number", "px", "median boundary in the first window"),
            GROUP,
            Column("first", "number", "px", "boundary in the first window"),
            Column("last", "number", "px", "boundary in the last window"),
            CONDITION,
            BLOCKS,
        ),
    ),
    Table(
        "group_tests.csv",
        "test of a comparison",
        (
            Column("comparison", "text", "", "what is compared with what"),
            Column("n", "integer", "", "subjects of the first sample"),
            Column("mean_difference", "number", "px", "first sample's mean minus the second's"),
            Column("test", "text", "", "name of the test"),
            Column("statistic", "number", "", "its statistic"),
            Column("p", "number", "", "two-sided p-value"),
            Column("effect_size", "number", "", "Cohen's d, or its counterpart"),
            Column("low", "number", "px", "lower end of the 95 % interval of the difference"),
            Column("high", "number", "px", "upper end"),
        ),
    ),
    Table(
        "regression_to_mean.csv",
        "group chosen by some blocks, and its change between others",
        (
            Column("chosen_by", "text", "", "blocks whose median boundary makes the groups"),
            Column("from", "text", "", "blocks from which the change is measured"),
            Column("to", "text", "", "blocks to which it is measured"),
            GROUP,
            Column("n_subjects", "number", "", "subjects of the group, mean over ways"),
            Column("change", "number", "px", "mean change of the boundary"),
            Column("low", "number", "px", "lower end of its 95 % bootstrap interval"),
            Column("high", "number", "px", "upper end"),
        ),
    ),
    Table(
        "consequents.csv",
        "premise, averaged over a group",
        (
            GROUP,
            WINDOW,
            TIME_LABEL,
            POSITION_LABEL,
            Column("mean", "number", "", "mean consequent over subjects and draws"),
            Column("sd_over_draws", "number", "", "standard deviation over draws"),
            Column("n_subjects", "number", "", "mean number of subjects with the rule"),
            Column("first_draw", "number", "", "mean consequent in the first draw alone"),
            LABELS,
            CONDITION,
            BLOCKS,
        ),
    ),
    Table(
        "consequent_draws.parquet",
        "premise, averaged over a group in one draw",
        (
            GROUP,
            WINDOW,
            TIME_LABEL,
            POSITION_LABEL,
            DRAW,
            Column("mean", "number", "", "mean consequent over subjects"),
            Column("n_subjects", "integer", "", "subjects with the rule"),
        ),
    ),
    Table(
        "group_output.parquet",
        "point of the output averaged over a group",
        (
            GROUP,
            WINDOW,
            Column("time", "number", "", "normalised time"),
            Column("position", "number", "", "normalised position"),
            Column("output", "number", "", "mean output O"),
            Column("n_subjects", "integer", "", "subjects averaged"),
            LABELS,
            CONDITION,
            BLOCKS,
        ),
    ),
    Table(
        "penalty_check.csv",
        "group and window, with and without the penalty of tuning",
        (
            Column("penalty", "number", "", "weight of squared deviations in tuning"),
            GROUP,
            WINDOW,
            Column("n_fits", "integer", "", "fits: subjects times draws"),
            Column("crossed", "number", "", "share of fits with crossed centres", digits=2),
            Column("extreme_width", "number", "", "share with an extreme width", digits=2),
            Column("mean_output", "number", "", "mean of the group's output O", digits=3),
            Column("least_output", "number", "", "least output O of the group", digits=1),
        ),
    ),
    Table(
        "bridge_check.csv",
        "subject of one session, in the first window",
        (
            SUBJECT,
            GROUP,
            Column("uniform", "number", "px", "mean distance of earlier points, uniform", digits=4),
            Column("survival", "number", "px", "the same, weighted by survival", digits=3),
            Column("difference", "number", "px", "uniform minus survival", digits=1),
        ),
    ),
    Table(
        "specification_curve.parquet",
        "specification: one combination of open choices",
        (
            Column("condition", "text", "", "easy, hard or all trials"),
            Column("missed", "true/false", "", "whether missed deadlines count"),
            Column("quantile", "text", "", "definition of a quantile"),
            Column("fast", "text", "", "inequality of the fast group"),
            Column("slow", "text", "", "inequality of the slow group"),
            Column("summary", "text", "", "a subject's boundary: median or mean"),
            Column("test", "text", "", "name of the test"),
            Column("n_fast", "integer", "", "fast subjects"),
            Column("n_slow", "integer", "", "slow subjects"),
            Column("members", "text", "", "members of the groups"),
            *P_VALUES,
            Column("matches_groups", "true/false", "", "group sizes and p-values as printed"),
            Column("normalisation", "text", "", "whose largest value is 1: subject or window"),
            Column("width", "text", "", "width of five labels: spacing or as_three_labels"),
            Column("empty", "text", "", "premises without points: omit or neighbours"),
            Column("path", "text", "", "first_draw or mean_of_draws"),
            Column("fast_S_M", "number", "", "fast group's consequent of (time S, position M)"),
            Column("slow_S_M", "number", "", "slow group's consequent of the same"),
            Column("slow_M_S", "number", "", "slow group's consequent of (time M, position S)"),
            Column("draws_as_printed", "number", "", "share of draws with these three as printed"),
            Column("matches_paper", "true/false", "", "all printed numbers as printed"),
            Column("default", "true/false", "", "whether the pipeline makes these choices"),
        ),
    ),
    Table(
        "specification_summary.csv",
        "statement about the specification curve",
        (
            Column("quantity", "text", "", "what is counted"),
            Column("value", "text", "", "its value"),
        ),
    ),
)
