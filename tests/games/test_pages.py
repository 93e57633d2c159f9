"""The examples of the games' pages run as they are printed."""

import doctest

import pytest

from games.support.errors import GameError
from games.support.specs import GAMES, find_game
from tests.paths import DOCS

FOLDER = DOCS / "reference" / "games"
PAGES = sorted(FOLDER.glob("*.md"))


@pytest.mark.parametrize("name", [page.stem for page in PAGES if page.stem != "README"])
def test_the_examples_of_a_page_hold(name: str) -> None:
    try:
        find_game("openspiel:hex" if name == "openspiel" else name)
    except GameError as missing:
        pytest.skip(str(missing))
    found = doctest.testfile(str(FOLDER / f"{name}.md"), module_relative=False)
    assert found.attempted, "a page shows how a bot reads a position"
    assert not found.failed


def test_every_game_has_its_page() -> None:
    assert {page.stem for page in PAGES} >= set(GAMES.names())
