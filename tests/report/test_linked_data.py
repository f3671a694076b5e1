"""Claims and tables for other programs: what validators of both formats ask for."""

from __future__ import annotations

import json
import zipfile
from hashlib import sha256

import pandas as pd
import pytest

from fuzzybounds.core.tables import read_table
from fuzzybounds.report import crate
from fuzzybounds.report.linked_data import RATINGS, package_tables, review_claims


def test_every_claim_is_a_review(report):
    claims = pd.read_csv(report.parent / "claims.csv", keep_default_na=False)
    controls = pd.DataFrame(
        {"claim": ["C01"], "control": ["negative"], "right": [0.9], "mistaken": [0.04]}
    )
    content = review_claims(claims.to_dict("records"), controls)
    assert content["@context"] == "https://schema.org"
    for review, row in zip(content["@graph"], claims.to_dict("records"), strict=True):
        assert review["@type"] == "ClaimReview"
        assert review["claimReviewed"] == row["claim"]
        assert {"author", "reviewRating", "itemReviewed", "url"} <= set(review)
        rating = review["reviewRating"]
        assert rating["alternateName"] == row["verdict"]
        assert rating.get("ratingValue") == RATINGS.get(row["verdict"])
        assert f'id="{review["@id"][1:]}"' in report.read_text(encoding="utf-8")
    facts = {fact["name"]: fact["value"] for fact in content["@graph"][0]["additionalProperty"]}
    assert facts["what the paper printed"] == "share 0.5"
    assert facts["negative control: mistaken"] == 0.04


def check_package(content, folder):
    """Every resource is there as described, and its cells have the types of its fields."""
    for resource in content["resources"]:
        path = folder / resource["path"]
        assert f"sha256:{sha256(path.read_bytes()).hexdigest()}" == resource["hash"]
        if "schema" not in resource:
            continue
        table = pd.read_csv(path, dtype=str)
        fields = resource["schema"]["fields"]
        assert list(table) == [field["name"] for field in fields]
        for field in fields:
            cells = table[field["name"]].dropna()
            if field["type"] == "boolean":
                assert set(cells) <= {*field["trueValues"], *field["falseValues"]}
            elif field["type"] in ("integer", "number"):
                pd.to_numeric(cells)
            assert field["description"]


def test_the_package_describes_every_table(report):
    files = [path for path in report.parent.iterdir() if path.suffix in (".csv", ".parquet")]
    content = package_tables("tiny", sorted(files))
    assert len(content["resources"]) == len(files)
    check_package(content, report.parent)
    content["resources"][0]["schema"]["fields"].reverse()
    with pytest.raises(AssertionError):
        check_package(content, report.parent)


def test_the_crate_has_the_package(report, project_root, tmp_path):
    pytest.importorskip("rocrate", reason="the package of the extra `crate` is not installed")
    crate.pack(project_root, report.parent, tmp_path / "crate.zip")
    with zipfile.ZipFile(tmp_path / "crate.zip") as archive:
        content = json.loads(archive.read("results/tiny/datapackage.json"))
        names = {resource["path"] for resource in content["resources"]}
        assert names <= {name.split("/")[-1] for name in archive.namelist()}
    assert "claims.csv" in names
    assert read_table(report.parent / "claims.csv")["id"].is_unique
