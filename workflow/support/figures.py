"""The registry of figures, workflow/figures.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

FORMATS = ("pdf", "svg", "png")


def tables_of(figure: Mapping[str, Any], dataset: str) -> dict[str, str]:
    """Paths of the tables that a figure draws, by name."""
    return {Path(name).stem: f"results/{dataset}/{name}" for name in figure.get("tables", [])}


def files_of(dataset: str, figures: Mapping[str, Any]) -> list[str]:
    """Every file that drawing all figures of a data set makes."""
    return [
        f"results/{dataset}/figures/{figure}.{extension}"
        for figure in figures
        for extension in FORMATS
    ]
