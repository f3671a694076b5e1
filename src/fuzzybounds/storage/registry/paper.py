"""Tables of what the paper says: the scorecard and the errata."""

from __future__ import annotations

from fuzzybounds.storage.registry.definition import Column, Table

TABLES = (
    Table(
        "claims.csv",
        "claim of the paper",
        (
            Column("id", "text", "", "number of the claim"),
            Column("claim", "text", "", "what the paper says"),
            Column("where", "text", "", "section or figure"),
            Column("paper", "text", "", "the printed numbers"),
            Column("experiment_a", "text", "", "what Experiment A gives; empty on itself"),
            Column("ours", "text", "", "what this data set gives"),
            Column("interval", "text", "", "95 % interval of ours, and power, where there is one"),
            Column("verdict", "text", "", "whether the two agree"),
            Column("note", "text", "", "what a reader should know"),
            Column("tolerance", "text", "", "how near ours must be"),
            Column("dataset", "text", "", "name of the data set"),
            Column("computed_by", "text", "", "function that judges the claim"),
        ),
    ),
    Table(
        "errata.csv",
        "erratum",
        (
            Column("id", "text", "", "number of the erratum"),
            Column("what", "text", "", "what is contradictory, silent or wrong"),
            Column("choice", "text", "", "what this project does"),
            Column("evidence", "text", "", "what shows it"),
        ),
    ),
)
