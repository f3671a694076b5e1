"""Figures of the report: each image with what the paper says, what is drawn and what is seen."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import read_json
from fuzzybounds.report.registry import caption_of
from fuzzybounds.report.text import figure_name, to_html

if TYPE_CHECKING:
    from PIL import Image

NOTHING = Markup("")
THUMBNAIL = (480, 320)
"""Largest width and height in px of a picture in the contact sheet, for twice as dense screens."""


class Figure(NamedTuple):
    """A figure with the text beside it; one that was not drawn has no image and no text."""

    id: str
    """Such as fig01."""
    name: str
    """In print, such as Fig. 1."""
    title: str
    paper: str = ""
    """What the paper says about it, paraphrased; empty if the paper does not have it."""
    caption: Markup = NOTHING
    seen: Markup = NOTHING
    """What is seen in it, as its executed notebook says."""
    image: str = ""
    """The image as a data URI."""
    width: int = 0
    """Of the image (px), as `height`."""
    height: int = 0
    thumbnail: str = ""
    """The image for the contact sheet, as a data URI."""

    @property
    def supplementary(self) -> bool:
        """Whether it is one that the paper does not have."""
        return self.id.startswith("figS")


def load(figure: str, entry: Mapping[str, Any], folder: str | Path) -> Figure:
    """Load a figure of a results folder by its id and its entry in the registry of figures."""
    from PIL import Image, UnidentifiedImageError

    image = Path(folder) / "figures" / f"{figure}.png"
    notebook = Path(folder) / "notebooks" / f"{figure}.ipynb"
    named = (figure, figure_name(figure), entry["title"], entry.get("paper", ""))
    if not (image.exists() and notebook.exists()):
        return Figure(*named)
    content = image.read_bytes()
    try:
        picture = Image.open(io.BytesIO(content), formats=["PNG"])
        small = io.BytesIO()
        _reduced(picture).save(small, "PNG", optimize=True)
    except UnidentifiedImageError:
        remedy = "delete it and rerun the command"
        raise InputError(f"{image}: not a PNG image", [remedy]) from None
    uris = [data_uri(part) for part in (content, small.getvalue())]
    return Figure(*named, *texts_of(read_json(notebook)), uris[0], *picture.size, uris[1])


def _reduced(picture: Image.Image) -> Image.Image:
    """Return a picture that fits a place of the contact sheet, in few colours."""
    reduced = picture.convert("RGB")
    reduced.thumbnail(THUMBNAIL)
    return reduced.quantize(64)


def texts_of(notebook: Mapping[str, Any]) -> tuple[Markup, Markup]:
    """Caption and observation of an executed notebook.

    The caption is the first Markdown cell without its heading, the observation what the last cell
    says.  A notebook that stopped earlier because of insufficient data printed the reason instead.
    """
    last = notebook["cells"][-1]
    passages = [
        "".join(output["data"]["text/markdown"])
        for output in last.get("outputs", [])
        if "text/markdown" in output.get("data", {})
    ]
    printed = [
        "".join(output["text"])
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if output["output_type"] == "stream" and output["name"] == "stdout"
    ]
    return to_html(caption_of(notebook["cells"])), to_html("\n\n".join(passages or printed))


def data_uri(content: bytes) -> str:
    """An image as an address that contains it."""
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"
