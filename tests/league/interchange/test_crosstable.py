"""Crosstables as Markdown and HTML, with names that would be more than text."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from league.analysis.crosstable import Cell
from league.analysis.standing_rows import Standing
from league.interchange.crosstable import markdown, page
from league.interchange.markdown_text import marked
from league.model.records import IMPORTED, BotVersion
from league.store.store import open_store
from tests.league.command import league

NAMES = ("<img src=x onerror=alert(1)>", 'a|b*c*_d_`e`[f](g)"\x1b[2J\u202e', "plain v2")
ROWS = [
    Standing(version=number, bot=name, rank=number, points=1.5)
    for number, name in enumerate(NAMES, 1)
]
CELLS = {(1, 2): Cell(1, 1, 0), (2, 1): Cell(0, 1, 1)}


class Page(HTMLParser):
    """Takes a page apart into its elements and the texts of its cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.rows: list[list[str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element; a row and a cell begin."""
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        """Add text to its cell."""
        if self.rows and self.rows[-1] and self.tags[-1] in ("td", "th"):
            self.rows[-1][-1] += data.strip("\n")


def test_a_page_has_the_names_as_texts() -> None:
    text = page("chess?fen=<b>", ROWS, CELLS)
    found = Page(text)
    assert found.rows == [
        ["#", "Bot", "1", "2", "3", "Points"],
        ["1", NAMES[0], "·", "1.5/2", "·", "1.5"],
        ["2", 'a|b*c*_d_`e`[f](g)"?[2J?', "0.5/2", "·", "·", "1.5"],
        ["3", "plain v2", "·", "·", "·", "1.5"],
    ]
    assert not {"img", "b", "script", "a"} & set(found.tags)
    assert not {"onerror", "src", "href"} & found.attributes
    assert "color-scheme: light dark" in text
    assert "default-src 'none'" in text
    assert "<caption>chess?fen=&lt;b&gt;</caption>" in text


def test_markdown_has_the_names_as_texts() -> None:
    lines = markdown("chess", ROWS, CELLS).splitlines()
    assert lines == [
        "**chess**",
        "",
        "|  | bot | 1 | 2 | 3 | points |",
        "| --: | :-- | --: | --: | --: | --: |",
        r"| 1 | &lt;img src=x onerror=alert(1)&gt; | · | 1.5/2 | · | 1.5 |",
        r'| 2 | a\|b\*c\*\_d\_\`e\`\[f\](g)"?\[2J? | 0.5/2 | · | · | 1.5 |',
        "| 3 | plain v2 | · | · | · | 1.5 |",
    ]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("move-time: 0.1 s, it.works (v2)! {a}", "move-time: 0.1 s, it.works (v2)! {a}"),
        ("snake_case and _emphasis_", r"snake_case and \_emphasis\_"),
        ("- a list", r"\- a list"),
        ("1. a list", r"1\. a list"),
        ("# a heading", r"\# a heading"),
        ("https://a.b www.c.d :smile: @me", r"https\://a.b www\.c.d \:smile: \@me"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
    ],
)
def test_only_what_would_be_markdown_is_escaped(text: str, escaped: str) -> None:
    assert marked(text) == escaped


def test_the_command_prints_both(tmp_path: Path) -> None:
    text = (
        f'[White "{NAMES[0]}"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n'
        f'[White "b"]\n[Black "{NAMES[0]}"]\n[Result "1/2-1/2"]\n\n1. e4 1/2-1/2\n'
    )
    (tmp_path / "a.pgn").write_text(text)
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        # The store takes any name.
        store.bots.register(BotVersion(NAMES[0], IMPORTED))
    league(tmp_path, "import", "a.pgn", "--game", "othello")
    found = Page(league(tmp_path, "crosstable", "--html"))
    assert found.rows[1:] == [["1", NAMES[0], "·", "1.5/2", "1.5"], ["2", "b", "0.5/2", "·", "0.5"]]
    assert "&lt;img" in league(tmp_path, "crosstable", "--markdown", "--tournament", "1")
    assert "choose one of" in league(tmp_path, "crosstable", "--html", "--json", code=2)
