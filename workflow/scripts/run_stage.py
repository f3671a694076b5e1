"""Run one stage of the library: read its inputs, call it, write what it returns.

A rule names the stage in ``params.stage``, as a function of the package.  Its named inputs are read
by their endings and become keyword arguments; a list of files becomes a list of tables.  The other
parameters are keyword arguments too, those of ``options`` each on its own.  What the stage returns
is written by name: the names of outputs are those of its fields, and a list of files takes a list
of tables.

With ``params.as_files`` the stage gets the paths of its inputs.  With ``params.some_subjects`` the
inputs are restricted to that many subjects, spread over those of ``input.everyone``.  Only with
``params.any_design`` does it get trials of another start, or with a gate.  Inputs that
``params.watched`` names are no arguments: they only make the outputs out of date.
"""

import logging
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pandas as pd
from job import work

from fuzzybounds.canoe.paths import plain
from fuzzybounds.core.subjects import spread
from fuzzybounds.core.tables import read_table, replacing, write_json, write_table

NOT_ARGUMENTS = {
    *("any_design", "as_files", "code", "options", "some_subjects", "stage", "watched"),
}
SHOWN = 60
"""Rows up to which a table is printed whole into the log."""


def read(source: Any) -> Any:
    """Read one input, or a list of them."""
    return read_table(source) if isinstance(source, str) else [read_table(path) for path in source]


def restrict(arguments: dict[str, Any], subjects: list[str]) -> dict[str, Any]:
    """Keep the rows of some subjects, in the tables that have subjects."""
    return {
        name: table[table["subject"].isin(subjects)]
        if isinstance(table, pd.DataFrame) and "subject" in table
        else table
        for name, table in arguments.items()
    }


def write(content: Any, path: Any) -> None:
    """Write a table, a text or plain data, and put it into the log."""
    if not isinstance(path, str):
        for part, file in zip(content, path, strict=True):
            write(part, file)
    elif isinstance(content, pd.DataFrame):
        write_table(content, path)
        shown = content if len(content) <= SHOWN else content.head()
        print(f"{path}: {len(content)} rows\n{shown.to_string(index=False)}\n")
    elif isinstance(content, str):
        with replacing(path) as temporary:
            temporary.write_text(content, encoding="utf-8")
        print(content)
    elif isinstance(content, bytes):
        with replacing(path) as temporary:
            temporary.write_bytes(content)
    else:
        write_json(content, path)


def by_name(result: Any, outputs: Mapping[str, str]) -> Mapping[str, Any]:
    """What a stage returned, by the names of outputs; a lone table is the only output."""
    if isinstance(result, pd.DataFrame):
        (name,) = outputs
        return {name: result}
    return result._asdict() if hasattr(result, "_asdict") else result


def main(inputs: Mapping[str, Any], outputs: Mapping[str, str], params: Mapping[str, Any]) -> None:
    """Run a stage: inputs and outputs are paths by name."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    module, function = params["stage"].rsplit(".", 1)
    stage = getattr(import_module(f"fuzzybounds.{module}"), function)
    arguments = {
        name: source if params.get("as_files") else read(source)
        for name, source in inputs.items()
        if name not in params.get("watched", ())
    }
    if "some_subjects" in params:
        everyone = arguments.pop("everyone")["subject"]
        arguments = restrict(arguments, spread(everyone, params["some_subjects"]))
    trials = arguments.get("trials")
    if isinstance(trials, pd.DataFrame) and not params.get("any_design"):
        used = plain(trials)
        if not used.all():
            print(f"{(~used).sum()} trials of another start, or with a gate, are left out")
        arguments["trials"] = trials[used].reset_index(drop=True)
    given = {name: value for name, value in params.items() if name not in NOT_ARGUMENTS}
    arguments |= given | dict(params.get("options", {}))
    results = by_name(stage(**arguments), outputs)
    for name, path in outputs.items():
        write(results[name], path)


if __name__ == "__main__":
    with work(snakemake):
        main(
            inputs=dict(snakemake.input.items()),
            outputs=dict(snakemake.output.items()),
            params=dict(snakemake.params.items()),
        )
