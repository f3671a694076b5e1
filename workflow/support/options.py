"""Options of a data set or a variant: those of config.yaml, with its own changes."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fuzzybounds.storage.errors import InputError, counted, listed, suggestion
from fuzzybounds.storage.schemas import check, read_yaml

VARIANTS = Path("variants")
"""Where variants are: one small YAML file each, beside config.yaml."""
CHANGEABLE = ("validation", "samples", "fuzzy", "weibull", "stopping", "groups", "figures")
"""Sections that a data set or a variant may change; everything else is shared by all data sets."""
NAME = r"[A-Za-z0-9][A-Za-z0-9_-]*"
SIGN = "@"
"""Between a data set and its variant in the name of a folder of results."""


def base_of(name: str) -> str:
    """Return the data set of a variant; any other name is its own."""
    return name.partition(SIGN)[0]


def full_name(dataset: str, variant: str | None) -> str:
    """Return the name of the folder of results of a data set, or of one of its variants."""
    for what, name in (("dataset", dataset), ("variant", variant)):
        if name is not None and not re.fullmatch(NAME, str(name)):
            raise InputError(
                f"{what}: {name!r}",
                ["expected letters, digits, _ and -, such as my_lab: it names a folder"],
            )
    return f"{dataset}{SIGN}{variant}" if variant else dataset


def merged(options: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with some changed; sections are changed key by key."""
    result = copy.deepcopy(dict(options))
    for key, value in changes.items():
        if isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            result[key] = merged(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def variants_folder(project: Path) -> Path:
    """Return where variants are: in the folder of the run, or in that of the project."""
    return VARIANTS if VARIANTS.is_dir() else project / VARIANTS


def changes_of(name: str, config: Mapping[str, Any], folder: Path = VARIANTS) -> dict[str, Any]:
    """Return what config.yaml and a variant's file change for a data set.

    Parameters
    ----------
    name : str
        A data set, or a data set and a variant, as :func:`full_name` returns it.
    config : mapping
        All options.
    folder : Path
        Where the files of variants are.
    """
    dataset, _, variant = name.partition(SIGN)
    changes = dict(config.get("datasets", {}).get(dataset) or {})
    _refuse_others(changes, f"config.yaml, datasets.{dataset}")
    if variant:
        path = folder / f"{variant}.yaml"
        if not path.is_file():
            known = sorted(own.stem for own in folder.glob("*.yaml"))
            raise InputError(
                f"unknown variant {variant!r}",
                [
                    suggestion(variant, known),
                    f"write the options that it changes into {path}, such as fuzzy: {{penalty: 0}}",
                ],
            )
        own = read_yaml(path)
        if not isinstance(own, dict) or not own:
            raise InputError(f"{path}: no options", ["expected such as fuzzy: {penalty: 0}"])
        _refuse_others(own, str(path))
        changes = merged(changes, own)
    return changes


def _refuse_others(changes: Mapping[str, Any], where: str) -> None:
    wrong = [
        f"{key}: {suggestion(str(key), CHANGEABLE)}; what is not in one of these sections is the "
        "same for all data sets, and is changed in config.yaml"
        for key in changes
        if key not in CHANGEABLE
    ]
    if wrong:
        raise InputError(f"{where}: {counted(wrong)}", wrong)


def resolve(
    name: str, config: Mapping[str, Any], schema: dict[str, Any], folder: Path = VARIANTS
) -> dict[str, Any]:
    """Return the options of a data set or variant, checked one by one and together."""
    changes = changes_of(name, config, folder)
    options = merged(config, changes)
    where = f"options of {name}" if changes else "config.yaml"
    check(options, schema, where)
    check_together(options, where)
    return options


def check_together(options: Mapping[str, Any], where: str) -> None:
    """Refuse options that contradict each other, before anything is computed from them."""
    problems = list(_contradictions(options))
    if problems:
        raise InputError(f"{where}: {counted(problems)}", problems)


def _contradictions(options: Mapping[str, Any]) -> Iterator[str]:
    fuzzy, groups, learning = options["fuzzy"], options["groups"], options["learning"]
    fitted = fuzzy["labels"]["one_session"]
    if groups["labels"] not in fitted:
        yield (
            f"groups.labels: {groups['labels']}, but fuzzy.labels.one_session: {fitted}; Figs. 13 "
            "and 14 average fits with groups.labels labels, so there must be such fits: expected "
            f"groups.labels to be one of {listed(fitted, 9)}, or {groups['labels']} among these"
        )
    if 3 not in fitted and 3 not in fuzzy["labels"]["three_session"]:
        yield (
            f"fuzzy.labels: {fuzzy['labels']}; Figs. 10 to 12 show fits with 3 labels: expected 3 "
            "among those of one_session or three_session"
        )
    bases = {"learning.rule_base": learning["rule_base"]}
    starts = learning.get("contest", {}).get("starts", {})
    bases |= {f"learning.contest.starts.{name}": base for name, base in starts.items()}
    for key, base in bases.items():
        lengths = {len(row) for row in base.values()}
        if lengths != {len(base)}:
            yield (
                f"{key}: {len(base)} position labels with rows of {listed(sorted(lengths))} "
                "letters; expected one letter for each time label, and as many as position labels"
            )


def rename(name: str, config: dict[str, Any], published: dict[str, Any]) -> None:
    """Give a variant the cohort, the published log or the lack of cues of its data set."""
    base = base_of(name)
    for entries in (config["cohorts"], published):
        if base in entries:
            entries[name] = entries[base]
    if base in config["uncued"]:
        config["uncued"] = [*config["uncued"], name]


def flattened(changes: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested options by their dotted names."""
    flat: dict[str, Any] = {}
    for key, value in changes.items():
        if isinstance(value, Mapping):
            flat |= flattened(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat
