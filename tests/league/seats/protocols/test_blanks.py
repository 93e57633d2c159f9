"""Blanks and tabs around and between the words of an engine, in every protocol."""

import pytest

pytest.importorskip("chess", reason="needs the extra 'chess'")

from games.support.moves import decode_move
from games.support.specs import find_game
from league.model.records import Limits
from league.seats.bot_specs import make_seat
from league.seats.engine.uci_options import (
    EngineOption,
    OptionRefused,
    accepted,
    read_option,
    setting,
)
from league.seats.seat import MoveBudget
from tests.league.seats.scripted import engine
from tests.waiting import ENDLESS_S

LIMITS = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)

UCI = [
    ("^uci$", "\t option  name Move\tOverhead  type spin default 10 min 0 max 5000 \n uciok\t"),
    ("^isready$", "  readyok \r"),
    (
        "^go",
        " info\tdepth 7  score\tcp 30 nodes\t 99  pv e2e4\t e7e5\n\t bestmove  e2e4\tponder e7e5 ",
    ),
]
UGI = [
    ("^ugi$", " ugiok "),
    *UCI[1:2],
    ("^go", "\tinfo depth 7\tscore cp 30 nodes 99\n bestmove\tb2"),
]
XBOARD = [
    ("^protover", " feature\tping=1  setboard=1\tdone=1 "),
    (r"^ping (\d+)", r"\tpong  \1 "),
    ("^go", "  7\t30  12 99\te4 e5\n\tmove  e2e4 "),
]
GTP = [
    (r"^(\d+) protocol_version", "=\\1\t2\n"),
    (r"^(\d+) list_commands", "=\\1 genmove\t\nplay \n"),
    (r"^(\d+) genmove", "\t=\\1\t c3 \n\t"),
    (r"^(\d+)", "=\\1 \n \t"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "script", "spec", "move"),
    [
        ("uci", UCI, "chess", "e4"),
        ("xboard", XBOARD, "chess", "e4"),
        ("ugi", UGI, "tictactoe", "b2"),
        pytest.param("gtp", GTP, "openspiel:go?board_size=5", "B C3", marks=pytest.mark.extra),
    ],
)
def test_any_blanks_separate_words(
    protocol: str, script: list[tuple[str, str]], spec: str, move: str
) -> None:
    if protocol == "gtp":
        pytest.importorskip("pyspiel")
    game = find_game(spec)
    state = game.initial()
    options = {"move overhead": "20"} if protocol == "uci" else {}
    seat = make_seat(engine(protocol, script, options), LIMITS)
    try:
        seat.start()
        seat.new_match(game, 0, 1, ())
        answer = seat.ask(state, (), MoveBudget(move_s=ENDLESS_S))
        assert decode_move(state, answer.wire) == state.parse(move)
        if protocol != "gtp":
            assert answer.report is not None
            assert (answer.report.depth, answer.report.score, answer.report.nodes) == (7, 0.3, 99)
    finally:
        seat.stop()


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (
            "option name Style type combo var Solid var Very Risky default Solid",
            EngineOption("Style", "combo", default="Solid", choices=("Solid", "Very Risky")),
        ),
        (
            "option name Style type combo var Solid default Solid var Risky",
            EngineOption("Style", "combo", default="Solid", choices=("Solid", "Risky")),
        ),
        (
            " option  name\tHash type  spin max 64  default 16 min 1 ",
            EngineOption("Hash", "spin", default="16", low=1, high=64),
        ),
        ("option name File type string default", EngineOption("File", "string")),
        (
            "option name Book type string default a  b",
            EngineOption("Book", "string", default="a b"),
        ),
        ("option name Wipe type button", EngineOption("Wipe", "button")),
    ],
)
def test_the_parts_of_an_option_come_in_any_order(line: str, option: EngineOption) -> None:
    assert read_option(line) == option


def test_a_button_is_pressed_by_true_too() -> None:
    offered = {"clear hash": EngineOption("Clear Hash", "button")}
    for value in ("", "true", "True"):
        assert setting(*accepted(offered, "Clear Hash", value)) == "setoption name Clear Hash\n"
    with pytest.raises(OptionRefused):
        accepted(offered, "Clear Hash", "false")
