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

pytestmark = pytest.mark.xdist_group("browser")
SCREENS = (
    *("consent", "code", "questions", "instructions", "cue", "decision", "feedback"),
    *("practised", "check", "block", "break", "debriefing", "touch"),
)
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
    """Look at a screen, and keep a screenshot of it."""
    folder = os.environ.get("FUZZYBOUNDS_SCREENSHOTS")
    if folder:
        write(page, Path(folder) / f"{name}.png")
    seen = pixels(page)
    # Something is on the screen: text, or a river.
    assert len(np.unique(seen[::5, ::5].reshape(-1, 3), axis=0)) > 20, name
    assert page.fits, name


def write(page, file: Path) -> None:
    """Write a small PNG."""
    from PIL import Image

    own = Image.fromarray((pixels(page) * 255).round().astype("uint8"))
    own.resize((800, 500), Image.Resampling.LANCZOS).save(file, optimize=True)


def ticks(page, count: int) -> None:
    page.browser.execute_script("for (let i = 0; i < arguments[0]; i++) fake.tick()", count)


@pytest.fixture
def study(tmp_path, serving):
    (tmp_path / "study.yaml").write_text(QUESTIONS)
    with serving(tmp_path, file=tmp_path / "study.yaml") as server:
        yield server


@pytest.fixture
def drawn(browser, new_page):
    """A window in fake time that draws."""
    with new_page(browser, pixels=True) as page:
        yield page


def canoe_at(page) -> float | None:
    """The middle of the canoe in CSS px, by its colour; None where there is none."""
    seen = pixels(page)
    ratio = page.browser.execute_script("return devicePixelRatio")
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
    page.browser.find_element("css selector", "form button").click()
    assert "Please tick the box" in page.text
    page.browser.find_element("css selector", "input[name=agree]").click()
    page.browser.find_element("css selector", "form button").click()
    page.wait("return document.activeElement.name === 'code'")
    page.press("../../x\n")
    assert "A code has 1 to 32 letters" in page.text
    page.browser.find_element("css selector", "input[name=code]").clear()
    page.browser.find_element("css selector", "input[name=code]").send_keys("P01")
    show(page, "code")
    page.press("\n")
    page.wait("return document.querySelector('h1').textContent === 'About you'")
    page.browser.find_element("css selector", "input[name=age]").send_keys("31")
    show(page, "questions")
    page.browser.find_element("css selector", "form button").click()
    show(page, "instructions")
    for _ in range(4):
        assert page.fits
        page.press(" ")
    ticks(page, 20)
    show(page, "cue")
    ticks(page, 70)
    assert canoe_at(page) == pytest.approx(640, abs=1.5)
    ticks(page, 75)
    show(page, "decision")
    page.press("m")
    ticks(page, 3)
    show(page, "feedback")
    page.browser.execute_script("fake.blind = true")
    page.be(policy, seed=11)
    assert page.play("That was the practice") == "That was the practice"
    show(page, "practised")
    page.press(" ")
    ticks(page, 100)
    show(page, "check")
    page.press(" ")
    show(page, "block")
    for name, title in (("break", "Block 4 of 8 done"), ("debriefing", "Thank you!")):
        page.press(" ")
        assert page.play(title) == title
        page.wait("return document.body.innerText.includes('Everything is saved.')")
        show(page, name)
    assert (study.folder.root / "demographics/answers.csv").read_text().splitlines()[1:] == [
        "P01,age,31"
    ]


def test_pages_say_how_long_a_block_is(page, tmp_path, serving):
    (tmp_path / "brief.yaml").write_text("{block_s: 12, practice: []}")
    with serving(tmp_path, file=tmp_path / "brief.yaml") as server:
        local = server.address.replace("127.0.0.1", "localhost")
        texts = [page.open(local).text]
        page.enter("P01")
        for _ in range(6):
            texts.append(page.text)
            page.press(" ")
            ticks(page, 100)
    said = " ".join(texts)
    assert said.count("12 seconds") == 2
    assert "minute" not in said


def test_a_touch_screen_is_refused_with_a_reason(drawn, study):
    page = drawn
    coarse = [
        {"name": name, "value": value} for name, value in (("pointer", "coarse"), ("hover", "none"))
    ]
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": coarse})
    touch = {
        "source": "const real = matchMedia; window.matchMedia = (query) => "
        "({ matches: /coarse|hover: none/.test(query) || real(query).matches })"
    }
    page.scripts.append(
        page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", touch)
    )
    page.open(study.address)
    assert "You need a computer with a keyboard" in page.text
    show(page, "touch")
    assert not page.browser.find_elements("css selector", "form, button")
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize(("width", "height", "ratio"), [(1280, 800, 1), (1280, 800, 2)])
def test_the_canoe_is_drawn_where_the_machine_has_it(
    browser, new_page, study, width, height, ratio
):
    """By its pixels: at rest in the centre, then 1.5 world px a frame at 60 Hz, scaled."""
    with new_page(browser, pixels=True) as page:
        page.resize(width, height, ratio)
        page.seed(12)
        page.open(study.address)
        page.enter("P01")
        page.browser.find_element("css selector", "form button").click()
        for _ in range(4):
            page.press(" ")
        ticks(page, 80)
        assert canoe_at(page) == pytest.approx(width / 2, abs=1.5)
        # The movement starts after 90 frames, and turns after 120 at the earliest.
        ticks(page, 15)
        begun = canoe_at(page)
        ticks(page, 20)
        scale = min(0.97 * width / (2 * task.EDGE + 132), height / 520)
        moved = abs(canoe_at(page) - begun)
        assert moved == pytest.approx(20 * task.FRAME_PIXELS * scale, abs=1.5)


def test_the_guide_shows_every_screen(project_root):
    guide = (project_root / "docs/task.md").read_text()
    for name in SCREENS:
        assert f"task/{name}.png" in guide
        assert (project_root / f"docs/task/{name}.png").stat().st_size < 120_000
