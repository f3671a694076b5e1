"""What the rules ask about figures; fuzzybounds.figures.registry reads their notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fuzzybounds.storage.registry import file_of
from support.datasets import Dataset

FORMATS = ("pdf", "svg", "png")


def tables_of(figure: Mapping[str, Any], dataset: str) -> dict[str, str]:
    """Paths of the tables that a figure draws, by name."""
    return {name: f"results/{dataset}/{file_of(name)}" for name in figure.get("tables", [])}


def options_of(figure: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a figure's notebook takes as parameters, by name."""
    pairs = (option.split(".") for option in figure.get("options", []))
    return {name: config[section][name] for section, name in pairs}


def paths_on_request(figures: Mapping[str, Any]) -> list[str]:
    """Beginnings of the paths of figures on request, within the folder of a data set."""
    names = [name for name, entry in figures.items() if entry.get("on_request")]
    return [f"{folder}/{name}." for name in names for folder in ("figures", "notebooks")]


def category_of(figure: str) -> str:
    """Where Snakemake's own report lists a figure."""
    return "Supplementary figures" if figure.startswith("figS") else "Figures"


def labels_of(wildcards: Any, figures: Mapping[str, Any]) -> dict[str, str]:
    """What Snakemake's own report says about a figure in its list."""
    title = figures[wildcards.figure]["title"]
    return {"figure": wildcards.figure, "title": title, "data set": wildcards.dataset}


def shown(dataset: Dataset, figures: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What the report needs to know about each figure of a data set."""
    return {
        figure: {key: entry[key] for key in ("title", "paper") if key in entry}
        for figure, entry in figures.items()
        if entry.get("only", dataset.kind) == dataset.kind
    }


def files_of(
    dataset: Dataset,
    figures: Mapping[str, Any],
    formats: Iterable[str] = FORMATS,
    *,
    on_request: bool = False,
) -> list[str]:
    """The files, in some or all formats, of a data set's figures, or of those drawn on request.

    A figure that is only for one kind of data set is left out of the others.
    """
    return [
        f"results/{dataset.name}/figures/{figure}.{extension}"
        for figure in shown(dataset, figures)
        if figures[figure].get("on_request", False) == on_request
        for extension in formats
    ]
