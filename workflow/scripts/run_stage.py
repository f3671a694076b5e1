"""Run one stage of the library: read its inputs, call it, write what it returns.

A rule names the stage in ``params.stage``, as a function of the package.  Its named inputs are read
by their endings and become keyword arguments; a list of files becomes a list of tables.  The other
parameters are keyword arguments too, those of ``options`` each on its own.  What the stage returns
is written by name: the names of outputs are those of its fields.
"""

import inspect
import logging
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import pandas as pd
from job import data_set_of, logged

from fuzzybounds.storage.tables import read_subjects, read_table, replacing, write_json, write_table

NOT_TABLES = {"code"}
NOT_ARGUMENTS = {"stage", "options", "streamed"}
SHOWN = 60
"""Rows up to which a table is printed whole into the log."""


def find(stage: str) -> Callable[..., Any]:
    """Find a function by its name within the package."""
    module, name = stage.rsplit(".", 1)
    return getattr(import_module(f"fuzzybounds.{module}"), name)


def read(source: Any) -> Any:
    """Read one input, or a list of them."""
    return read_table(source) if isinstance(source, str) else [read_table(path) for path in source]


def write(content: Any, path: str) -> None:
    """Write a table, a text or plain data, and put it into the log."""
    if isinstance(content, pd.DataFrame):
        write_table(content, path)
        shown = content if len(content) <= SHOWN else content.head()
        print(f"{path}: {len(content)} rows\n{shown.to_string(index=False)}\n")
    elif isinstance(content, str):
        with replacing(path) as temporary:
            temporary.write_text(content, encoding="utf-8")
        print(content)
    else:
        write_json(content, path)


def by_name(found: Any, outputs: Mapping[str, str]) -> Mapping[str, Any]:
    """What a stage returned, by the names of outputs; a lone table is the only output."""
    if isinstance(found, pd.DataFrame):
        (name,) = outputs
        return {name: found}
    return found._asdict() if hasattr(found, "_asdict") else found


def main(
    stage: str,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, str],
    params: Mapping[str, Any],
    dataset: str | None,
) -> None:
    """Run a stage.

    Parameters
    ----------
    stage : str
        Its function within the package, e.g. ``analysis.design_check.check``.
    inputs, outputs : mapping
        From names to paths.
    params : mapping
        Further arguments; those in ``options`` are passed one by one.  ``streamed`` names inputs
        that are too large to read at once: the stage gets a function that reads some subjects.
    dataset : str or None
        Passed to stages that take it, to name their random numbers; None where all share a job.
    """
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    function = find(stage)
    streamed = params.get("streamed", ())
    arguments = {
        name: partial(read_subjects, source) if name in streamed else read(source)
        for name, source in inputs.items()
        if name not in NOT_TABLES
    }
    given = {name: value for name, value in params.items() if name not in NOT_ARGUMENTS}
    arguments |= given | dict(params.get("options", {}))
    if "dataset" in inspect.signature(function).parameters:
        arguments.setdefault("dataset", dataset)
    found = by_name(function(**arguments), outputs)
    for name, path in outputs.items():
        write(found[name], path)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            stage=snakemake.params.stage,
            inputs=dict(snakemake.input.items()),
            outputs=dict(snakemake.output.items()),
            params=dict(snakemake.params.items()),
            dataset=data_set_of(snakemake.wildcards),
        )
