"""The end of a run: each claim in five words, where results are, and whether to trust them."""

from __future__ import annotations

import json

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
    header = "id,ours,verdict,conclusion"
    rows = [
        f'{name},"{text}",undecided,supported'
        for name, text in zip(("C09", "C16"), ours, strict=True)
    ]
    (tmp_path / "claims.csv").write_text("\n".join([header, *rows, ""]))
    described = {"first_look": None, "subjects_found": 2, "subjects_used": 1}
    (tmp_path / "dataset.json").write_text(json.dumps(described))
    assert len(read_csv(tmp_path / "claims.csv")) == 2
    lines = summary(tmp_path, width)
    text_shown = " ".join(" ".join(lines).split())
    for name, text in zip(("C09", "C16"), ours, strict=True):
        assert f"{name} {CLAIMS[name]} supported {text}" in " ".join(text_shown.split())
    # Of some subjects only: said first and last.
    assert lines[0] == lines[-1] == "First look (1 of 2 subjects)"
