"""Tables of the fuzzy fits, and of how well they recover a simulated truth."""

from __future__ import annotations

from fuzzybounds.storage.registry.data import SUBJECT
from fuzzybounds.storage.registry.definition import Column, Table

WINDOW = Column("window", "text", "", "first or last blocks")
DRAW = Column("draw", "int16", "", "number of the draw of earlier points")
LABELS = Column("labels", "integer", "", "labels per variable")
TIME_LABEL = Column("time_label", "text", "", "label of time in the premise")
POSITION_LABEL = Column("position_label", "text", "", "label of position in the premise")
CONDITION = Column("condition", "text", "", "trials used: easy, hard or all")
BLOCKS = Column("blocks", "integer", "", "blocks of a window")
FIT = (SUBJECT, WINDOW, DRAW, LABELS)

TABLES = (
    Table(
        "fuzzy_fits.parquet",
        "fit of the fuzzy model to one subject, window and draw",
        (
            *FIT,
            Column("n_points", "integer", "", "points fitted"),
            Column("n_stop", "integer", "", "points at which the subject responded"),
            Column("empty_cells", "integer", "", "premises that no point supports"),
            Column("loss_before", "number", "nats", "mean cross-entropy before tuning"),
            Column("loss_after", "number", "nats", "mean cross-entropy after tuning"),
            Column("iterations", "integer", "", "iterations of the optimiser"),
            Column("converged", "true/false", "", "whether the optimiser converged"),
            Column("reason", "text", "", "why the optimiser stopped"),
            Column("flags", "text", "", "crossed centres, one consequent only"),
            Column("time_range", "number", "s", "what counts as 1 in time"),
            Column("position_range", "number", "px", "what counts as 1 in position"),
            CONDITION,
            BLOCKS,
        ),
    ),
    Table(
        "rules.parquet",
        "rule of a fit",
        (
            *FIT,
            TIME_LABEL,
            POSITION_LABEL,
            Column("consequent", "number", "", "0 continue, 1 stop"),
            Column("certainty", "number", "", "largest certainty among the points for it"),
            Column("support", "integer", "", "points that vote for the premise"),
            Column("conflicts", "integer", "", "points that vote for the other consequent"),
            Column("vote_share", "number", "", "share of certainty for the consequent"),
        ),
    ),
    Table(
        "memberships.parquet",
        "membership function of a fit, after tuning",
        (
            *FIT,
            Column("convention", "text", "", "width: exp(-d²/σ²); deviation: exp(-d²/2σ²)"),
            Column("variable", "text", "", "time or position"),
            Column("label", "text", "", "name of the label"),
            Column("center", "number", "", "center, 1 being the subject's largest value"),
            Column("width", "number", "", "width in the same unit"),
        ),
    ),
    Table(
        "recovery_rules.csv",
        "premise, over fits to simulated subjects",
        (
            LABELS,
            TIME_LABEL,
            POSITION_LABEL,
            Column("n", "integer", "", "fits compared"),
            Column("empty", "number", "", "share of fits without a rule for the premise"),
            Column("recovered", "number", "", "share of rules with the true consequent"),
            Column("recovered_stop", "number", "", "the same where the truth is stop"),
            Column("recovered_continue", "number", "", "the same where the truth is continue"),
            Column("support", "number", "", "mean number of points for the premise"),
        ),
    ),
    Table(
        "recovery_memberships.csv",
        "label, over fits to simulated subjects",
        (
            LABELS,
            Column("variable", "text", "", "time or position"),
            Column("label", "text", "", "name of the label"),
            Column("n", "integer", "", "fits compared"),
            Column("true_center", "number", "", "mean true center"),
            Column("true_width", "number", "", "mean true width"),
            Column("center_bias", "number", "", "mean of fitted minus true center", digits=3),
            Column("center_sd", "number", "", "standard deviation of the same", digits=3),
            Column("width_bias", "number", "", "mean of fitted minus true width", digits=3),
            Column("width_sd", "number", "", "standard deviation of the same", digits=3),
        ),
    ),
    Table(
        "recovery_losses.csv",
        "fit to a simulated subject",
        (
            *FIT,
            Column("loss_before", "number", "nats", "mean cross-entropy before tuning"),
            Column("loss_after", "number", "nats", "mean cross-entropy after tuning"),
            Column("true_loss", "number", "nats", "mean cross-entropy of the truth"),
            Column("output_error", "number", "", "root mean square error of O", digits=3),
        ),
    ),
)
