"""Tables that fit look the same whoever lays them out."""

from collections.abc import Sequence

import pytest

from league.render.text import table
from league.render.text.table import Table


@pytest.mark.parametrize("title", ["", "connectfour", "a title that is longer than its table is"])
@pytest.mark.parametrize("width", [17, 18, 1000])
@pytest.mark.parametrize(
    "rows", [[], [("a b", "±3"), ("", "12 ")], [("größer", "–"), ("naïve", "…")], [("漢字", "🙂")]]
)
def test_a_short_table_is_as_rich_draws_it(
    monkeypatch: pytest.MonkeyPatch, title: str, width: int, rows: Sequence[tuple[str, str]]
) -> None:
    made = Table(("name", "points"), rows, right=("points",), title=title)
    text = made.text(width)
    monkeypatch.setattr(table, "_SINGLE", lambda text: None)
    assert text == made.text(width)
