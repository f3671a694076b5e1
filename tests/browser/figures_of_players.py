"""From participants to the report: play sessions, draw every figure, add a participant, draw again.

    .venv/bin/python tests/browser/figures_of_players.py            three players, then a fourth
    .venv/bin/python tests/browser/figures_of_players.py FOLDER     and keep the project in FOLDER

Players follow fuzzy controllers of the library in fake time, each its own.  The workflow runs in a
copy of the project.  This takes as long as `make figures` does, twice; `make test` leaves it out.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from conftest import SEED, Page, _serving, chrome, policies, tabulated

from fuzzybounds.cohort.fuzzy_subjects import one_session_subject

ROOT = Path(__file__).resolve().parents[2]
STUDY = "players"
SNAKEMAKE = [sys.executable, "-m", "snakemake", "--cores", "2", "--config", f"dataset={STUDY}"]


def copy_project(folder: Path) -> Path:
    """Copy what git knows of the project, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    packed = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"], cwd=ROOT, input=listed.stdout, stdout=subprocess.PIPE
    )
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, check=True)
    return folder


def play(raw: Path, numbers: range) -> None:
    """Let players do whole sessions of Experiment A."""
    with tempfile.TemporaryDirectory() as profile, _serving(raw, STUDY) as server:
        browser = chrome(Path(profile))
        try:
            for number in numbers:
                own = one_session_subject(SEED, "players", f"player{number}")
                page = Page(browser)
                page.seed(number)
                page.open(server.address)
                page.enter(f"P{number:02d}")
                policy = {name: tabulated(one) for name, one in policies(own).items()}
                page.be(policy, seed=number)
                page.play("Thank you!")
                page.wait_stored(0, STUDY)
                page.close()
                print(f"P{number:02d} ({own.style}, {own.hard_habit} on hard trials) has played")
        finally:
            browser.quit()


def draw(project: Path) -> Counter[str]:
    """Run the workflow, and count the jobs of each rule."""
    begun = time.monotonic()
    done = subprocess.run(
        SNAKEMAKE,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise SystemExit(done.stdout)
    jobs = Counter(re.findall(r"\(Rule: (\w+)\)", done.stdout))
    drawn = sorted(path.stem for path in project.glob(f"results/{STUDY}/figures/*.png"))
    print(f"{sum(jobs.values())} jobs in {time.monotonic() - begun:.0f} s: {dict(jobs)}")
    print(f"{len(drawn)} figures: {', '.join(drawn)}")
    return jobs


def main(folder: Path) -> None:
    project = copy_project(folder)
    raw = project / "data/raw"
    play(raw, range(1, 4))
    draw(project)
    play(raw, range(4, 5))
    again = draw(project)
    expected = {"validate_logs": 1, "fit_fuzzy": 1, "fit_weibull": 1}
    if any(again[rule] != count for rule, count in expected.items()):
        raise SystemExit(f"error: one more participant reran {dict(again)}; expected {expected}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary))
