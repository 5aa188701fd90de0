"""The page of a round in a real browser: shown whole, stepped by keys and buttons, read without script."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from analyzer.rulesets import rule_set
from analyzer.showing import recorded_game, round_story
from reports.board.page import board_page
from tests.browser.chromium import DESK, PHONE, allow_script, set_style, set_window
from tests.browser.page import check_axe, check_console, check_figures, check_overflow, check_page, open_page
from tests.plain.play import play_trace

SIX, NINE = ("exact61", 4, "double-six"), ("partout5", 2, "double-nine")


def page_of(folder: Path, name: str, players: int, set_name: str) -> Path:
    trace = play_trace(rule_set(name, players=players, set=set_name), ["greedy"], 1, 0)
    path = folder / f"{name}-{set_name}.html"
    path.write_text(board_page(round_story(recorded_game(trace), 0)), encoding="utf-8")
    return path


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return page_of(tmp_path, *SIX)


def press(browser: Chrome, key: str) -> None:
    ActionChains(browser).send_keys(key).perform()


def shown(browser: Chrome) -> list[str]:
    """Return the ids of the steps that are shown."""
    steps = browser.find_elements(By.CSS_SELECTOR, ".step")
    return [str(step.get_attribute("id")) for step in steps if step.is_displayed()]


def step_count(browser: Chrome) -> int:
    return len(browser.find_elements(By.CSS_SELECTOR, ".step"))


@pytest.mark.parametrize("case", [SIX, pytest.param(NINE, marks=pytest.mark.slow)])
def test_the_page_is_sound(browser, tmp_path, pictures, case):
    check_page(browser, page_of(tmp_path, *case), pictures)


def test_keys_step_forward_and_back(browser, page):
    set_window(browser, DESK)
    open_page(browser, page)
    last = step_count(browser) - 1
    for key, number in [
        (Keys.ARROW_LEFT, 0),
        (Keys.ARROW_RIGHT, 1),
        (Keys.ARROW_RIGHT, 2),
        (Keys.ARROW_LEFT, 1),
        (Keys.END, last),
        (Keys.ARROW_RIGHT, last),
        (Keys.ARROW_LEFT, last - 1),
        (Keys.HOME, 0),
    ]:
        press(browser, key)
        assert shown(browser) == [f"step-{number}"]
        assert browser.find_element(By.ID, "position").text == f"Step {number} of {last}"
    check_console(browser)


def test_buttons_step_and_say_where_they_end(browser, page):
    set_window(browser, PHONE)
    open_page(browser, page)
    buttons = {each.get_attribute("data-go"): each for each in browser.find_elements(By.TAG_NAME, "button")}
    assert buttons["back"].get_attribute("aria-disabled") == "true"
    buttons["forward"].click()
    assert shown(browser) == ["step-1"]
    assert buttons["back"].get_attribute("aria-disabled") == "false"
    buttons["last"].click()
    assert buttons["forward"].get_attribute("aria-disabled") == "true"
    buttons["first"].click()
    assert shown(browser) == ["step-0"]


def test_each_step_is_told_to_a_screen_reader(browser, page):
    open_page(browser, page)
    press(browser, Keys.ARROW_RIGHT)
    spoken = browser.find_element(By.CSS_SELECTOR, "[aria-live=polite]").get_property("textContent")
    step = browser.find_element(By.ID, "step-1")
    for sentence in step.find_elements(By.CSS_SELECTOR, ".told p"):
        assert sentence.text in spoken
    picture = step.find_element(By.CSS_SELECTOR, "svg.layout")
    assert picture.accessible_name == "Layout"
    assert picture.aria_role in {"image", "img"}


def test_a_tile_never_moves(browser, page):
    """Each tile is seen at the same place in every step that shows it."""
    set_window(browser, DESK)
    open_page(browser, page)
    places: dict[str, dict[str, float]] = {}
    for _ in range(step_count(browser)):
        for use in browser.find_elements(By.CSS_SELECTOR, ".step.current svg.layout > use"):
            href, box = str(use.get_attribute("href")), use.rect
            assert places.setdefault(href, box) == pytest.approx(box, abs=1)
        press(browser, Keys.ARROW_RIGHT)
    assert len(places) > 5


def test_every_step_fits_and_passes_axe_on_a_phone(browser, page):
    set_window(browser, PHONE)
    set_style(browser, "dark")
    open_page(browser, page)
    for _ in range(step_count(browser)):
        check_overflow(browser)
        check_figures(browser)
        press(browser, Keys.ARROW_RIGHT)
    check_axe(browser)


def test_focus_is_seen(browser, page):
    open_page(browser, page)
    press(browser, Keys.TAB)
    focused = browser.switch_to.active_element
    assert focused.tag_name == "button"
    assert focused.value_of_css_property("outline-style") == "solid"


def test_without_script_and_on_paper_all_steps_are_shown(browser, page):
    set_window(browser, DESK)
    open_page(browser, page)
    every = [f"step-{number}" for number in range(step_count(browser))]
    set_style(browser, "light", "print")
    assert shown(browser) == every
    assert not browser.find_element(By.TAG_NAME, "nav").is_displayed()
    set_style(browser, "light")
    allow_script(browser, False)
    try:
        open_page(browser, page)
        assert shown(browser) == every
        assert not browser.find_element(By.TAG_NAME, "nav").is_displayed()
    finally:
        allow_script(browser, True)


def test_a_link_leads_to_a_step(browser, page):
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}#step-3")
    assert shown(browser) == ["step-3"]
