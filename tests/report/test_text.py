"""Markdown of notebooks as HTML, short numbers, and names of figures."""

from __future__ import annotations

import pytest

from fuzzybounds.report.text import figure_name, linked, mentioned, rounded, to_html


def test_paragraphs_lists_emphasis_and_code():
    html = to_html("One *IF time is S* and `x`.\n\n- first\n- **second**\n\nLast\nline.")
    assert html == (
        "<p>One <em>IF time is S</em> and <code>x</code>.</p>\n"
        "<ul><li>first</li><li><strong>second</strong></li></ul>\n<p>Last line.</p>"
    )


def test_everything_else_is_escaped():
    assert to_html("a < b & <script>") == "<p>a &lt; b &amp; &lt;script&gt;</p>"
    assert linked("<b> Fig. 2") == '&lt;b&gt; <a href="#fig02">Fig. 2</a>'


def test_a_lone_star_is_a_star():
    assert to_html("2 * 3 * 4") == "<p>2 * 3 * 4</p>"


@pytest.mark.parametrize(
    ("cell", "short"),
    [
        ("0.123456", "0.1235"),
        ("1.8e-07", "1.8e-07"),
        ("93008.64", "93009"),
        ("-1234.5", "-1234"),
        ("40", "40"),
        ("easy", "easy"),
        ("", ""),
        ("nan", "nan"),
    ],
)
def test_numbers_are_shortened_and_text_is_not(cell, short):
    assert rounded(cell) == short


@pytest.mark.parametrize(
    ("cell", "short"),
    [("-102.9", "-103"), ("119.6", "120"), ("99.7", "100"), ("99.4", "99"), ("0.0312", "0.031")],
)
def test_no_exponent_hides_a_large_number(cell, short):
    assert rounded(cell, 2) == short


def test_names_of_figures():
    assert [figure_name(own) for own in ("fig01", "fig17", "figS2")] == [
        "Fig. 1",
        "Fig. 17",
        "Fig. S2",
    ]
    assert mentioned("Results, Fig. 2 and Fig. S4") == ["fig02", "figS4"]
    assert mentioned("Figs. 10 to 12") == ["fig10", "fig11", "fig12"]
    assert mentioned("Appendix") == []
