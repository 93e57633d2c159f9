"""Progress that is drawn over and over: no line is left behind by a resize."""

import os
import pty
import termios

import pytest

from league.cli.progress_bar import LiveLines, bar


@pytest.mark.parametrize(("columns", "up"), [(80, 2), (40, 3), (20, 4)])
def test_folded_lines_are_taken_away_too(columns: int, up: int) -> None:
    own, other = pty.openpty()
    try:
        termios.tcsetwinsize(other, (24, 80))
        with os.fdopen(os.dup(other), "w") as stream:
            lines = LiveLines(stream)
            lines.draw(["-" * 60, "short"])
            termios.tcsetwinsize(other, (24, columns))
            os.read(own, 4096)
            lines.draw(["-" * 100, "one"])
        drawn = os.read(own, 4096).decode()
        assert drawn.startswith(f"\x1b[{up}F\x1b[J")
        assert len(drawn.splitlines()[0].removeprefix(f"\x1b[{up}F\x1b[J")) == columns - 1
    finally:
        os.close(own)
        os.close(other)


def test_a_bar_has_a_track() -> None:
    assert [bar(share, 4) for share in (0, 0.5, 1, 7)] == ["────", "━━──", "━━━━", "━━━━"]
