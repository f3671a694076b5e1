"""Tables of the data themselves: trials, what was left out, the design, paths and points."""

from __future__ import annotations

from fuzzybounds.storage.registry.definition import Column, Table

SUBJECT = Column("subject", "text", "", "participant")
CONDITION = Column("condition", "text", "", "easy or hard")

TABLES = (
    Table(
        "trials.parquet",
        "validated trial",
        (
            SUBJECT,
            Column("session", "int32", "", "session number"),
            Column("block", "int32", "", "block number, counted through all sessions"),
            Column("trial", "int32", "", "trial number, counted through all blocks"),
            Column("rt", "number", "s", "time from the first movement to the response"),
            Column("total", "number", "s", "length of the whole trial"),
            Column("reward", "number", "coins", "coins won or lost"),
            CONDITION,
            Column("correct", "true/false", "", "whether the response was correct"),
            Column("position", "number", "px", "canoe's position at the response, right positive"),
            Column("responded", "true/false", "", "whether there was a response in time"),
        ),
    ),
    Table(
        "exclusions.csv",
        "row of a log that was left out, or trial without a path",
        (
            Column("file", "text", "", "file of the log"),
            Column("row", "integer", "", "row of the file"),
            SUBJECT,
            Column("block", "text", "", "block number"),
            Column("trial", "integer", "", "trial number"),
            Column("reason", "text", "", "name of the check"),
            Column("scope", "text", "", "what the row is left out of"),
        ),
    ),
    Table(
        "validation.csv",
        "check of the logs",
        (
            Column("check", "text", "", "name of the check"),
            Column("action", "text", "", "error, exclude or keep"),
            Column("rows", "integer", "", "rows that the check found"),
            Column("expected", "text", "", "what was expected of them"),
        ),
    ),
    Table(
        "design_check.csv",
        "quantity of the design, as the logs show it",
        (
            Column("quantity", "text", "", "name of the quantity"),
            CONDITION,
            SUBJECT,
            Column("value", "number", "", "value in the logs"),
            Column("low", "number", "", "lower end of its range or 95 % interval"),
            Column("high", "number", "", "upper end"),
            Column("expected", "number", "", "what the paper says"),
        ),
    ),
    Table(
        "cohort_summary.csv",
        "summary statistic of one-session subjects",
        (
            Column("quantity", "text", "", "name of the statistic"),
            Column("unit", "text", "", "its unit"),
            Column("subjects", "integer", "", "number of subjects"),
            Column("mean", "number", "", "mean over subjects"),
            *(
                Column(f"q{percent:02d}", "number", "", f"{percent} % quantile over subjects")
                for percent in (0, 10, 25, 50, 75, 90, 100)
            ),
        ),
    ),
    Table(
        "paths.parquet",
        "frame of a recorded path",
        (
            SUBJECT,
            Column("trial", "int32", "", "trial number"),
            Column("time", "number", "s", "time from the first movement"),
            Column("position", "number", "px", "canoe's position, right positive"),
        ),
    ),
    Table(
        "samples.parquet",
        "point at which a subject went on or responded",
        (
            SUBJECT,
            Column("block", "int32", "", "block number"),
            Column("trial", "int32", "", "trial number"),
            CONDITION,
            Column("draw", "int16", "", "number of the draw of earlier points"),
            Column("time", "number", "s", "time from the first movement"),
            Column("position", "number", "px", "distance from the centre"),
            Column("responded", "true/false", "", "whether the subject responded at this point"),
            Column("path", "text", "", "recorded or reconstructed"),
        ),
    ),
    Table("dataset.json", "where the data come from, with the hash of every file"),
    Table("options.json", "all options that the results were made with"),
    Table("truth.json", "what the subjects of a simulated cohort follow"),
)
