"""The commit of a run."""

from __future__ import annotations

import subprocess

from fuzzybounds.report.provenance import UNKNOWN, commit


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    command = ["git", *identity, "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_commit_and_whether_the_tree_was_changed(tmp_path):
    file = tmp_path / "Snakefile"
    file.write_text("rule all:")
    assert commit(file) == (UNKNOWN, UNKNOWN)
    git(tmp_path, "init", "-q")
    # Somebody's repository around it is not its own.
    assert commit(file) == (UNKNOWN, UNKNOWN)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    assert commit(file) == (git(tmp_path, "rev-parse", "HEAD"), "no")
    file.write_text("rule some:")
    assert commit(file)[1] == "yes"
