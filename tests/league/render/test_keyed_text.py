"""Of a page that is drawn again and again, only the changes are sent."""

from league.render.keyed_text import Drawing, GrowingList, KeyedText

ROWS = '<table>\n<td data-key="a">{}</td>\n  <td data-key="b" class="num">{}</td>\n</table>'


def test_only_lines_that_changed_are_sent() -> None:
    text = KeyedText()
    assert text.draw(ROWS.format(1, 2), 1)
    assert text.since(0) == {"whole": ROWS.format(1, 2)}
    assert text.since(1) == {}
    assert not text.draw(ROWS.format(1, 2), 2)
    assert text.draw(ROWS.format(1, 3), 3)
    assert text.since(2) == {"lines": {"b": '  <td data-key="b" class="num">3</td>'}}
    assert text.draw(ROWS.format(7, 3), 4)
    assert list(text.since(3)["lines"]) == ["a"]
    # Who missed more gets more, and each line as it is now.
    assert sorted(text.since(1)["lines"]) == ["a", "b"]


def test_a_line_more_or_less_is_sent_as_a_whole() -> None:
    text = KeyedText()
    text.draw('<td data-key="a">1</td>', 1)
    more = '<td data-key="a">1</td>\n<td data-key="c">1</td>'
    text.draw(more, 2)
    assert text.since(1) == {"whole": more}
    text.draw('<p>new</p>\n<td data-key="a">1</td>', 3)
    assert "whole" in text.since(2)


def test_text_of_bots_is_no_unit() -> None:
    text = KeyedText()
    text.draw('<p>&lt;td data-key="a"&gt;\nx</p>', 1)
    text.draw('<p>&lt;td data-key="a"&gt;\ny</p>', 2)
    assert "whole" in text.since(1)


def test_a_list_grows() -> None:
    items = GrowingList()
    for number in range(5):
        items.add(f"<li>{number}</li>", number + 1)
    assert items.since(3) == {"more": "<li>3</li>\n<li>4</li>"}
    assert items.since(5) == {}
    items.clear(6)
    items.add("<li>0</li>", 6)
    assert items.since(5) == {"whole": "<li>0</li>"}
    assert items.since(6) == {}
    assert len(items) == 1


def test_versions_of_another_drawing_mean_nothing() -> None:
    part, other = KeyedText(), KeyedText()
    drawing = Drawing({"part": part})
    stranger = Drawing({"part": other})
    for number in range(3):
        drawing.close(part.draw(ROWS.format(number, 0), drawing.next_version))
        stranger.close(other.draw(ROWS.format(number, 0), stranger.next_version))
    assert drawing.since(drawing.version) == {}
    drawing.close(False)
    before = drawing.version
    drawing.close(part.draw(ROWS.format(9, 0), drawing.next_version))
    assert list(drawing.since(before)["part"]) == ["lines"]
    for version in (stranger.version, "", "x", f"{before.split('.')[0]}.²", before.split(".")[0]):
        assert drawing.since(version) == {"part": {"whole": ROWS.format(9, 0)}}
