"""What participants see: every screen, in pixels, as the guide for labs shows it.

With ``FUZZYBOUNDS_SCREENSHOTS=docs/task`` the screenshots of the guide are written again.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest

from fuzzybounds.canoe import task

QUESTIONS = """
blocks: 8
questions:
  - {name: age, label: Your age in years}
  - {name: hand, label: With which hand do you write?, choices: [left, right, both]}
"""


def pixels(page) -> np.ndarray:
    """The screen as it is now."""
    from matplotlib import image

    return image.imread(io.BytesIO(page.browser.get_screenshot_as_png()))[..., :3]


def show(page, name: str) -> None:
    """Look at a screen; write a small PNG of it if that is asked for."""
    from PIL import Image

    seen = pixels(page)
    if folder := os.environ.get("FUZZYBOUNDS_SCREENSHOTS"):
        picture = Image.fromarray((seen * 255).round().astype("uint8"))
        picture = picture.resize((800, 500), Image.Resampling.LANCZOS)
        picture.save(Path(folder) / f"{name}.png", optimize=True)
    # Something is on the screen: text, or a river.
    assert len(np.unique(seen[::5, ::5].reshape(-1, 3), axis=0)) > 20, name
    assert page.fits, name


@pytest.fixture
def study(tmp_path, serving):
    with serving(tmp_path, QUESTIONS) as server:
        yield server


@pytest.fixture
def drawn(browser, new_page):
    """A window in fake time that draws."""
    with new_page(browser, pixels=True) as page:
        yield page


def canoe_at(page) -> float | None:
    """The middle of the canoe in CSS px, by its colour; None where there is none."""
    seen = pixels(page)
    ratio = page.run("return devicePixelRatio")
    red, green, blue = np.moveaxis(seen, -1, 0)
    wood = (red > 0.45) & (green < 0.45) & (blue < 0.3) & (red > 1.6 * blue)
    rows = slice(int(seen.shape[0] * 0.56), int(seen.shape[0] * 0.66))
    columns = np.flatnonzero(wood[rows].sum(axis=0) > 4)
    return None if not columns.size else (columns[0] + columns[-1] + 1) / 2 / ratio


def test_every_screen(drawn, study, policy):
    page = drawn
    page.seed(11)
    page.open(study.address)
    show(page, "consent")
    page.find("form button").click()
    assert "Please tick the box" in page.text
    page.find("input[name=agree]").click()
    page.find("form button").click()
    page.wait("return document.activeElement.name === 'code'")
    page.press("../../x\n")
    assert "A code has 1 to 32 letters" in page.text
    page.find("input[name=code]").clear()
    page.find("input[name=code]").send_keys("P01")
    show(page, "code")
    page.press("\n")
    page.wait_title("About you")
    page.find("input[name=age]").send_keys("31")
    show(page, "questions")
    page.find("form button").click()
    show(page, "instructions")
    for _ in range(4):
        assert page.fits
        page.press(" ")
    page.ticks(20)
    show(page, "cue")
    page.ticks(70)
    assert canoe_at(page) == pytest.approx(640, abs=1.5)
    page.ticks(75)
    show(page, "decision")
    page.press("m")
    page.ticks(3)
    show(page, "feedback")
    page.run("fake.blind = true")
    page.be(policy, seed=11)
    assert page.play("That was the practice") == "That was the practice"
    show(page, "practised")
    page.press(" ")
    page.ticks(100)
    show(page, "check")
    page.press(" ")
    show(page, "block")
    for name, title in (("break", "Block 4 of 8 done"), ("debriefing", "Thank you!")):
        page.press(" ")
        assert page.play(title) == title
        page.wait_saved()
        show(page, name)
    assert (study.folder.root / "demographics/answers.csv").read_text().splitlines()[1:] == [
        "P01,age,31"
    ]


GATE = """
canoe: {start_px: 180}
gate: {distribution: uniform, earliest_s: 3, latest_s: 3.01, ungated: 0, sound: true}
"""


def test_screens_of_a_gated_study(drawn, tmp_path, serving):
    """The signal differs from its absence by word, shape and light, not by colour alone."""
    page = drawn
    with serving(tmp_path, GATE) as server:
        page.seed(13)
        page.open(server.address)
        page.enter("P01")
        while page.title != "Wait for the signal":
            page.press(" ")
        assert "A short tone comes with it." in page.text
        show(page, "instructions_gate")
        while page.run("return document.getElementById('river').hidden"):
            assert page.fits
            page.press(" ")
        page.ticks(150)
        show(page, "signal_wait")
        page.press("m")
        page.ticks(1)
        assert "Not yet: please wait for the signal" in page.run("return fake.texts")
        show(page, "signal_early")
        page.ticks(80)
        assert "Watch" in page.run("return fake.texts")
        page.ticks(60)
        assert "Answer" in page.run("return fake.texts")
        show(page, "signal_go")
        grey = pixels(page).mean(axis=2)[130:220, 480:800]
        assert grey.min() < 0.4 < 0.8 < grey.max()
        page.press("m")
        page.ticks(2)
        assert not {"Watch", "Answer"} & set(page.run("return fake.texts"))


@pytest.mark.parametrize("ratio", [1, 2])
def test_the_canoe_is_drawn_where_the_machine_has_it(drawn, study, ratio):
    """By its pixels: at rest in the centre, then 1.5 world px a frame at 60 Hz, scaled."""
    page = drawn
    page.resize(1280, 800, ratio)
    page.seed(12)
    page.open(study.address)
    page.enter("P01")
    page.find("form button").click()
    for _ in range(4):
        page.press(" ")
    page.ticks(80)
    assert canoe_at(page) == pytest.approx(640, abs=1.5)
    # The movement starts after 90 frames, and turns after 120 at the earliest.
    page.ticks(15)
    begun = canoe_at(page)
    page.ticks(20)
    scale = min(0.97 * 1280 / (2 * task.EDGE + 132), 800 / 520)
    moved = abs(canoe_at(page) - begun)
    assert moved == pytest.approx(20 * task.FRAME_PIXELS * scale, abs=1.5)
