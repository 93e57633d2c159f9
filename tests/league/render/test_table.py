"""Tables of text at the width of a terminal."""

from collections.abc import Sequence

import pytest

from league.render.text import table
from league.render.text.table import Table, text_of


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


@pytest.mark.slow
def test_a_table_too_wide_is_cut_into_parts_with_its_keys() -> None:
    names = [str(number) for number in range(1, 61)]
    rows = [[name, f"bot-{name}", *(f"{name}/{other}" for other in names)] for name in names]
    wide = Table(("", "bot", *names), rows, right=("", *names), title="points", keys=2)
    text = wide.text(80)
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("points") == 1
    assert text.count(" bot-17 ") > 5
    words = text.split()
    assert all(words.count(cell) == 1 for row in rows for cell in row[2:])


def test_texts_fold_before_numbers() -> None:
    rows = [("house-random", 100.5, "a reason of more words than fit", 5237.75, -17)] * 2
    narrow = Table(("bot", "points", "why", "SB", "rating"), rows, right=("points", "SB", "rating"))
    for width in (60, 50):
        lines = narrow.text(width).splitlines()
        assert max(map(len, lines)) <= width
        assert sum("100.5" in line and "5237.75" in line for line in lines) == 2
    assert all(len(line) <= 30 for line in narrow.text(30).splitlines())


def test_lines_break_between_words() -> None:
    text = text_of(["  one two three four", "x" * 30], 12)
    assert text.splitlines() == ["  one two", "  three four", "x" * 30]


def test_numbers_have_minus_signs_and_names_keep_their_hyphens() -> None:
    table = Table(("bot", "Elo"), [("-5", "-5 ± 3"), ("a-1", -0.5)], right=("Elo",))
    for text in (table.text(), table.html()):
        assert "−5 ± 3" in text
        assert "−0.5" in text
        assert "a-1" in text
        assert text.count("-5") == 1
