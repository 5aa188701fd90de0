"""Headless Chromium, driven over the DevTools protocol: where it is, how it starts, what it can pretend."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

PHONE = (360, 740)  # CSS pixels
DESK = (1280, 900)
AXE_SECONDS = 120  # at most, on a busy machine
MISSING = (
    "the browser tests are skipped: install Chromium and its driver to run them, on Debian with "
    "`apt-get install chromium chromium-driver`."
)

_SWITCHES = (
    "--headless",
    "--no-sandbox",  # root has none
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
)
_OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}


def programs() -> tuple[str, str] | None:
    """Return the paths of Chromium and its driver, or None where one is missing."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextmanager
def started(profile: Path) -> Iterator[webdriver.Chrome]:
    """Start Chromium with a fresh profile and the network off."""
    found = programs()
    assert found is not None
    options = Options()
    options.binary_location, driver = found
    for switch in (*_SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    os.environ.setdefault("no_proxy", "localhost,127.0.0.1")  # the driver listens on this machine
    browser = webdriver.Chrome(options=options, service=Service(executable_path=driver))
    try:
        browser.set_script_timeout(AXE_SECONDS)
        command(browser, "Network.enable")
        command(browser, "Network.emulateNetworkConditions", **_OFFLINE)
        yield browser
    finally:
        browser.quit()


def command(browser: webdriver.Chrome, name: str, **arguments: Any) -> Any:
    """Send one command of the DevTools protocol."""
    return browser.execute_cdp_cmd(name, arguments)


def set_window(browser: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Give the page a window of this width and height."""
    width, height = size
    is_phone = width < 600
    command(
        browser,
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=2 if is_phone else 1,
        mobile=is_phone,
    )


def set_style(browser: webdriver.Chrome, scheme: str, media: str = "") -> None:
    """Let the page see "light" or "dark" as the wish of its reader, and a medium such as "print"."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    command(browser, "Emulation.setEmulatedMedia", media=media, features=features)


def allow_script(browser: webdriver.Chrome, allowed: bool) -> None:
    """Let the page's own scripts run, or not; takes effect when a page is opened."""
    command(browser, "Emulation.setScriptExecutionDisabled", value=not allowed)
