"""Where the workflow is, and how it is run.

In a checkout the workflow is the project itself.  An installed package carries it along in
``project_files``; results then go to the working directory.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.suggestions import suggestion
from fuzzybounds.logs.retrieval import published

PACKAGE = Path(__file__).resolve().parents[1]
RAW = Path("data/raw")
FIRST_LOOK = "first_look"
NEEDED = ("snakemake", "papermill", "ipykernel", "jinja2", "seaborn")
"""Packages that the workflow needs beyond the library, as they are imported."""


def folder() -> Path:
    """Return the folder of the Snakefile: here, in the package, or the checkout of the package."""
    places = (Path.cwd(), PACKAGE / "project_files", PACKAGE.parents[1])
    complete = (place for place in places if (place / "workflow/rules/common.smk").is_file())
    place = next(complete, None)
    if place is None:
        raise InputError("no workflow", ["install the package again: its files are incomplete"])
    return place


def configuration() -> dict[str, Any]:
    """Return the options of a run: those of the working directory over the defaults."""
    defaults = read_yaml(folder() / "config.yaml")
    local = Path("config.yaml")
    return defaults | (read_yaml(local) or {}) if local.is_file() else defaults


def data_sets() -> dict[str, str]:
    """Return the kind of every data set that can be run, by name."""
    cohorts = dict.fromkeys(configuration()["cohorts"], "simulated")
    known = cohorts | dict.fromkeys(published(), "published")
    folders = sorted(path.name for path in RAW.iterdir() if path.is_dir()) if RAW.is_dir() else []
    return known | dict.fromkeys((name for name in folders if name not in known), "own")


def results(dataset: str, variant: str | None = None) -> Path:
    """Return the folder of the results of a data set."""
    return Path("results") / (f"variants/{variant}/{dataset}" if variant else dataset)


def missing_packages() -> list[str]:
    """Return the packages of the workflow that are not installed."""
    return [name for name in NEEDED if find_spec(name) is None]


def variant_file(name: str) -> Path:
    """Return the options of a variant: a file of the working directory, or of the project."""
    places = (Path("variants"), folder() / "variants")
    options = [place / f"{name}.yaml" for place in places]
    file = next(filter(Path.is_file, options), None)
    if file is None:
        known = sorted({file.stem for place in places for file in place.glob("*.yaml")})
        raise InputError(f"unknown variant {name!r}", [suggestion(name, known)])
    return file


def snakemake(
    dataset: str,
    targets: Sequence[str] = (),
    *,
    variant: str | None = None,
    cores: int | None = None,
    more: Sequence[str] = (),
) -> int:
    """Run the workflow for a data set in the working directory; return its exit code.

    A ``config.yaml`` of the working directory changes the options that it names.
    """
    if missing := missing_packages():
        raise InputError(
            f"the workflow needs {', '.join(missing)}", ["pip install 'fuzzybounds[workflow]'"]
        )
    place = folder()
    local = Path("config.yaml")
    files = [local] if local.is_file() and place.resolve() != Path.cwd() else []
    files += [variant_file(variant)] if variant else []
    command = [sys.executable, "-m", "snakemake", "--logger", "progress"]
    command += ["--snakefile", str(place / "Snakefile")]
    command += ["--cores", str(cores)] if cores else []
    command += ["--configfile", *map(str, files)] if files else []
    command += ["--config", f"dataset={dataset}", *more, "--", *targets]
    paths = [str(place / "workflow"), os.environ.get("PYTHONPATH", "")]
    # Some systems disable bytecode; then every import would recompile every module.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    try:
        return subprocess.run(command, env=environment).returncode
    except KeyboardInterrupt:
        # Snakemake got it too and has ended its jobs.
        return 130
