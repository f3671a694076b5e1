"""Write the workbook of docs/new-subjects.md: simulated subjects, as a spreadsheet might hold them.

``python docs/examples/excel_lab.py`` writes docs/examples/excel_lab/study.xlsx; a test compares its
cells.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import openpyxl
import pandas as pd

from fuzzybounds.cohort.fuzzy_subjects import one_session_subject
from fuzzybounds.cohort.sessions import simulate_logs

SEED, NAME = 11, "excel_lab"
FOLDER = Path(__file__).with_name(NAME)
SUBJECTS, BLOCKS = ("emil", "fee", "gus"), 8
PIXELS_PER_CM = 37.8
SHEET = "Trials"


def trials() -> pd.DataFrame:
    """All trials in the columns and units of the spreadsheet."""
    logs = []
    for name in SUBJECTS:
        subject = dataclasses.replace(one_session_subject(SEED, NAME, name), blocks=BLOCKS)
        logs.append(simulate_logs(subject, SEED, NAME)[0])
    log = pd.concat(logs, ignore_index=True)
    return pd.DataFrame(
        {
            "Participant": log["subject"],
            "Block": log["block"],
            "Trial": log["trial"],
            "Difficulty": log["condition"].map({"easy": "leicht", "hard": "schwer"}),
            "RT (ms)": (1000 * log["rt"]).round().astype(int),
            "Correct": log["correct"].astype(bool),
            "Canoe x (cm)": (log["position"] / PIXELS_PER_CM).round(3),
        }
    )


def main(folder: Path = FOLDER) -> None:
    """Write the workbook."""
    table = trials()
    folder.mkdir(parents=True, exist_ok=True)
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = SHEET
    sheet.append(list(table))
    for row in table.itertuples(index=False):
        sheet.append([cell.item() if hasattr(cell, "item") else cell for cell in row])
    sheet.freeze_panes = "A2"
    book.save(folder / "study.xlsx")


if __name__ == "__main__":
    main()
