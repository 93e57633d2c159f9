"""What may be printed, and what stands in the place of the rest."""

import unicodedata

import pytest

from games.support.printable import printable, without_colours


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain – ½ ×", "plain – ½ ×"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202eabc", "\\u202eabc"),
        ("[red]x[/red]", "[red]x[/red]"),
        ("\udc80", "\\udc80"),
        ("a\x1b\u202e\ud800", "a\\x1b\\u202e\\ud800"),
        ("1\u00a0s\u202f\u3000", "1\u00a0s\u202f\u3000"),
        ("\u200b\u2066\u2028\U000e0041\u0378", "\\u200b\\u2066\\u2028\\U000e0041\\u0378"),
    ],
)
def test_nothing_is_written_that_a_terminal_obeys(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_no_character_of_an_obeyed_kind_is_printed() -> None:
    text = "".join(map(chr, range(0x110000)))
    kinds = {unicodedata.category(each) for each in printable(text, "")}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert "Zs" in kinds


def test_something_else_stands_instead_and_lines_are_kept() -> None:
    assert printable("a\x1b[0m\u202e\nb", "?") == "a?[0m??b"
    assert printable("a\x1b\r\nb", keep_lines=True) == "a\\x1b\\r\nb"
    assert printable("a\nb", " ", keep_lines=True) == "a\nb"
    assert without_colours("\x1b[1;31mred\x1b[0m \x1b") == "red \x1b"
