"""The checks of a page themselves: each catches the page that breaks it, and lets a sound one pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chromium import PHONE, set_window
from tests.browser.page import (
    check_axe,
    check_console,
    check_figures,
    check_overflow,
    check_page,
    check_requests,
    open_page,
)

FIGURE = '<svg role="img" aria-label="a square" width="9" height="9"><rect width="9" height="9"/></svg>'
STYLE = "<style>@media (prefers-color-scheme: dark) { body { background: black; color: white } }</style>"
PAGE = (
    '<!doctype html><html lang="en"><head><title>A page</title>'
    '<meta name="viewport" content="width=device-width">{head}</head>'
    "<body><main><h1>A page</h1>{body}</main></body></html>"
)
SCROLLED = '<div style="overflow: auto" tabindex="0"><p style="width: 900px">wide</p></div>'


def written(folder: Path, body: str, head: str = STYLE) -> Path:
    path = folder / "page.html"
    path.write_text(PAGE.format(head=head, body=body), encoding="utf-8")
    return path


def test_a_sound_page_passes(browser, tmp_path, pictures):
    check_page(browser, written(tmp_path, FIGURE + SCROLLED), pictures)
    assert len(list(pictures.glob("page-*.png"))) == 6


@pytest.mark.parametrize(
    ("check", "body"),
    [
        (check_overflow, '<p style="width: 900px">wide</p>'),
        (check_overflow, '<p style="position: absolute; left: 350px">far</p>'),
        (check_console, "<script>console.error('wrong')</script>"),
        (check_console, "<script>nothing.there()</script>"),
        (check_figures, "<p>no picture</p>"),
        (check_figures, '<svg role="img" aria-label="nothing" width="0" height="9"></svg>'),
        (check_axe, '<img src="data:," width="9" height="9">'),
        (check_axe, '<p style="color: #ccc; background: white">pale</p>'),
    ],
)
def test_a_check_catches_its_page(browser, tmp_path, check, body):
    set_window(browser, PHONE)
    open_page(browser, written(tmp_path, body))
    with pytest.raises(AssertionError):
        check(browser)


@pytest.mark.parametrize(
    "body", ['<img alt="a" src="http://127.0.0.1:9/a.png">', '<img alt="a" src="a.png">']
)
def test_a_request_is_caught(browser, tmp_path, body):
    path = written(tmp_path, body)
    open_page(browser, path)
    with pytest.raises(AssertionError):
        check_requests(browser, path)


def test_a_page_without_a_dark_style_is_caught(browser, tmp_path, pictures):
    path = written(tmp_path, FIGURE, head="<style>body { background: white; color: black }</style>")
    with pytest.raises(AssertionError, match="light and dark"):
        check_page(browser, path, pictures)
