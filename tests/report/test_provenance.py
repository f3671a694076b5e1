"""Costs by rule, versions, and the commit."""

from __future__ import annotations

import subprocess

from fuzzybounds.report.provenance import UNKNOWN, Cost, commit, costs


def test_costs_are_summed_by_rule_and_the_longest_comes_first(tmp_path):
    (tmp_path / "fit").mkdir()
    for name, cpu in (("a", "1.5"), ("b", "2.25")):
        (tmp_path / f"fit/{name}.tsv").write_text(f"s\tmax_rss\tcpu_time\n3.0\t-\t{cpu}\n")
    (tmp_path / "draw.tsv").write_text("s\tmax_rss\tcpu_time\n1.0\t125.5\t9.0\n")
    (tmp_path / "short.tsv").write_text("s\tmax_rss\tcpu_time\n0.5\tNA\t-\n")
    expected = [Cost("fit", 2, 6.0, 3.75), Cost("draw", 1, 1.0, 9.0, 125.5)]
    assert costs(tmp_path) == [*expected, Cost("short", 1, 0.5, 0.0)]


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
