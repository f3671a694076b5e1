"""What marks results that are only a first look."""

from __future__ import annotations

import json

import pytest

from fuzzybounds.storage.first_look import first_look_note
from fuzzybounds.storage.results import find_results


@pytest.mark.parametrize(
    ("described", "note"),
    [
        ({}, ""),
        ({"first_look": None, "subjects_found": 26, "subjects_used": 26}, ""),
        (
            {"first_look": "First look", "subjects_found": 26, "subjects_used": 7},
            "First look (7 of 26 subjects)",
        ),
        (
            {"first_look": "First look", "subjects_found": 7, "subjects_used": 7},
            "First look (7 subjects)",
        ),
        (
            {"first_look": None, "subjects_found": 26, "subjects_used": 7},
            "First look (7 of 26 subjects)",
        ),
        ({"first_look": "First look"}, "First look"),
    ],
)
def test_a_note_says_how_many_subjects_are_used(described, note):
    assert first_look_note(described) == note


def test_results_know_whether_they_are_a_first_look(tmp_path):
    assert find_results(tmp_path, "lab").first_look == ""
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab/dataset.json").write_text(json.dumps({"first_look": "First look"}))
    assert find_results(tmp_path, "lab").first_look == "First look"
