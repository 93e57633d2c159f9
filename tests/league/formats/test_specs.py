"""The words for a format and its options."""

import pytest

from league.formats.specs import format_title


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("swiss", "Swiss"),
        ("sprt:elo0=0,elo1=30", "SPRT (elo0 0, elo1 30)"),
        ("season:explored=0.2,least=4", "Season"),
        ("season:explored=0.35,least=16", "Season (35% of encounters between bots that met least)"),
        ("gauntlet:challengers=1", "Gauntlet"),
        ("gauntlet:challengers=2", "Gauntlet (2 challengers)"),
        ("import", "import"),
    ],
)
def test_a_title_tells_options_in_words(spec: str, title: str) -> None:
    assert format_title(spec) == title
