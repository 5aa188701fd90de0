"""The browser of a test session, and the folder for its pictures."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.browser import chromium

pytest.register_assert_rewrite("tests.browser.page")  # so that a failed check shows what it saw


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A headless Chromium with the network off; the test is skipped where there is none."""
    if chromium.programs() is None:
        pytest.skip(chromium.MISSING)
    with chromium.started(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """The folder for screenshots: FIVES_SCREENSHOTS, where that is set, else the test's own."""
    folder = Path(os.environ.get("FIVES_SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once why the browser tests were skipped."""
    if chromium.programs() is None:
        terminalreporter.write_line(chromium.MISSING)
