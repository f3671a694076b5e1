"""The end of a run: each claim in five words, where results are, and whether to trust them."""

from __future__ import annotations

import json
import re

import pytest

from fuzzybounds.core.tables import read_csv
from fuzzybounds.report.terminal import CLAIMS, LOOKS, summary
from fuzzybounds.scorecard import claims, verdicts


def test_every_verdict_and_conclusion_has_a_sign():
    words = {word for name, word in vars(verdicts).items() if name.isupper()}
    assert set(LOOKS) == words - {verdicts.CANNOT}


def test_every_claim_is_said_in_five_words():
    assert list(CLAIMS) == list(claims.CLAIMS)
    assert max(len(text.split()) for text in CLAIMS.values()) == 5


@pytest.mark.parametrize("width", [40, 80, 300])
def test_numbers_are_never_cut(tmp_path, width):
    ours = [
        "7 fast, 6 slow",
        "rises in 113 of 360 readings, default -0.19 to 0.55, its control to 0.56",
    ]
    header = "id,ours,verdict,conclusion,doubt"
    rows = [
        f'{name},"{text}",undecided,supported,It is 1 of 2.'
        for name, text in zip(("C09", "C16"), ours, strict=True)
    ]
    (tmp_path / "claims.csv").write_text("\n".join([header, *rows, ""]))
    described = {"first_look": None, "subjects_found": 2, "subjects_used": 1}
    (tmp_path / "dataset.json").write_text(json.dumps(described))
    assert len(read_csv(tmp_path / "claims.csv")) == 2
    lines = summary(tmp_path, width)
    text_shown = " ".join(" ".join(lines).split())
    for name, text in zip(("C09", "C16"), ours, strict=True):
        head = f"{name} {CLAIMS[name]} supported {text}"
        assert f"{head} undecided: It is 1 of 2." in " ".join(text_shown.split())
    # Of some subjects only: said first and last.
    assert lines[0] == lines[-1] == "First look (1 of 2 subjects)"


ODD = re.compile(
    r"(?<!of )\b1 (?:subject|block|draw|trial|reading|specification|cell|model|class|rule)e?s\b"
    r"|\b1 classes\b"
    r"|\b(?:inf|nan|None)\b(?! of)|\bC\d\d assume\b|[Ss]imulated[^.<]{0,20}: simulated|\{\w+"
)
"""What a template gives that does not look at the number that it is given."""


def test_what_is_odd_is_noticed():
    odd = ["For 1 subjects", "median after inf trials", "C01 assume", "nan px", "{value}"]
    odd += ["Simulated subjects: simulated, 28 subjects", "1 classes", "1 specifications"]
    assert all(map(ODD.search, odd))
    assert not any(map(ODD.search, ["1 of 1 subjects", "by 11 subjects", "1 subject", "none"]))


def test_scorecards_and_reports_read_well(project_root):
    """Those of the results that are here."""
    folders = [path.parent for path in (project_root / "results").glob("*/report.html")]
    if not folders:
        pytest.skip("there are no results in this folder")
    for folder in folders:
        page = (folder / "report.html").read_text(encoding="utf-8")
        shown = re.sub(r"(?s)<(script|style|pre)\b.*?</\1>|<[^>]*>", "", page)
        for text in (shown, "\n".join(summary(folder, 300))):
            assert not [match[0] for match in ODD.finditer(text)], folder.name
