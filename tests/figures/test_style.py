"""Saving figures: one layout for all formats, marks, and what a notebook shows."""

from __future__ import annotations

import base64

import matplotlib.pyplot as plt
import pytest
from matplotlib import layout_engine

from fuzzybounds.figures import style


@pytest.fixture
def figure():
    figure, axes = style.subplots(2, 2, width=style.COLUMN, height=2)
    axes[0, 0].plot([0, 1], [0, 1])
    return figure


def test_the_layout_is_solved_once_for_all_formats(figure, tmp_path, monkeypatch):
    solved = []
    solve = layout_engine.do_constrained_layout
    monkeypatch.setattr(
        layout_engine,
        "do_constrained_layout",
        lambda *args, **options: solved.append(1) or solve(*args, **options),
    )
    style.save(figure, tmp_path / "fig")
    assert len(solved) == 1
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".pdf", ".png", ".svg"]
    assert not plt.fignum_exists(figure.number)


def test_a_notebook_shows_the_saved_image_at_its_printed_size(figure, tmp_path):
    saved = style.save(figure, tmp_path / "fig")
    data, metadata = saved._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]) == (tmp_path / "fig.png").read_bytes()
    assert metadata["image/png"] == {"width": round(90 / 25.4 * 150), "height": 300}
    assert style.save(figure, None) is None


def test_a_first_look_is_marked(figure, tmp_path, monkeypatch):
    monkeypatch.setattr(style, "first_look", "First look: few subjects")
    style.save(figure, tmp_path / "fig")
    assert "First look: few subjects" in (tmp_path / "fig.svg").read_text()
