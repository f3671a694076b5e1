"""What all tests share: where the project is, and where the published logs may be."""

from __future__ import annotations

import os
from pathlib import Path

# One thread, as in the workflow; before anything imports numpy.
for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def project_root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the published logs; tests that need it are skipped where it is not."""
    named = os.environ.get("FUZZYBOUNDS_MIRROR")
    folder = (ROOT / named if named else ROOT.parent / "shared/data").resolve()
    if not (folder / "Canoe_A.csv").is_file():
        pytest.skip(f"the published logs are not at {folder}; FUZZYBOUNDS_MIRROR can name a folder")
    return folder
