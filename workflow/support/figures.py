"""The registry of figures, workflow/figures.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from support.datasets import Dataset

FORMATS = ("pdf", "svg", "png")


def tables_of(figure: Mapping[str, Any], dataset: str) -> dict[str, str]:
    """Paths of the tables that a figure draws, by name."""
    return {Path(name).stem: f"results/{dataset}/{name}" for name in figure.get("tables", [])}


def printed_numbers(claims: Mapping[str, Any], ids: Iterable[str]) -> dict[str, float]:
    """The numbers that the paper prints for some claims, by name."""
    return {name: value for id_ in ids for name, value in claims[id_]["printed"].items()}


def files_of(
    dataset: Dataset, figures: Mapping[str, Any], *, on_request: bool = False
) -> list[str]:
    """Every file that drawing all figures of a data set makes, or all that are drawn on request.

    A figure that is only for one kind of data set is left out of the others.
    """
    return [
        f"results/{dataset.name}/figures/{figure}.{extension}"
        for figure, entry in figures.items()
        if entry.get("only", dataset.kind) == dataset.kind
        and entry.get("on_request", False) == on_request
        for extension in FORMATS
    ]
