"""Lines of a megabyte from an engine: each is read once, and not again from each of its places."""

import time
from collections.abc import Callable

import pytest

from games.support.specs import find_game
from league.seats.engine.uci_options import read_option
from league.seats.engine.xboard_features import XboardFeatures
from league.seats.engine.xboard_thinking import report_of
from league.seats.process.bot_process import LINE_MAX

READERS: dict[str, Callable[[str], object]] = {
    "thinking": lambda text: report_of(find_game("chess").initial(), [f"1 2 3 4 {text}"]),
    "feature": lambda text: list(XboardFeatures().add(f"feature {text}")),
    "xboard option": lambda text: list(XboardFeatures().add(f'feature option="{text}"')),
    "uci option": lambda text: read_option(f"option name {text}"),
    "uci choices": lambda text: read_option(f"option name a type combo {text}"),
}

PATTERNS = ("{", "(", "<", "[", "!", "1", ".", "a", " ", "a ", " var a", " type ", " default ", "=")


@pytest.mark.slow
@pytest.mark.extra
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_long_line_takes_time_in_proportion(reader: str, pattern: str) -> None:
    text = pattern * (LINE_MAX // len(pattern))
    begin = time.process_time()
    READERS[reader](f"{text}x")
    # Those that were read again from each place took hours.
    assert time.process_time() - begin < 10.0
