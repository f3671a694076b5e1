"""The report in a real browser: nothing breaks, everything works, no request leaves the page."""

from __future__ import annotations

import pytest

ROWS = "#claims > li"


def shown(page) -> list[str]:
    """Ids of the claims that can be seen, in their order."""
    return [row.get_attribute("id") for row in page.find(ROWS) if row.is_displayed()]


def test_it_loads_in_silence_and_asks_nobody(page, requests_of):
    browser = page.browser
    requests_of(browser)
    browser.get_log("browser")
    browser.refresh()
    assert browser.get_log("browser") == []
    asked = requests_of(browser)
    assert any(url.startswith("file:") for url in asked)
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]
    images = page.find("article img")
    assert [image.get_property("naturalWidth") for image in images] == [1200] * 3


def test_claims_are_filtered_by_verdict_and_by_text(page):
    verdict, text = page.one("input[value='comes out as printed']"), page.one("input[name=text]")
    verdict.click()
    assert shown(page) == ["C02", "C03", "C04"]
    assert page.one(".filters output").text == "3 of 5 claims"
    text.send_keys("FALL boundaries")
    assert shown(page) == ["C02"]
    # A link to a hidden claim shows and unfolds it.
    page.run("document.querySelector('#fig01 a[href=\"#C01\"]').click()")
    page.wait(lambda: "C01" in shown(page))
    assert "Verdict needs" in page.one("#C01").text


def test_a_term_is_explained_by_keyboard(page):
    from selenium.webdriver.common.keys import Keys

    assert not page.find(":popover-open")
    page.one(".term").send_keys(Keys.ENTER)
    assert page.one(":popover-open").text.startswith("The probability")


def test_the_canoe_walks_on_the_first_screen(page):
    page.press(page.one("[name=walk]"))
    page.wait(lambda: page.run("return explorer.state.now") > 0.5)
    place = "return document.querySelector('{} .canoe').getAttribute('cx')"
    assert page.run(place.format(".walk")) == page.run(place.format("#explorer"))


@pytest.mark.parametrize("width", [320, 1280])
def test_it_is_readable_at_any_width(page, width):
    page.resize(width)
    page.browser.refresh()
    assert page.run("return document.documentElement.scrollWidth") <= width
