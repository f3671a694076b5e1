"""Text as HTML: the subset of Markdown that notebooks use, short numbers, names of figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby

from markupsafe import Markup, escape

INLINE = [
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*([^*\s][^*]*)\*"), r"<em>\1</em>"),
]
FIGURE = re.compile(r"Fig\. (S?)(\d+)")
ROW = re.compile(r"[ABC]\d\d")
ROWS = re.compile(rf"\((?:{ROW.pattern}(?:, | to )?)+\)")
"""Claims and errata in brackets; without them A13 is an equation of the appendix."""
SPAN = re.compile(r"Figs\. (\d+) to (\d+)")


def to_html(markdown: str) -> Markup:
    """Paragraphs, lists, emphasis and code as HTML; everything else is text and is escaped."""
    blocks = []
    for block in re.split(r"\n\s*\n", markdown.strip()):
        html = Markup("")
        for listed, lines in groupby(block.splitlines(), lambda line: line.startswith("- ")):
            if listed:
                items = (Markup("<li>{}</li>").format(_inline(line[2:])) for line in lines)
                html += Markup("<ul>{}</ul>").format(Markup("").join(items))
            else:
                html += Markup("<p>{}</p>").format(_inline(" ".join(lines)))
        blocks.append(html)
    return Markup("\n").join(blocks)


def _inline(text: str) -> Markup:
    html = str(escape(text))
    for pattern, replacement in INLINE:
        html = pattern.sub(replacement, html)
    return Markup(html)


def rounded(cell: str, digits: int = 4) -> str:
    """Shorten a number to some digits, a large one to whole; leave text and counts alone.

    A number is large from 1000, or if it has more digits before the point than are asked for.
    """
    try:
        number = float(cell)
    except ValueError:
        return cell
    if number.is_integer():
        return cell
    large = 1000.0 if digits > 3 else 10.0**digits - 0.5
    return f"{number:.0f}" if abs(number) >= large else f"{number:.{digits}g}"


def figure_name(figure: str) -> str:
    """Name of a figure in print: fig01 is Fig. 1, figS2 is Fig. S2."""
    return f"Fig. {figure.removeprefix('fig').lstrip('0')}"


def figure_id(supplementary: str, number: str) -> str:
    """Id of a figure by its number: 1 is fig01, S2 is figS2."""
    return f"fig{supplementary}{number}" if supplementary else f"fig{int(number):02d}"


def mentioned(text: str) -> list[str]:
    """Ids of the figures that a text mentions, as Fig. 3 or as Figs. 10 to 12."""
    single = [figure_id(*match) for match in FIGURE.findall(text)]
    spans = [range(int(first), int(last) + 1) for first, last in SPAN.findall(text)]
    return single + [figure_id("", str(number)) for span in spans for number in span]


class Terms:
    """A filter that explains a term where it first stands on a page.

    The meaning is a popover of the browser: it opens by keyboard and by touch, without a script.
    """

    def __init__(self, meanings: Mapping[str, str]):
        self._left = {re.compile(rf"\b(?:{term})\b"): says for term, says in meanings.items()}
        self._number = 0

    def __call__(self, text: str) -> Markup:
        """Return a text with the terms that it is the first to have explained."""
        # Tags alternate with what stands between them.
        parts = re.split(r"(<[^>]*>)", str(escape(text)))
        for term, meaning in list(self._left.items()):
            for place in range(0, len(parts), 2):
                if match := term.search(parts[place]):
                    del self._left[term]
                    before, after = parts[place][: match.start()], parts[place][match.end() :]
                    parts[place : place + 1] = [before, self._explained(match[0], meaning), after]
                    break
        return Markup("".join(parts))

    def _explained(self, term: str, meaning: str) -> str:
        self._number += 1
        name = f"term-{self._number}"
        return (
            f'<button type="button" class="term" popovertarget="{name}">{term}</button>'
            f'<span class="meaning" role="note" popover id="{name}">{escape(meaning)}</span>'
        )


def linked(text: str) -> Markup:
    """Text with a link from every figure, claim and erratum that it mentions to its place."""
    html = FIGURE.sub(
        lambda match: f'<a href="#{figure_id(*match.groups())}">{match[0]}</a>', str(escape(text))
    )
    html = SPAN.sub(lambda match: f'<a href="#{figure_id("", match[1])}">{match[0]}</a>', html)
    return Markup(ROWS.sub(lambda match: ROW.sub(r'<a href="#\g<0>">\g<0></a>', match[0]), html))
