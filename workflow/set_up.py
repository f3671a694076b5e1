"""Create .venv from the lock files; `make` runs this with nothing but Python itself.

Packages are installed by uv, which takes a sixth of pip's time for the same lock file.  uv comes
from the package index like any other package, by the version and the hashes of
requirements-uv.lock.  If it is unavailable or fails, pip installs the same packages.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from pathlib import Path

OLDEST = (3, 11)
VENV = Path(".venv")
PYTHON = VENV / ("Scripts" if os.name == "nt" else "bin") / "python"
PIP = [str(PYTHON), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
UV = [str(PYTHON), "-m", "uv", "--quiet", "pip", "install", "--python", str(PYTHON)]
LOCKED = ["--require-hashes", "-r"]
PROJECT = ["--no-deps", "--no-build-isolation", "-e", "."]
SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}
"""pip's settings of where packages come from, and the variables by which uv takes them."""


def main() -> None:
    """Create the environment, or bring an existing one up to date."""
    if sys.version_info < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        sys.exit(
            f"error: Python {sys.version.split()[0]} is too old\n"
            f"  - expected {wanted} or later; name one with: make PYTHON=python{wanted} ..."
        )
    print("Setting up .venv from requirements.lock (once, under a minute) ...", flush=True)
    start = time.monotonic()
    run([sys.executable, "-m", "venv", str(VENV)], "creating .venv")
    if reason := install_with_uv():
        print(f"note: pip installs instead of uv, in minutes ({reason})", flush=True)
        run([*PIP, *LOCKED, "requirements.lock"], "installing the packages of requirements.lock")
        run([*PIP, *PROJECT], "installing this project")
    print(f"Set up .venv in {time.monotonic() - start:.0f} s", flush=True)


def install_with_uv() -> str:
    """Install everything with uv, and return why that failed; empty if it did not."""
    bootstrap = [*PIP, "--no-deps", "--only-binary", ":all:", *LOCKED, "requirements-uv.lock"]
    # Any index may have the version that is wanted: the hashes say which file is the right one.
    chosen = {"UV_INDEX_STRATEGY": "unsafe-best-match", **settings_of_pip()}
    for step in (bootstrap, [*UV, *LOCKED, "requirements.lock"], [*UV, *PROJECT]):
        done = subprocess.run(step, env={**chosen, **os.environ}, capture_output=True, text=True)
        if done.returncode:
            messages = [line.strip() for line in done.stderr.splitlines() if line.strip()]
            return messages[-1] if messages else f"exit status {done.returncode}"
    return ""


def settings_of_pip() -> dict[str, str]:
    """What pip is told about indexes, as variables for uv."""
    command = [str(PYTHON), "-m", "pip", "config", "list"]
    settings = {}
    for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
        name, _, value = line.partition("=")
        variable = SETTINGS.get(name.split(".")[-1])
        if variable:
            settings[variable] = " ".join(str(ast.literal_eval(value)).split())
    return settings


def run(command: list[str], what: str) -> None:
    """Run a command, and end with a message if it fails."""
    code = subprocess.run(command).returncode
    if code:
        sys.exit(f"error: {what} failed (see above)\n  - fix it, then rerun the same command")


if __name__ == "__main__":
    main()
