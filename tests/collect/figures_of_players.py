"""Let scripted participants do whole sessions of Experiment A: a data set for every figure.

    .venv/bin/python tests/collect/figures_of_players.py data/raw 1 2 3
    make figures DATASET=my_lab
    .venv/bin/python tests/collect/figures_of_players.py data/raw 4

Players follow fuzzy controllers of the library in fake time, each its own.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from conftest import SEED, Page, _serving, chrome, policies, tabulated

from fuzzybounds.cohort.fuzzy_subjects import one_session_subject


def play(raw: Path, numbers: list[int]) -> None:
    with tempfile.TemporaryDirectory() as profile, _serving(raw) as server:
        browser = chrome(Path(profile))
        try:
            for number in numbers:
                own = one_session_subject(SEED, "players", f"player{number}")
                page = Page(browser)
                page.seed(number)
                page.open(server.address)
                page.enter(f"P{number:02d}")
                page.be({name: tabulated(one) for name, one in policies(own).items()}, number)
                page.play("Thank you!")
                page.wait_saved()
                page.close()
                print(f"P{number:02d} ({own.style}, {own.hard_habit} on hard trials) has played")
        finally:
            browser.quit()


if __name__ == "__main__":
    play(Path(sys.argv[1]), [int(own) for own in sys.argv[2:]])
