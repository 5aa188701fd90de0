"""What any page of ours must show in a browser. `check_page` asserts all of it.

A page is opened from disk with the network off. With script and without it must ask for nothing but itself,
print no error, fit a phone's width, show its pictures, follow the light or dark wish, and pass axe's
serious and critical rules.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome

from tests.browser.chromium import DESK, PHONE, allow_script, set_style, set_window

WEIGHTY = {"serious", "critical"}
NO_SCRIPT = "-no-script"  # in the names of pictures
_OWN = ("file:", "data:", "about:", "blob:")

_BOXES = """
return [...document.querySelectorAll('svg[role=img], img, figure svg')]
  .filter(each => !each.closest('[aria-hidden=true]') && each.checkVisibility())
  .map(each => { const box = each.getBoundingClientRect(); return [box.width, box.height]; });
"""
_OVERFLOW = """
const wide = document.documentElement.clientWidth;
const scrolls = each => each !== document.body
  && (getComputedStyle(each).overflowX !== 'visible' || scrolls(each.parentElement));
const parts = [...document.body.querySelectorAll('*')].filter(each => {
  const box = each.getBoundingClientRect();
  return each.checkVisibility() && box.width > 0 && box.right > wide + 1
    && !each.closest('svg') && !scrolls(each.parentElement);
});
return [document.documentElement.scrollWidth - wide,
        parts.slice(0, 5).map(each => `${each.tagName}.${each.className}`)];
"""
_PAPER = "return getComputedStyle(document.body).backgroundColor;"
_AXE = """
const done = arguments[arguments.length - 1];
const what = {include: [['html']], exclude: [['svg > g']]};
axe.run(what, {resultTypes: ['violations']}).then(done, error => done({error: String(error)}));
"""


def open_page(browser: Chrome, path: Path) -> None:
    """Open a page from disk; what the logs held before is dropped."""
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(path.resolve().as_uri())


def check_page(browser: Chrome, path: Path, pictures: Path) -> None:
    """Assert all that a page of ours must show, and leave pictures of it.

    Parameters
    ----------
    path : the page.
    pictures : the folder for screenshots: light and dark, on a desk and a phone, and without script.
    """
    light = _check_style(browser, path, pictures, "light")
    dark = _check_style(browser, path, pictures, "dark")
    assert light != dark, f"light and dark have the same paper: {light}"
    allow_script(browser, False)
    try:
        _check_style(browser, path, pictures, "light", note=NO_SCRIPT)
    finally:
        allow_script(browser, True)


def _check_style(browser: Chrome, path: Path, pictures: Path, scheme: str, note: str = "") -> str:
    """Check the page on a desk and on a phone; return the colour of its paper."""
    set_style(browser, scheme)
    for name, size in (("desk", DESK), ("phone", PHONE)):
        set_window(browser, size)
        open_page(browser, path)
        check_overflow(browser)
        check_figures(browser)
        browser.save_screenshot(str(pictures / f"{path.stem}-{name}-{scheme}{note}.png"))
        check_requests(browser, path)
        check_console(browser)
    allow_script(browser, True)  # for axe; the page's own script has run by now, or never will
    if note != NO_SCRIPT or "<script" in path.read_text(encoding="utf-8"):  # else it was checked already
        check_axe(browser)
    return str(browser.execute_script(_PAPER))


def check_console(browser: Chrome) -> None:
    """Assert that the page printed no error."""
    errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert errors == []


def check_requests(browser: Chrome, path: Path) -> None:
    """Assert that the page asked for nothing but itself."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert path.resolve().as_uri() in urls, "the log of requests is empty"
    assert [url for url in urls if not url.startswith(_OWN)] == []
    assert [url for url in urls if url.startswith("file:") and url != path.resolve().as_uri()] == []


def check_overflow(browser: Chrome) -> None:
    """Assert that nothing reaches beyond the right edge of the window; what scrolls in itself may."""
    beyond, parts = browser.execute_script(_OVERFLOW)
    assert (beyond, parts) == (0, [])


def check_figures(browser: Chrome) -> None:
    """Assert that the page shows pictures, and that each of those shown takes room."""
    boxes = browser.execute_script(_BOXES)
    assert boxes
    assert all(width > 0 and height > 0 for width, height in boxes)


def check_axe(browser: Chrome) -> None:
    """Assert that axe finds no serious or critical violation."""
    found = axe_violations(browser)
    weighty = [violation for violation in found if violation["impact"] in WEIGHTY]
    told = [
        (each["id"], each["help"], [node["html"][:120] for node in each["nodes"][:3]]) for each in weighty
    ]
    assert told == []


def axe_violations(browser: Chrome) -> list[dict[str, Any]]:
    """Run axe on the open page and return its violations.

    The insides of pictures are left out: they take most of the time, and a reader meets their names alone.
    """
    browser.execute_script(_axe_source())
    found = browser.execute_async_script(_AXE)
    assert "error" not in found, found
    violations: list[dict[str, Any]] = found["violations"]
    return violations


def _axe_source() -> str:
    """Return axe-core as the installed package bundles it; the package itself is not imported."""
    spec = find_spec("axe_selenium_python")
    assert spec is not None
    assert spec.origin is not None
    (source,) = Path(spec.origin).parent.rglob("axe.min.js")
    return source.read_text(encoding="utf-8")
