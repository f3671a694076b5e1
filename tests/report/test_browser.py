"""The report in a real browser: nothing breaks, everything works, no request leaves the page."""

from __future__ import annotations

import base64

import pytest

pytestmark = pytest.mark.xdist_group("browser")

ROWS = "#claims tbody tr"


@pytest.fixture
def page(browser, report):
    """The report, freshly loaded in a window of a desk's width."""
    set_width(browser, 1280)
    browser.get(report.as_uri())
    return browser


def set_width(browser, width: int) -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def find(page, selector: str):
    return page.find_elements("css selector", selector)


def shown(page) -> list[str]:
    """Ids of the claims that can be seen, in their order."""
    return [row.get_attribute("id") for row in find(page, ROWS) if row.is_displayed()]


def column(page, name: str) -> list[str]:
    return [cell.text for cell in find(page, f'{ROWS} > [data-name="{name}"]')]


def click_header(page, name: str) -> str | None:
    """Click a column's header, and return which way the column is sorted then."""
    header = next(own for own in find(page, "#claims thead th") if own.text.startswith(name))
    header.find_element("css selector", "button").click()
    return header.get_attribute("aria-sort")


def test_it_loads_in_silence_and_asks_nobody(page, requests_of):
    requests_of(page)
    page.refresh()
    assert page.get_log("browser") == []
    asked = requests_of(page)
    assert any(url.startswith("file:") for url in asked)
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]


def test_all_images_are_shown(page):
    images = find(page, "article img")
    assert [image.get_property("naturalWidth") for image in images] == [1200] * 3
    assert all(image.is_displayed() for image in images)


def test_claims_are_filtered_by_verdict_and_by_text(page):
    assert shown(page) == ["C01", "C02", "C03", "C04", "C05"]
    find(page, "input[value='reproduced']")[0].click()
    assert shown(page) == ["C02", "C03", "C04"]
    assert find(page, ".filters output")[0].text == "3 of 5 claims"
    text = find(page, "input[name=text]")[0]
    text.send_keys("FALL boundaries")
    assert shown(page) == ["C02"]
    find(page, "input[value='reproduced']")[0].click()
    text.clear()
    text.send_keys("boundaries")
    assert shown(page) == ["C02", "C05"]
    text.send_keys(" nowhere")
    assert shown(page) == []


def test_a_link_to_a_hidden_claim_shows_it(page):
    find(page, "input[name=text]")[0].send_keys("nowhere")
    page.execute_script("document.querySelector('#fig01 a[href=\"#C01\"]').click()")
    assert "C01" in shown(page)


def test_claims_are_sorted_by_any_column(page):
    assert click_header(page, "ours") == "ascending"
    # The first paragraph is ours; numbers come in the order of numbers.
    firsts = [cell.split("\n")[0] for cell in column(page, "ours")]
    assert firsts == ["1", "2", "3", "9 of 10", "10"]
    assert click_header(page, "id") == "ascending"
    assert click_header(page, "id") == "descending"
    assert column(page, "id") == ["C05", "C04", "C03", "C02", "C01"]
    assert len(find(page, "#claims th[aria-sort]")) == 1
    click_header(page, "verdict")
    # From reproduced to not testable, in each by the order before.
    assert shown(page) == ["C05", "C01", "C03", "C02", "C04"]


def test_a_figure_enlarges_by_keyboard_and_closes_by_escape(page):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    opener = find(page, "#fig01 .enlarge")[0]
    width = opener.find_element("css selector", "img").size["width"]
    opener.send_keys(Keys.ENTER)
    dialog = find(page, "dialog")[0]
    image = dialog.find_element("css selector", "img")
    assert dialog.is_displayed()
    assert image.size["width"] > width
    assert image.get_attribute("alt") == "Fig. 1: First figure"
    page.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert image.get_attribute("alt") == "Fig. 2: Second figure"
    page.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not dialog.is_displayed()
    # The event of closing comes after the browser has put the focus back where it was.
    WebDriverWait(page, 10).until(
        lambda _: page.switch_to.active_element.get_attribute("aria-label") == "Enlarge Fig. 2"
    )


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_width_makes_the_page_scroll_sideways(page, width):
    set_width(page, width)
    wide = page.execute_script("return document.documentElement.scrollWidth")
    assert wide <= width


def test_it_prints_without_filters_and_with_what_is_folded(page):
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not find(page, ".filters")[0].is_displayed()
    for region in find(page, ".wide"):
        assert region.get_property("scrollHeight") <= region.get_property("clientHeight") + 1
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    printed = page.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    content = base64.b64decode(printed["data"])
    assert content.startswith(b"%PDF")
    assert len(content) > 10_000
    assert find(page, "details")
    assert not find(page, "details:not([open])")
