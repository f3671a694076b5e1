"""Images and texts that the report takes from a results folder."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from fuzzybounds.report.figures import load, png_size, texts_of
from fuzzybounds.storage.errors import InputError

TITLE = {"cell_type": "markdown", "source": ["# Title"]}


def test_image_caption_and_observation_come_from_the_folder(report):
    figure = load("fig01", {"title": "First", "paper": "So."}, report.parent)
    content = base64.b64decode(figure.image.removeprefix("data:image/png;base64,"))
    assert content == (report.parent / "figures/fig01.png").read_bytes()
    assert (figure.width, figure.height) == (1200, 500)
    assert figure.caption == "<p>What is drawn (px).</p>"
    assert "<em>three</em>" in figure.seen
    assert "<script>" not in figure.seen


def test_a_figure_that_was_not_drawn_is_still_named(report):
    figure = load("figS3", {"title": "Later"}, report.parent)
    assert (figure.name, figure.title, figure.image) == ("Fig. S3", "Later", "")
    assert figure.supplementary


def test_a_notebook_that_stopped_gives_its_reason():
    reason = {"output_type": "stream", "name": "stdout", "text": ["Insufficient data: 1 < 2.\n"]}
    cells = [TITLE, {"cell_type": "code", "outputs": [reason]}, {"cell_type": "code"}]
    assert texts_of({"cells": cells}) == ("", "<p>Insufficient data: 1 &lt; 2.</p>")


def test_a_notebook_that_says_nothing_has_no_observation():
    warning = {"output_type": "stream", "name": "stderr", "text": "a warning"}
    cells = [TITLE, {"cell_type": "code", "outputs": [warning]}]
    assert texts_of({"cells": cells}) == ("", "")


def test_what_is_no_image_is_named():
    with pytest.raises(InputError, match=r"fig01\.png: not a PNG image"):
        png_size(b"GIF89a", Path("fig01.png"))
