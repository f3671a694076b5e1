"""Fit the people of the simulated cohort, and see how well they are found again: `make people`.

``fit`` fits Experiment A's sessions and writes ``src/fuzzybounds/cohort/people.csv``, from which
cohorts are simulated.  ``recover`` fits the simulated cohort and compares the fits with its truth.
Neither is a rule of the workflow: data sets would depend on the results of one of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import fuzzybounds.cohort
from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.tables import read_table, write_csv, write_table
from fuzzybounds.stopping.session_fits import compare_with_truth, describe_sessions

ROOT = Path(__file__).resolve().parents[1]
PEOPLE = Path(fuzzybounds.cohort.__file__).with_name("people.csv")


def fit(folder: Path, people: Path = PEOPLE) -> None:
    """Fit every subject of a data set, and write the parameters without names."""
    delays = read_yaml(ROOT / "config.yaml")["stopping"]["delays"]
    described = describe_sessions(read_table(folder / "trials.parquet"), delays=delays)
    write_table(described.fits, folder / "session_fits.csv")
    write_csv(described.people, people)


def recover(folder: Path) -> None:
    """Fit simulated subjects, and compare the fits with what was simulated."""
    fit(folder, folder / "people.csv")
    truth = read_table(folder / "truth.json")
    table = compare_with_truth(read_table(folder / "session_fits.csv"), truth)
    write_table(table, folder / "session_recovery.csv")


if __name__ == "__main__":
    step = {"fit": fit, "recover": recover}[sys.argv[1]]
    step(ROOT / "results" / sys.argv[2])
