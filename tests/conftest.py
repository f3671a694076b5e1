"""What all tests share: where the project is, and where the published logs may be."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import SimpleNamespace

# One thread, as in the workflow; before anything imports numpy.
os.environ.update(
    {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
)

import hypothesis
import numpy as np
import pandas as pd
import pytest

from fuzzybounds.canoe.task import FRAME, FRAME_PIXELS, FRAMES_PER_STEP, OVERHEAD, free_walk

hypothesis.settings.register_profile(
    "deterministic", derandomize=True, deadline=None, database=None
)
hypothesis.settings.register_profile(
    "thorough", hypothesis.settings.get_profile("deterministic"), max_examples=4000
)
hypothesis.settings.load_profile("deterministic")

ROOT = Path(__file__).resolve().parents[1]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what uses the browser or runs Snakemake."""
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if used & {"browser", "start_browser"}:
            item.add_marker(pytest.mark.browser)
        if "copy_project" in used:
            item.add_marker(pytest.mark.workflow)


@pytest.fixture(scope="session")
def project_root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def rule_texts() -> Callable[..., dict[str, str]]:
    """Return a function that reads the rules of a project by name, each with what it inherits."""
    start = re.compile(r"^(?:rule|checkpoint|use rule (\w+) as) (\w+)(?: with)?:\n", re.M)

    def read(root: Path = ROOT) -> dict[str, str]:
        files = sorted((root / "workflow/rules").glob("*.smk"))
        _, *parts = start.split("".join(path.read_text(encoding="utf-8") for path in files))
        bases, names = parts[::3], parts[1::3]
        texts = dict(zip(names, parts[2::3], strict=True))
        whole = {
            name: texts[name] + texts.get(base, "") for base, name in zip(bases, names, strict=True)
        }
        return {name: text for name, text in whole.items() if name not in bases}

    return read


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
    "--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars"
)
# A busy machine may take minutes for a session of the task.
PATIENCE_S = 900


@pytest.fixture(scope="session")
def start_browser():
    """Return a function that starts Chromium, which logs its console and its requests."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("there is no chromium with a chromedriver on the PATH")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    def start(profile: Path):
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in (*BROWSER_FLAGS.split(), f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        browser = webdriver.Chrome(options=options, service=Service(driver))
        browser.set_script_timeout(PATIENCE_S)
        browser.command_executor.client_config.timeout = PATIENCE_S
        return browser

    return start


@pytest.fixture(scope="session")
def quick_folder(tmp_path_factory):
    """A folder in memory where there is one: syncing to a disk takes most of a session."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path_factory.mktemp("quick")
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def browser(start_browser, quick_folder):
    """Chromium with an empty profile."""
    browser = start_browser(quick_folder / "profile")
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def requests_of():
    """Return a function that lists what the pages of a browser asked for since its last call."""

    def asked(browser) -> list[str]:
        messages = [
            json.loads(part["message"])["message"] for part in browser.get_log("performance")
        ]
        sent = [part for part in messages if part["method"] == "Network.requestWillBeSent"]
        addresses = [part["params"]["request"]["url"] for part in sent]
        # Chromium asks for pages of its own (chrome://new-tab-page).
        return [address for address in addresses if not address.startswith("chrome")]

    return asked


@pytest.fixture
def closed():
    """Close the figures that a test drew."""
    from matplotlib import pyplot as plt

    yield
    plt.close("all")


@pytest.fixture
def tidy_log(tmp_path) -> Callable[..., Path]:
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
        names = "subject session block trial rt total reward condition correct position"
        cells = "7 1 1 1 1.25 5.3 20 easy 1 67.5"
        row = dict(zip(names.split(), cells.split(), strict=True))
        return {name: cell for name, cell in {**row, **changes}.items() if name not in without}

    return make


@pytest.fixture(scope="session")
def lab_trials(project_root):
    """Tidy logs of three simulated subjects, as one table of numbers: 261 trials in px and s."""
    from fuzzybounds.logs.importing import convert, read_mapping, read_source

    folder = project_root / "docs/examples/other_lab"
    rules = read_mapping(folder / "mapping.yaml")
    names = ("anna", "ben", "cleo")
    logs = [convert(read_source(folder / f"{name}.csv", rules), rules) for name in names]
    table = pd.concat(logs, ignore_index=True).drop(columns=["file", "row"])
    numbers = {"rt": float, "position": float, "block": int, "trial": int, "correct": int}
    return table.replace({"rt": {"": "0"}}).astype(numbers)


@pytest.fixture
def write_lab(tmp_path):
    """Write one file per subject into a folder, in any dialect, and return the folder."""

    def write(table, folder: str = "lab", ending: str = "csv", **options) -> Path:
        target = tmp_path / folder
        target.mkdir(parents=True, exist_ok=True)
        for subject, part in table.groupby(table.columns[0]):
            writers = {"xlsx": part.to_excel, "parquet": part.to_parquet}
            writer = writers.get(ending, part.to_csv)
            writer(target / f"{subject}.{ending}", index=False, **options)
        return target

    return write


def directions(steps: int) -> list[tuple[int, ...]]:
    return list(product((1, -1), repeat=steps))


def probability(path: tuple[int, ...], p0: float, heading: int) -> float:
    toward = sum(direction == heading for direction in path)
    return p0**toward * (1 - p0) ** (len(path) - toward)


def outcome(condition, frame, side, heading: int, deadline):
    """Reward and time of a response on a side (0 is a guess), or of none."""
    wrong = np.where(deadline, 1.0, (1 - side * heading) / 2)
    reward = condition.payoff * (1 - 2 * wrong)
    return reward, frame * FRAME + OVERHEAD + condition.penalty * wrong


def evaluate(policy: np.ndarray, design) -> tuple[float, float]:
    """Mean reward and time of a policy table, path by path."""
    reward = time = 0.0
    frames = np.arange(design.deadline_steps * FRAMES_PER_STEP + 1)
    for condition, path in product(design.conditions, directions(design.deadline_steps)):
        place = np.round(free_walk(np.array([path]))[0] / FRAME_PIXELS).astype(int)
        hazard = np.append(policy[frames[:-1], np.abs(place[:-1])], 1.0)
        stop = hazard * np.cumprod(np.append(1.0, 1 - hazard[:-1]))
        stop *= probability(path, condition.p0, 1) / len(design.conditions)
        deadline = frames == frames[-1]
        r, d = outcome(condition, frames, np.sign(place), 1, deadline)
        reward, time = reward + stop @ r, time + stop @ d
    return reward, time


@pytest.fixture(scope="session")
def brute_force() -> SimpleNamespace:
    return SimpleNamespace(
        directions=directions, probability=probability, outcome=outcome, evaluate=evaluate
    )


@pytest.fixture(scope="session")
def fit_subjects():
    """A function that runs both stages of the fuzzy model."""
    from fuzzybounds.paper.fuzzy.fitted import FitTables
    from fuzzybounds.paper.fuzzy.subject_fits import extract_rules, tune_memberships

    def fit(trials, samples, **options):
        of_rules = {name: options.pop(name, None) for name in ("normalised", "resolution", "empty")}
        penalty = options.pop("penalty", 2.0)
        given = {name: value for name, value in of_rules.items() if value is not None}
        rules = extract_rules(trials, samples, **options, **given)
        tuned = tune_memberships(trials, samples, rules, **options, penalty=penalty)
        return FitTables(tuned.fits, rules, tuned.memberships)

    return fit
