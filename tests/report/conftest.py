"""A small results folder, as the workflow would leave it, and the report made from it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fuzzybounds.core.dictionary import TABLES, file_of
from fuzzybounds.core.tables import write_table
from fuzzybounds.paper.fuzzy.membership import labels
from fuzzybounds.report.page import make_report

PRINTED = "comes out as printed"
CLAIMS = [
    ("C01", "a <b>bold</b> claim & more", "Results, Fig. 1", "share 0.5", "9 of 10", PRINTED),
    ("C02", "boundaries fall", "Results, Figs. 1 to 2", "holds", "2", "does not come out"),
    ("C03", "slow above fast", "Results", "p 0.18", "10", "in direction only"),
    ("C04", "unpublished paths", "Results", "holds", "1", "not testable"),
    ("C05", "boundaries start high", "Appendix", "holds", "3", PRINTED),
]
FIGURES = {
    "fig01": {"title": "First figure", "paper": "Says so & so."},
    "fig02": {"title": "Second figure"},
    "figS1": {"title": "Supplementary figure"},
    "figS7": {"title": "Drawn on request"},
}
SEEN = "Seen: *three* of `4` subjects <script>alert(1)</script>."


def notebook(text: str) -> dict:
    output = {"output_type": "execute_result", "data": {"text/markdown": [text]}}
    return {
        "cells": [
            {"cell_type": "markdown", "source": ["# Fig.\n", "\n", "What is drawn (px)."]},
            {"cell_type": "code", "source": ["Markdown(...)"], "outputs": [output]},
        ]
    }


@pytest.fixture(scope="session")
def fitted_tables() -> dict[str, pd.DataFrame]:
    """Fits of two subjects, with five and with three labels; every fit lacks a rule."""
    rng = np.random.default_rng(20)
    tables: dict[str, list[dict]] = {"fuzzy_fits": [], "rules": [], "memberships": []}
    for n_labels in (5, 3):
        names = labels(n_labels)
        for subject, window in (("S<1>", "first"), ("S<1>", "last"), ("S2", "first")):
            fit = {"subject": subject, "window": window, "draw": 1, "labels": n_labels}
            tables["fuzzy_fits"].append({**fit, "time_range": 12.5, "position_range": 300.0})
            rules = rng.integers(0, 2, (n_labels, n_labels)).astype(float)
            # Continue at the start near the centre, stop at the end, no rule in one corner.
            rules[0, 0], rules[-1, -1], rules[0, -1] = 0.0, 1.0, np.nan
            tables["rules"] += [
                {**fit, "time_label": time, "position_label": place, "consequent": rules[i, j]}
                for i, time in enumerate(names)
                for j, place in enumerate(names)
            ]
            tables["memberships"] += [
                {
                    **fit,
                    **{"convention": "width", "variable": variable, "label": label},
                    "center": i / (n_labels - 1) + rng.normal(0, 0.03),
                    "width": rng.uniform(0.1, 0.3),
                }
                for variable in ("time", "position")
                for i, label in enumerate(names)
            ]
    return {name: _complete(name, pd.DataFrame(rows)) for name, rows in tables.items()}


def _complete(name: str, given: pd.DataFrame) -> pd.DataFrame:
    """Add the columns that the report does not read."""
    kinds = {"text": "", "number": 1.0, "true/false": True}
    return pd.DataFrame(
        {
            column.name: given.get(column.name, kinds.get(column.type, 1))
            for column in TABLES[name].columns
        },
        index=given.index,
    )


def write_results(folder: Path, fits: dict[str, pd.DataFrame]) -> None:
    from PIL import Image

    claims = pd.DataFrame(CLAIMS, columns=["id", "claim", "where", "paper", "ours", "verdict"])
    tables = {
        "claims": claims.assign(conclusion="supported", group="empirical"),
        "errata": pd.DataFrame({"id": ["A01"], "what": "<i>"}),
        "specification_summary": pd.DataFrame({"key": ["groups"], "value": "2160"}),
        "model_selection": pd.DataFrame({"shape": ["constant", "weibull"], "frequency": 0.123456}),
        "stopping_brief": pd.DataFrame({"question": ["kind", "shape"], "elpd": [-12.5, -99.5]}),
        "boundary_direction": pd.DataFrame(
            {"condition": "easy", "noise": "within trials", "correlation": [-0.12, -0.22]}
            | {"simulated": 0.3, "z": [-1.0, -3.0]}
        ),
        "design_check": pd.DataFrame({"quantity": ["p0", "reward_rate"], "subject": ["", "S01"]}),
    }
    for name, rows in tables.items():
        write_table(_complete(name, rows), folder / file_of(name))
    for name, table in fits.items():
        write_table(table, folder / file_of(name))
    for name in ("figures", "notebooks"):
        (folder / name).mkdir(parents=True)
    for figure in ("fig01", "fig02", "figS1"):
        Image.new("L", (1200, 500), 128).save(folder / f"figures/{figure}.png")
        (folder / f"notebooks/{figure}.ipynb").write_text(json.dumps(notebook(SEEN)))
    described = {
        **{"name": "tiny", "kind": "simulated", "title": "Tiny <cohort>", "source": "nowhere"},
        **{"subjects": 3, "remarks": ["P0 of <easy> trials is 0.7"]},
        "files": {"S01.csv": "ab" * 32},
    }
    (folder / "dataset.json").write_text(json.dumps(described))


@pytest.fixture(scope="session")
def make(project_root):
    """Make the report of a results folder."""

    def make(folder: Path) -> str:
        return make_report(
            str(project_root / "workflow/rulegraph.svg"),
            folder=str(folder),
            drawn=FIGURES,
            configuration={"dataset": "tiny", "seed": 7},
            snakefile=str(project_root / "Snakefile"),
        ).report

    return make


@pytest.fixture(scope="session")
def report(tmp_path_factory, make, fitted_tables) -> Path:
    """The report of the small results folder."""
    folder = tmp_path_factory.mktemp("report") / "tiny"
    write_results(folder, fitted_tables)
    (folder / "report.html").write_text(make(folder), encoding="utf-8")
    return folder / "report.html"


class Page:
    """The report in a browser."""

    def __init__(self, browser, report: Path):
        self.browser, self.run = browser, browser.execute_script
        self.resize(1280)
        browser.get(report.as_uri())
        # The page scrolls smoothly, and what moves cannot be grasped.
        self.run("document.documentElement.style.scrollBehavior = 'auto'")

    def resize(self, width: int) -> None:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def find(self, selector: str) -> list:
        return self.browser.find_elements("css selector", selector)

    def one(self, selector: str):
        return self.browser.find_element("css selector", selector)

    def press(self, element) -> None:
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def wait(self, condition) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, 10).until(lambda _: condition())


@pytest.fixture
def page(browser, report) -> Page:
    """The report, freshly loaded in a window of a desk's width."""
    return Page(browser, report)
