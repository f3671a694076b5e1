"""Run a first look with the lowest and the newest declared versions, and compare the claims.

    make test-versions
    python tests/versions/compare_versions.py lowest        one of them

Each environment is made under build/versions/ by uv, from what pyproject.toml declares.  With
``--like-windows`` the project cannot import what Windows lacks (fcntl, resource), and neither
make nor a shell is used.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/versions"
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
SHOWN = ("snakemake", "papermill", "numpy", "scipy", "pandas", "numba", "matplotlib", "pyarrow")
FIRST_LOOK = ("--configfile", "variants/first_look.yaml")
LACKING = """
import builtins, sys
real = builtins.__import__

def guarded(name, globals=None, *rest, **named):
    importer = (globals or {}).get("__file__") or ""
    ours = any(part in importer for part in ("/fuzzybounds/", "/workflow/"))
    if ours and name in ("fcntl", "resource", "pwd", "grp"):
        raise ImportError(f"{name} is not available on Windows, but {importer} imports it")
    return real(name, globals, *rest, **named)

builtins.__import__ = guarded
"""


def uv(*arguments: str) -> None:
    """Run uv with pip's settings of where packages come from, as the set-up does."""
    sys.path.insert(0, str(ROOT / "workflow"))
    from set_up import settings_of_pip

    chosen = {"UV_INDEX_STRATEGY": "unsafe-best-match", **settings_of_pip(), **os.environ}
    subprocess.run([sys.executable, "-m", "uv", "--quiet", *arguments], env=chosen, check=True)


def environment(name: str) -> Path:
    """Make an environment, and return its Python."""
    folder = BUILD / name / "venv"
    shutil.rmtree(folder, ignore_errors=True)
    uv("venv", "--python", sys.executable, str(folder))
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    resolution = ["--resolution", RESOLUTIONS[name]]
    uv("pip", "install", *resolution, "--python", str(python), f"{ROOT}[workflow]")
    listed = subprocess.run(
        [sys.executable, "-m", "uv", "pip", "list", "--python", str(python)],
        capture_output=True,
        text=True,
        check=True,
    )
    versions = dict(line.split()[:2] for line in listed.stdout.splitlines()[2:])
    print(
        f"{name}: " + ", ".join(f"{package} {versions[package]}" for package in SHOWN), flush=True
    )
    return python


def first_look(name: str, python: Path, like_windows: bool) -> pd.DataFrame:
    """Run a first look on the simulated cohort in a copy of the project, and return its claims."""
    project = BUILD / name / "project"
    shutil.rmtree(project, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for file in filter(None, listed.stdout.decode().split("\0")):
        (project / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, project / file)
    paths = [project / "workflow"]
    if like_windows:
        (BUILD / name / "lacking").mkdir(exist_ok=True)
        (BUILD / name / "lacking/sitecustomize.py").write_text(LACKING, encoding="utf-8")
        paths.append(BUILD / name / "lacking")
    # As an activated environment: jobs start the first Python on PATH.
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    named = {"PATH": path, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    subprocess.run(
        [python, "-m", "snakemake", "--logger", "progress", *FIRST_LOOK],
        cwd=project,
        env={**os.environ, **named},
        check=True,
    )
    return pd.read_csv(project / "results/variants/first_look/simulated/claims.csv")


def main() -> None:
    """Compare the environments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(RESOLUTIONS)}; by default all")
    parser.add_argument("--like-windows", action="store_true")
    given = parser.parse_args()
    names = given.names or list(RESOLUTIONS)
    claims = {name: first_look(name, environment(name), given.like_windows) for name in names}
    first, *others = claims
    for name in others:
        columns = ["id", "verdict", "ours"]
        differing = claims[first][columns].compare(claims[name][columns])
        if len(differing):
            sys.exit(f"error: the claims of {first} and {name} differ\n{differing.to_string()}")
        print(f"the claims of {first} and {name} are the same ({len(claims[first])} rows)")


if __name__ == "__main__":
    main()
