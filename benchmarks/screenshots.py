"""Take pictures of every page of the dashboard, light and dark, wide and narrow, to look at.

python -m benchmarks.screenshots --help
"""

import argparse
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from benchmarks.dashboard import Server, crawl, fill, served

SIZES = {"wide": (1240, 800), "narrow": (390, 844)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def take(browser: Browser, server: Server, folder: Path) -> None:
    """Take four pictures of one page of each kind, each of the whole page."""
    addresses = [found[0] for found in crawl(server).values()]
    for scheme in SCHEMES:
        for size, (width, height) in SIZES.items():
            with browser.new_context(viewport={"width": width, "height": height}) as context:
                page = context.new_page()
                page.emulate_media(color_scheme=scheme)
                for address in addresses:
                    page.goto(f"http://{server.host}{address}")
                    # A replay is worth more in its middle.
                    page.keyboard.press("End")
                    name = re.sub(r"\W+", "-", address).strip("-") or "home"
                    page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=True)


def main() -> None:
    """Take them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--db", type=Path, help="the league, or a small one is made")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        path = given.db or Path(scratch) / "league.db"
        if not path.exists():
            fill(path, 8, 400, 1)
        is_confined = os.geteuid() != 0
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=is_confined
        )
        with served(path) as server:
            take(browser, server, given.folder)
        browser.close()


if __name__ == "__main__":
    main()
