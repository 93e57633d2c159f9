"""The machine's own Chromium without a window, driven by Playwright."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

import pytest

from tests.waiting import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

PROGRAMS = ("chromium", "google-chrome", "chrome")
WIDE = (1240, 800)
NARROW = (390, 844)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a page complained of (errors, and all that it wrote to the console) and asked for."""

    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def listen(self, page: "Page") -> None:
        """Note from now on what a page complains of and asks for."""
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(_told(message)))

    def strays(self, page: "Page") -> list[str]:
        """List what was asked for that is not there for the page: of a file, all but itself."""
        own = urlsplit(page.url)
        return [
            url
            for url in self.requests
            if (asked := urlsplit(url)).scheme != "data"
            and (asked[:2] != own[:2] or (own.scheme == "file" and asked.path != own.path))
        ]


@contextmanager
def launched() -> Iterator["Browser"]:
    """Start the machine's Chromium; skip the test where it, or Playwright, is not there.

    With `BROWSER_TESTS=required` in the environment that fails instead. While the browser is
    open, this thread has an event loop of Playwright's and can't run another.
    """
    try:
        # Only those who want these tests install it.
        from playwright.sync_api import sync_playwright  # noqa: PLC0415
    except ImportError:
        _absent("no playwright: pip install -e '.[dev]'")
    path = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if path is None:
        _absent("no Chromium on this machine")
    with sync_playwright() as driver:
        # Its sandbox refuses to run as root.
        is_confined = os.geteuid() != 0
        started = driver.chromium.launch(executable_path=path, chromium_sandbox=is_confined)
        try:
            yield started
        finally:
            started.close()


def resize(page: "Page", size: tuple[int, int]) -> None:
    """Give a page's window another size in CSS pixels, wide by high."""
    page.set_viewport_size({"width": size[0], "height": size[1]})


def fits(page: "Page") -> bool:
    """Whether nothing of a page is wider than the window."""
    return bool(page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"))


CONTROLS = 'document.querySelectorAll("a[href], button, input, select, summary")'

REACHABLE = f"""[...{CONTROLS}].filter(
  (each) => !each.disabled && !each.matches("#moves [tabindex='-1']")
    && !each.matches("[type=radio]:not(:checked)")
    && each.checkVisibility({{ visibilityProperty: true }})).length"""
"""The list of moves is one stop, and so are radio buttons: arrow keys lead to the others."""

FOCUSED = f"""(() => {{
  const each = document.activeElement;
  if (each === document.body) return null;
  const style = getComputedStyle(each);
  const isShown = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  (window.reached ??= new Set()).add([...{CONTROLS}].indexOf(each));
  return {{ shown: isShown, told: each.outerHTML.slice(0, 90) }};
}})()"""
"""Controls are remembered by their place: a refresh may put new ones there meanwhile."""


def reach_all_by_keys(page: "Page") -> None:
    """Press Tab through a page: the focus has to be seen and come to every control."""
    wanted = page.evaluate(REACHABLE)
    page.evaluate("document.activeElement.blur()")
    for _ in range(wanted + 20):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        assert found is None or found["shown"], found
    assert page.evaluate("[...window.reached].filter((place) => place >= 0).length") >= wanted


# axe checks the size of targets (WCAG 2.2, 2.5.8) only on request.
AXE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}


def axe_faults(page: "Page") -> list[str]:
    """Return what axe finds wrong in a page as it is now, a line for each rule and element.

    The rules are those of WCAG 2.2 A and AA that a program can check, and axe's best practices.
    """
    # Only the extra that installs Playwright has it.
    from axe_playwright_python.base import AXE_SCRIPT  # noqa: PLC0415

    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(f"axe.run({json.dumps(AXE)}).then((each) => each.violations)")
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {' '.join(node['html'].split())[:90]}"
        for rule in found
        for node in rule["nodes"]
    ]


def until(page: "Page", condition: str) -> None:
    """Wait until an expression of JavaScript holds in a page.

    Playwright's own `wait_for_function` makes functions of text in the page, which the dashboard's
    policy forbids.
    """
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def _absent(reason: str) -> NoReturn:
    if os.environ.get("BROWSER_TESTS") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def _told(message: "ConsoleMessage") -> str:
    return f"{message.type}: {message.text} ({message.location.get('url', '')})"
