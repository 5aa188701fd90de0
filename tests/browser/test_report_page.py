"""The page of a run in a real browser: sound in both styles and widths, whole on paper, tables on demand."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from matplotlib.image import imread
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from analyzer.compare import compare
from analyzer.openings import openings
from analyzer.race import race
from analyzer.report import report
from analyzer.report_stakes import Stakes
from analyzer.rulesets import rule_set
from analyzer.simulate import simulate
from analyzer.sweep import sweep
from tests.browser.chromium import DESK, PHONE, set_style, set_window
from tests.browser.page import check_overflow, check_page, open_page

RUNS = {
    "simulate": lambda: simulate("exact61", ["careful", "greedy"], games=40),
    "compare": lambda: compare("allfives", ["greedy", "random", "heavy"], deals=30),
    "sweep": lambda: sweep("allfives", {"hand": [5, 7], "spinner": ["none", "all"]}, rounds=50),
    "openings": lambda: openings("allfives", "greedy", rounds=50),
    "race": lambda: race("exact61", "greedy", rounds=64),
    "stakes": lambda: compare(rule_set("partout5"), ["lowcount", "greedy"], deals=30),
}


def page_of(folder: Path, kind: str, language: str) -> Path:
    stakes = Stakes("20", bankroll="500") if kind == "stakes" else None
    return report(RUNS[kind](), folder / f"{kind}.html", language=language, stakes=stakes)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(tmp_path_factory.mktemp("page"), "simulate", "en")


@pytest.mark.parametrize(
    ("kind", "language"),
    [
        ("simulate", "fr"),
        pytest.param("compare", "pt", marks=pytest.mark.slow),
        pytest.param("sweep", "en", marks=pytest.mark.slow),
        pytest.param("openings", "fr", marks=pytest.mark.slow),
        pytest.param("race", "pt", marks=pytest.mark.slow),
        pytest.param("stakes", "fr", marks=pytest.mark.slow),
    ],
)
def test_the_page_is_sound(browser: Chrome, tmp_path: Path, pictures: Path, kind: str, language: str) -> None:
    check_page(browser, page_of(tmp_path, kind, language), pictures)


def test_figures_scroll_on_a_phone_and_tables_too(browser: Chrome, page: Path) -> None:
    set_window(browser, PHONE)
    set_style(browser, "light")
    open_page(browser, page)
    browser.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    check_overflow(browser)
    wide = browser.execute_script(
        "return [...document.querySelectorAll('.drawing')].map(each => each.scrollWidth > each.clientWidth)"
    )
    assert wide
    assert all(wide)


def test_a_shade_says_where_a_figure_goes_on(browser: Chrome, page: Path) -> None:
    set_window(browser, PHONE)
    set_style(browser, "light")
    open_page(browser, page)
    drawing = browser.find_element(By.CSS_SELECTOR, "#figure-leads .drawing")
    browser.execute_script("arguments[0].scrollIntoView({behavior: 'instant', block: 'center'})", drawing)
    assert [shade < 0.95 for shade in edges_of(drawing)] == [False, True]
    browser.execute_script("arguments[0].scrollLeft = arguments[0].scrollWidth", drawing)
    assert [shade < 0.95 for shade in edges_of(drawing)] == [True, False]


def edges_of(drawing: WebElement) -> list[float]:
    """Return how bright a drawing's picture is near its left and right edge, at its head: 0 to 1."""
    picture = imread(BytesIO(drawing.screenshot_as_png))
    width = picture.shape[1]
    return [float(picture[12, place, :3].min()) for place in (6, width - 7)]


def test_paper_shows_every_table_and_no_link(browser: Chrome, page: Path) -> None:
    set_window(browser, DESK)
    open_page(browser, page)
    tables = browser.find_elements(By.CSS_SELECTOR, "details table")
    assert tables
    assert not any(table.is_displayed() for table in tables)
    set_style(browser, "dark", "print")
    assert all(table.size["height"] > 0 for table in tables)
    assert not any(link.is_displayed() for link in browser.find_elements(By.CSS_SELECTOR, "nav a, .csv a"))
    paper = browser.find_element(By.TAG_NAME, "body").value_of_css_property("background-color")
    assert paper.replace(" ", "") in ("rgba(255,255,255,1)", "rgb(255,255,255)")


def test_the_skip_link_comes_first_and_is_seen(browser: Chrome, page: Path) -> None:
    set_window(browser, DESK)
    set_style(browser, "light")
    open_page(browser, page)
    link = browser.find_element(By.CSS_SELECTOR, ".skip")
    left = "return arguments[0].getBoundingClientRect().left"
    assert browser.execute_script(left, link) < 0
    ActionChains(browser).send_keys(Keys.TAB).perform()
    assert browser.switch_to.active_element == link
    assert browser.execute_script(left, link) >= 0
    link.click()
    assert browser.current_url.endswith("#answer")
