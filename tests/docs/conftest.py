"""The documentation site, built once without running its tutorials."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def builder(project_root):
    """The modules that build the site, importable as they are for the build itself."""
    folder = str(project_root / "docs/site")
    sys.path.insert(0, folder)
    yield folder
    sys.path.remove(folder)


@pytest.fixture(scope="session")
def site(project_root, tmp_path_factory) -> Path:
    """The folder of the built pages; a warning of Sphinx is a failure."""
    pytest.importorskip("furo", reason="the packages of the group `docs` are not installed")
    folder = tmp_path_factory.mktemp("site")
    script = project_root / "docs/site/build.py"
    done = subprocess.run(
        [sys.executable, str(script), "--no-execute", str(folder)],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"
