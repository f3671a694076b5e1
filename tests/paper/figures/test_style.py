"""Figures in notebooks: one layout for all formats, marks, and insufficient data."""

from __future__ import annotations

import pytest

from fuzzybounds.core.errors import TooFew
from fuzzybounds.paper.figures import style


@pytest.fixture
def figure():
    figure, axes = style.subplots(2, 2, width=style.COLUMN, height=2)
    axes[0, 0].plot([0, 1], [0, 1])
    return figure


class Tables:
    """Results that are a first look, or not."""

    def __init__(self, first_look=""):
        self.first_look = first_look


@pytest.fixture
def displayed(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    return shown


def test_insufficient_data_end_as_a_panel_not_as_an_error(tmp_path, displayed, capsys):
    with style.enough_data(Tables(), tmp_path / "fig"):
        raise TooFew("nobody is here")
    assert capsys.readouterr().out == "Insufficient data: nobody is here.\n"
    assert "nobody is here" in (tmp_path / "fig.svg").read_text()


def test_a_figure_stays_where_only_its_description_lacks_data(figure, tmp_path, displayed, capsys):
    with style.enough_data(Tables(), tmp_path / "fig") as show:
        show(figure)
        raise TooFew("nobody is here")
    assert "nobody is here" in capsys.readouterr().out
    assert "nobody is here" not in (tmp_path / "fig.svg").read_text()
    assert len(displayed) == 1
