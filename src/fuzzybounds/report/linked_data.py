"""Claims and tables as data that other programs read: ClaimReview, and a data package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd

from fuzzybounds.core.dictionary import TABLES, Column
from fuzzybounds.scorecard import verdicts

PAPER = "https://arxiv.org/abs/1608.07244"
RATINGS = {
    verdicts.AS_PRINTED: 5,
    verdicts.READING: 4,
    verdicts.CHANGED: 3,
    verdicts.DIRECTION: 3,
    verdicts.DEPENDS: 2,
    verdicts.UNDECIDED: 2,
    verdicts.NOT: 1,
}
"""Verdicts on the scale of ClaimReview; any other verdict has words alone."""
FIELDS = {"text": "string", "number": "number", "true/false": "boolean"}
"""Types of a data package by those of the dictionary; all others are whole numbers."""
MEDIA = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


def review_claims(
    claims: Iterable[Mapping[str, str]], controls: pd.DataFrame | None = None
) -> dict[str, Any]:
    """Return the claims with their verdicts as JSON-LD (ClaimReview of schema.org).

    Parameters
    ----------
    claims : iterable of mappings
        Rows of the table ``claims``.
    controls : DataFrame, optional
        The table ``claim_controls``: how often judges are right on simulated subjects.
    """
    rates: dict[str, list[dict[str, Any]]] = {}
    for row in () if controls is None else controls.to_dict("records"):
        values = (("right", row["right"]), ("mistaken", row["mistaken"]))
        rates.setdefault(row["claim"], []).extend(
            {"@type": "PropertyValue", "name": f"{row['control']} control: {name}", "value": value}
            for name, value in values
        )
    reviews = []
    for row in claims:
        rating: dict[str, Any] = {"@type": "Rating", "alternateName": row["verdict"]}
        if row["verdict"] in RATINGS:
            rating |= {"ratingValue": RATINGS[row["verdict"]], "bestRating": 5, "worstRating": 1}
        named = {"what the paper printed": "paper", "our value": "ours", "tolerance": "tolerance"}
        facts = [
            {"@type": "PropertyValue", "name": name, "value": row[key]}
            for name, key in {**named, "conclusion": "conclusion"}.items()
            if row.get(key)
        ]
        reviews.append(
            {
                "@type": "ClaimReview",
                "@id": f"#{row['id']}",
                "url": f"report.html#{row['id']}",
                "claimReviewed": row["claim"],
                "itemReviewed": {
                    "@type": "Claim",
                    "appearance": {"@type": "ScholarlyArticle", "@id": PAPER},
                    "pagination": row["where"],
                },
                "author": {"@type": "Organization", "name": "the fuzzybounds developers"},
                "reviewRating": rating,
                "reviewBody": row.get("note", ""),
                "additionalProperty": [*facts, *rates.get(row["id"], [])],
            }
        )
    return {"@context": "https://schema.org", "@graph": reviews}


def package_tables(name: str, files: Iterable[Path]) -> dict[str, Any]:
    """Return the descriptor of a data package: every table with its columns."""
    resources = []
    for path in files:
        table = TABLES[path.stem]
        content, ending = path.read_bytes(), path.suffix[1:]
        resource = {
            "name": table.name.replace("_", "-"),
            "path": path.name,
            "description": f"One row: {table.row}",
            "format": ending,
            "mediatype": MEDIA[ending],
            "bytes": len(content),
            "hash": f"sha256:{sha256(content).hexdigest()}",
        }
        if ending == "csv":
            types = {column.name: column for column in table.columns}
            names = pd.read_csv(path, nrows=0).columns
            fields = [_field(types.get(column), column, table.more) for column in names]
            resources.append({**resource, "schema": {"fields": fields, "missingValues": [""]}})
        else:
            resources.append(resource)
    return {"name": name.replace("_", "-"), "profile": "data-package", "resources": resources}


def _field(column: Column | None, name: str, more: str) -> dict[str, Any]:
    if column is None:
        return {"name": name, "type": "any", "description": more}
    kind = FIELDS.get(column.type, "integer")
    flags = {"trueValues": ["True"], "falseValues": ["False"]} if kind == "boolean" else {}
    return {"name": name, "type": kind, "description": column.meaning, **flags}
