"""Make the example of docs/new-subjects.md: simulated subjects, logged as another laboratory might.

``python docs/examples/other_lab.py`` writes docs/examples/other_lab/; a test keeps it equal.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd

from fuzzybounds.canoe.task import EDGE
from fuzzybounds.cohort.fuzzy_subjects import (
    Subject,
    one_session_subject,
    three_session_subject,
)
from fuzzybounds.cohort.sessions import simulate_logs

SEED, NAME = 7, "other_lab"
FOLDER = Path(__file__).with_name(NAME)
BLOCKS = {"anna": 8, "ben": 8, "cleo": 8, "dora": 1}
RECORDED = "dora"


def subjects() -> list[Subject]:
    """Three subjects of eight blocks, and one of a single block whose paths are recorded."""
    drawn = [
        three_session_subject(SEED, NAME, name, hasty=True)
        if name == RECORDED
        else one_session_subject(SEED, NAME, name)
        for name in BLOCKS
    ]
    return [dataclasses.replace(own, blocks=BLOCKS[own.name]) for own in drawn]


def foreign_log(log: pd.DataFrame) -> pd.DataFrame:
    """The log in ms and shares of the screen, with keys instead of outcomes."""
    responded = log["rt"] > 0
    right = log["position"] >= 0
    expected = np.where(log["correct"].astype(bool) | ~responded, right, ~right)
    return pd.DataFrame(
        {
            "participant": log["subject"],
            "run": log["block"],
            "no": log["trial"],
            "difficulty": log["condition"].map({"easy": "low", "hard": "high"}),
            "latency": (1000 * log["rt"]).round().astype(int).where(responded, -1),
            "key": np.where(responded, np.where(right, "j", "f"), "none"),
            "heading": np.where(expected, "R", "L"),
            "x": log["position"] / EDGE,
        }
    )


def foreign_paths(paths: pd.DataFrame, subject: str) -> pd.DataFrame:
    """The recorded paths in ms and shares of the screen."""
    return pd.DataFrame(
        {
            "participant": subject,
            "no": paths["trial"],
            "ms": (1000 * paths["time"]).round().astype(int),
            "x": paths["position"] / EDGE,
        }
    )


def write(frame: pd.DataFrame, path: Path) -> None:
    """Write with semicolons and decimal commas."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, sep=";", decimal=",", index=False, float_format="%.4f", lineterminator="\n")


def main(folder: Path = FOLDER) -> None:
    """Write every file of the example but for its mapping."""
    for subject in subjects():
        log, paths = simulate_logs(subject, SEED, NAME)
        write(foreign_log(log), folder / f"{subject.name}.csv")
        if paths is not None:
            write(foreign_paths(paths, subject.name), folder / "tracks" / f"{subject.name}.csv")


if __name__ == "__main__":
    main()
