"""Machine code is made again when any file changes that it was made from."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from fuzzybounds.core import compilation, source_graph


@pytest.fixture
def package(tmp_path):
    """A package of the same name with nothing in it but what compiles its functions."""
    package = tmp_path / "fuzzybounds"
    (package / "core").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "core/__init__.py").touch()
    for module in (compilation, source_graph):
        shutil.copy(module.__file__, package / "core")
    return package


def test_a_helper_in_another_file_takes_effect(package, tmp_path):
    """Numba alone returns the old value: it looks at the file of the caller only."""
    helper, caller = package / "helper.py", package / "caller.py"
    start = "from fuzzybounds.core.compilation import njit\n"
    caller.write_text(
        f"{start}from fuzzybounds.helper import scaled\n\n"
        "@njit\ndef total(x):\n    return scaled(x) + 1\n"
    )
    seen = []
    for factor in (2, 5):
        helper.write_text(f"{start}\n@njit\ndef scaled(x):\n    return {factor} * x\n")
        command = "from fuzzybounds.caller import total; print(total(10))"
        done = subprocess.run(
            [sys.executable, "-c", command],
            cwd=tmp_path,
            # Python itself would use old bytecode if both versions are written within one second.
            env={"PYTHONPATH": str(tmp_path), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        seen.append(done.stdout.strip())
    assert seen == ["21", "51"]
    # Both versions are kept.
    assert len(list((package / "__pycache__").glob("compiled-*"))) == 2
