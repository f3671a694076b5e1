"""What all tests share: where the project is, and where the published logs may be."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

# One thread, as in the workflow; before anything imports numpy.
os.environ.update(
    {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
)

import hypothesis
import pandas as pd
import pytest

hypothesis.settings.register_profile(
    "deterministic", derandomize=True, deadline=None, database=None
)
hypothesis.settings.register_profile(
    "thorough", hypothesis.settings.get_profile("deterministic"), max_examples=4000
)
hypothesis.settings.load_profile("deterministic")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def project_root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the published logs; tests that need it are skipped where it is not."""
    named = os.environ.get("FUZZYBOUNDS_MIRROR")
    folder = (ROOT / named if named else ROOT.parent / "shared/data").resolve()
    if not (folder / "Canoe_A.csv").is_file():
        pytest.skip(f"the published logs are not at {folder}; FUZZYBOUNDS_MIRROR can name a folder")
    return folder


BROWSER_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Chromium with an empty profile, which keeps a log of its console and of its requests."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("there is no chromium with a chromedriver on the PATH")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*BROWSER_FLAGS.split(), f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    yield browser
    browser.quit()


def asked(browser) -> list[str]:
    """What pages asked for since this was last called.

    Chromium asks for pages of its own (chrome://new-tab-page); these are not asked of a network.
    """
    messages = [json.loads(own["message"])["message"] for own in browser.get_log("performance")]
    addresses = [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
    return [address for address in addresses if not address.startswith("chrome")]


@pytest.fixture(scope="session")
def requests_of():
    """Return a function that lists what the pages of a browser asked for."""
    return asked


TidyLog = Callable[..., Path]


@pytest.fixture
def tidy_log(tmp_path) -> TidyLog:
    """Write rows (dictionaries of cells) as a tidy log, and return its path."""

    def write(rows: list[dict[str, str]], name: str = "log.csv") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        return path

    return write


@pytest.fixture
def trial_row() -> Callable[..., dict[str, str]]:
    """Make the cells of a trial in which nothing is wrong, but for what is given."""

    def make(without: tuple[str, ...] = (), **changes: str) -> dict[str, str]:
        # Two steps to the right and half a step back: 90 - 22.5 px.
        row = {
            "subject": "7",
            "session": "1",
            "block": "1",
            "trial": "1",
            "rt": "1.25",
            "total": "5.3",
            "reward": "20",
            "condition": "easy",
            "correct": "1",
            "position": "67.5",
        }
        return {name: cell for name, cell in {**row, **changes}.items() if name not in without}

    return make


@pytest.fixture(scope="session")
def lab_trials(project_root):
    """Tidy logs of three simulated subjects, as one table of numbers: 261 trials in px and s."""
    from fuzzybounds.intake.mapping import convert, read_mapping, read_source

    folder = project_root / "docs/examples/other_lab"
    rules = read_mapping(folder / "mapping.yaml")
    names = ("anna", "ben", "cleo")
    logs = convert([read_source(folder / f"{name}.csv", rules) for name in names], rules)
    table = pd.concat(logs, ignore_index=True).drop(columns=["file", "row"])
    numbers = {"rt": float, "position": float, "block": int, "trial": int, "correct": int}
    return table.replace({"rt": {"": "0"}}).astype(numbers)


@pytest.fixture
def write_lab(tmp_path):
    """Write one file per subject into a folder, in any dialect, and return the folder."""

    def write(table, folder: str = "lab", ending: str = "csv", **options) -> Path:
        target = tmp_path / folder
        target.mkdir(parents=True, exist_ok=True)
        for subject, own in table.groupby(table.columns[0]):
            path = target / f"{subject}.{ending}"
            if ending == "xlsx":
                own.to_excel(path, index=False, **options)
            elif ending == "parquet":
                own.to_parquet(path, index=False, **options)
            else:
                own.to_csv(path, index=False, **options)
        return target

    return write
