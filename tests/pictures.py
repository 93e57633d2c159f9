"""Make the pictures of the documentation again, from a small league that it plays.

Run it as `python -m tests.pictures`.
"""

import tempfile
from pathlib import Path

from tests.browser import launched, resize
from tests.league.command import league
from tests.league.web.serving import served

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SIZE = (1120, 760)
DRAWN_MS = 1000
"""How long scripts have to draw their charts."""

BOTS = {
    "deep": "iterative:depth=4",
    "steady": "alphabeta:depth=3",
    "shallow": "minimax:depth=2",
    "greedy": "greedy",
    "random": "random",
}
PAGES = {
    "tournament": "/tournaments/1",
    "replay": "/matches/1#9",
    "search": "/matches/1/explain/9",
}
"""The page that each picture shows."""


def play(folder: Path) -> None:
    """Play the league that the pictures show."""
    for name, spec in BOTS.items():
        league(folder, "register", name, spec, "--no-check")
    run = ("run", "--game", "connectfour", "--bots", "all", "--rounds", "4", "--seed", "1")
    league(folder, *run, "--depth", "4", "--quiet")


def main() -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        play(folder)
        with served(folder) as link, launched() as browser:
            page = browser.new_page(color_scheme="light")
            resize(page, SIZE)
            for name, path in PAGES.items():
                page.goto(link.rstrip("/") + path)
                page.wait_for_timeout(DRAWN_MS)
                page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
