"""The explorer in a real browser: what it shows is what the library computes."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.controller import Controller
from fuzzybounds.paper.fuzzy.fitted import FitTables, controllers
from fuzzybounds.paper.fuzzy.membership import Memberships
from fuzzybounds.paper.fuzzy.rules import RuleBase

TOLERANCE = 1e-6


def state(page) -> dict:
    """What the page shows, as numbers."""
    return page.run("return explorer.state")


def one(page, selector: str):
    return page.one(f"#explorer {selector}")


def choose(page, name: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(one(page, f"select[name={name}]")).select_by_value(value)


def set_time(page, value: float) -> None:
    script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"
    page.run(script, one(page, "input[type=range]"), value)


def handle(page, variable: str, part: str, label: int):
    return one(page, f'[data-variable={variable}][data-part={part}][data-label="{label}"]')


def library(shown: dict) -> Controller:
    """The library's controller with the memberships and rules that the page shows."""
    fit = shown["fit"]
    time, position = (
        Memberships(fit["names"], fit[name]["centers"], fit[name]["widths"], fit["convention"])
        for name in ("time", "position")
    )
    rules = np.array(fit["rules"], dtype=float)
    return Controller(time, position, RuleBase(time.labels, position.labels, rules))


def assert_as_the_library(shown: dict) -> None:
    """Compare surface and boundary with the library's own."""
    controller = library(shown)
    times, positions = np.array(shown["times"]), np.array(shown["positions"])
    expected = controller.output_grid(times, positions)
    np.testing.assert_allclose(shown["surface"], expected, rtol=0, atol=TOLERANCE)
    # The page looks at as many positions as the surface has, the library at more: where an
    # excursion over the threshold is narrow, only the library may see it.
    boundary = np.array([np.nan if b is None else b for b in shown["boundary"]])
    seen = (expected >= 0.5).any(axis=1)
    assert np.array_equal(np.isfinite(boundary), seen)
    ours = controller.boundary(times, reach=positions[-1])
    same = np.isfinite(boundary) & (np.abs(ours - boundary) < positions[1])
    assert same[seen].mean() > 0.9
    np.testing.assert_allclose(boundary[same], ours[same], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("labels", ["5", "3"])
def test_the_fit_is_shown_as_the_library_computes_it(page, fitted_tables, labels):
    choose(page, "labels", labels)
    shown = state(page)
    assert_as_the_library(shown)
    fits = controllers(FitTables(*fitted_tables.values()))
    fitted = fits[("S<1>", "first", int(labels), 1)].scaled(time=12.5, position=300.0)
    expected = fitted.output_grid(shown["times"], shown["positions"])
    np.testing.assert_allclose(shown["surface"], expected, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize(
    ("variable", "part", "label"), [("time", "centers", 1), ("position", "widths", 0)]
)
def test_dragging_a_handle_changes_the_surface_as_in_the_library(page, variable, part, label):
    from selenium.webdriver import ActionChains

    choose(page, "labels", "3")
    before, grip = state(page), handle(page, variable, part, label)
    page.run("arguments[0].scrollIntoView({block: 'center'})", grip)
    ActionChains(page.browser).click_and_hold(grip).move_by_offset(40, 0).release().perform()
    after = state(page)
    moved = after["fit"][variable][part][label] - before["fit"][variable][part][label]
    assert moved > 0
    assert np.abs(np.subtract(after["surface"], before["surface"])).max() > 0.05
    assert_as_the_library(after)
    # Reset brings the fit back, exactly.
    page.press(one(page, "[name=reset]"))
    assert state(page)["surface"] == before["surface"]


def test_rules_are_said_and_can_be_changed_but_the_last_one_stays(page):
    choose(page, "labels", "3")
    sentences = [item.text for item in page.find("#explorer .rule-sentences li")]
    assert sentences[0] == "If time is short and position is small, continue."
    assert len(sentences) == 8  # nine premises, one without a rule
    cell = one(page, '[data-cell="0,0"]')
    for expected in ("stop", "no rule", "continue"):
        page.press(cell)
        assert f": {expected};" in cell.get_attribute("aria-label")
        assert_as_the_library(state(page))
    # Whatever is pressed, one rule is left.
    for cell in page.find("#explorer [data-cell]"):
        for _ in range(3):
            if ": no rule" not in cell.get_attribute("aria-label"):
                page.press(cell)
    given = [rule for row in state(page)["fit"]["rules"] for rule in row if rule is not None]
    assert len(given) == 1


def test_the_canoe_stops_where_the_rules_say_so(page):
    ends = []
    for _ in range(8):
        page.press(one(page, "[name=another]"))
        shown = state(page)
        times = np.linspace(0, shown["times"][-1], 601)
        walked = np.interp(times, 0.5 * np.arange(len(shown["path"])), shown["path"])
        over = library(shown).output(times, np.abs(walked.clip(-420, 420))) >= 0.5
        ends.append(times[over][0] if over.any() else times[-1])
        set_time(page, 99)
        assert state(page)["now"] == pytest.approx(ends[-1])
    assert min(ends) < times[-1]
    set_time(page, 0)
    page.press(one(page, "[name=play]"))
    page.wait(lambda: one(page, "[name=play]").text == "Run the canoe")
    assert state(page)["now"] == pytest.approx(ends[-1])
