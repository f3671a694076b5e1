"""The explorer's data, and the page of a data set without fits."""

from __future__ import annotations

import json

import numpy as np

from fuzzybounds.fuzzy.fits import EMPTY, FitTables, controllers
from fuzzybounds.report import explorer
from fuzzybounds.storage.registry import TABLES


def test_every_fit_of_the_first_draw_is_there_in_seconds_and_pixels(fitted_tables):
    found = explorer.collect(**fitted_tables)
    assert [(fit["subject"], len(fit["names"]), fit["window"]) for fit in found.fits] == [
        ("S<1>", 3, "first"),
        ("S<1>", 3, "last"),
        ("S<1>", 5, "first"),
        ("S<1>", 5, "last"),
        ("S2", 3, "first"),
        ("S2", 5, "first"),
    ]
    rebuilt = controllers(FitTables(*fitted_tables.values()))
    own = rebuilt[("S2", "first", 5, 1)].scaled(time=12.5, position=300.0)
    shown = found.fits[-1]
    np.testing.assert_allclose(shown["time"]["centers"], own.time.centers, rtol=1e-8)
    np.testing.assert_allclose(shown["position"]["widths"], own.position.widths, rtol=1e-8)
    assert shown["rules"] == own.rules.to_json()["consequents"]
    assert shown["rules"][0][-1] is None


def test_other_draws_are_left_out(fitted_tables):
    more = {name: table.assign(draw=2) for name, table in fitted_tables.items()}
    assert explorer.collect(**more).fits == []


def test_a_large_cohort_says_how_many_are_left_out(fitted_tables, monkeypatch):
    monkeypatch.setattr(explorer, "LARGEST", 1)
    found = explorer.collect(**fitted_tables)
    assert found.subjects == ["S<1>"]
    assert found.left_out == 1


def test_names_of_subjects_cannot_end_the_script(fitted_tables):
    text = explorer.collect(**fitted_tables).to_json()
    assert "<" not in text
    assert json.loads(text)["fits"][0]["subject"] == "S<1>"


def test_without_fits_there_is_nothing_to_explore():
    assert list(TABLES["fuzzy_fits"].names) == list(EMPTY.fits)
    assert explorer.collect(*EMPTY).fits == []
