"""The end of a run: one line per claim, where results are, and whether to trust them."""

from __future__ import annotations

import json

import pytest

from fuzzybounds.report.terminal import LOOKS, summary
from fuzzybounds.scorecard import verdicts

ROWS = """id,verdict,conclusion,ours
C01,comes out as printed,supported,26 subjects
C02,does not come out,undecided,8 of 26 and much more than fits into the width of this terminal
C15,not testable,not identified,no recorded paths
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "claims.csv").write_text(ROWS)
    (tmp_path / "dataset.json").write_text("{}")
    return tmp_path


def test_every_verdict_and_conclusion_has_a_sign():
    words = {word for name, word in vars(verdicts).items() if name.isupper()}
    assert set(LOOKS) == words - {verdicts.CANNOT}


def test_every_claim_has_one_line_and_the_report_comes_first(folder):
    lines = summary(folder, width=79)
    assert lines[1].split("  ")[0] == "✓✓ C01"
    assert lines[1].endswith("supported       26 subjects")
    assert lines[2].startswith("✗? C02  does not come out     undecided ")
    assert lines[2].endswith("…")
    assert len(lines[2]) <= 79
    assert lines[3].startswith("–⊘ C15  not testable          not identified")
    assert lines[5] == f"Report:    {folder.as_posix()}/report.html"
    assert "\x1b" not in "".join(lines)
    assert "\x1b[32m✓✓ C01" in summary(folder, colours=True)[1]


def test_a_first_look_is_said_first_and_last(folder):
    looked = {"first_look": "First look", "subjects_found": 26, "subjects_used": 7}
    (folder / "dataset.json").write_text(json.dumps(looked))
    lines = summary(folder)
    assert lines[0] == lines[-1] == "First look (7 of 26 subjects)"
