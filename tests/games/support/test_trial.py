"""The trial of a user's own game: each broken rule is named with its line."""

import re
from pathlib import Path

import pytest

from games.support.errors import GameError
from games.support.specs import find_game
from games.support.trial import tried_game, try_out
from tests.paths import DOCS, EXAMPLES
from tests.waiting import PATIENCE_S

PIG = EXAMPLES / "pig.py"
"""The documentation's example of three seats and a die."""

HOLD = 'return ("roll", "hold") if self.stake else ("roll",)'
FACES = "return tuple((face, 1 / 6) for face in self.legal_moves())"
KEY = "return (self.banked, self.seat, self.stake, self.to_move)"
SIDES = "    sides = (0, 1, 2)\n"
RENDER = "    def render(self):"
WON = "return tuple(1.0 if seat == self.seat else -1.0 for seat in range(self.game.seats))"

BROKEN = {
    "number of seats": (
        SIDES,
        "    seats = 3\n",
        "seats = 3",
        "seats is 3, and sides (0, 1) has 2: leave seats out and write sides = (0, 1, 2)",
    ),
    "sides as a number": (SIDES, "    sides = 3\n", "sides = 3", "sides is 3: expected the side"),
    "names": ('("Red", "Green", "Blue")', '("Red", "Green")', "seat_names =", "has 2 for 3 seats"),
    "equal names": ('"Green", "Blue"', '"Red", "Blue"', "seat_names =", "must differ"),
    "colours": (SIDES, f"{SIDES}    seat_colours = ()\n", "seat_colours =", "has 0 for 3 seats"),
    "luck where a seat moves": (
        "        if self.to_move != CHANCE:\n            return ()\n",
        "",
        "def chance",
        "chance() lists 1 moves of luck where seat 0 moves",
    ),
    "no luck where luck moves": (FACES, "return ()", "def chance", "chance() is empty"),
    "probabilities": ("1 / 6", "1 / 5", "def chance", "do not add up to 1"),
    "negative probabilities": (
        FACES,
        "return tuple(zip(self.legal_moves(), (-1, 1, 1, 0, 0, 0)))",
        "def chance",
        "do not add up to 1",
    ),
    "faces": ("(1, 2, 3, 4, 5, 6)", "(1, 2, 3, 4, 5)", "def chance", "add up to 1"),
    "has_chance": (
        "has_chance = True",
        "has_chance = False",
        "has_chance =",
        "has_chance is false",
    ),
    "key without the stake": (
        KEY,
        KEY.replace(" self.stake,", ""),
        "def key",
        "key() lacks a part",
    ),
    "key without the seat": (KEY, KEY.replace(" self.seat,", ""), "def key", "key() lacks a part"),
    "key without the points": (KEY, KEY.replace("self.banked, ", ""), "def key", "lacks a part"),
    "key without who moves": (KEY, KEY.replace(", self.to_move", ""), "def key", "to_move differs"),
    "mover": ("% self.game.seats", "% 4", "self.to_move =", "to_move is 3, no seat"),
    "mover of another type": (
        "is_rolling else seat",
        "is_rolling else str(seat)",
        "self.to_move =",
        "to_move is '0', no seat: expected 0 to 2, or CHANCE",
    ),
    "outcome of two": (WON, "return (1.0, -1.0)", "def outcome", "each of the 3 seats"),
    "outcome of words": (WON, "return ('won', 'lost', 'lost')", "def outcome", "expected numbers"),
    "placing": ("else self.points()\n", "else (1, 2)\n", "def placing", "each of the 3 seats"),
    "sides that differ": (SIDES, "    sides = (0, 1, 1)\n", "def outcome", "one side get the same"),
    "moves as lists": (
        HOLD,
        'return (["roll"],)',
        "def legal_moves",
        "the move ['roll'] of legal_moves() is not hashable",
    ),
    "moves as a generator": (HOLD, 'return (m for m in ("roll",))', "def legal_moves", "generator"),
    "moves twice": (HOLD, 'return ("roll", "roll")', "def legal_moves", "a move twice"),
    "texts": (
        RENDER,
        f"    def text(self, move):\n        return 'x'\n\n{RENDER}",
        "def text",
        "two legal moves have the same text 'x'",
    ),
    "text of a number": (
        RENDER,
        f"    def text(self, move):\n        return 3\n\n{RENDER}",
        "def text",
        "gives 3",
    ),
    "parse": (
        RENDER,
        f"    def parse(self, text):\n        return 'roll'\n\n{RENDER}",
        "def parse",
        "'' is no move, and read as 'roll'",
    ),
    "parse of nonsense": (
        RENDER,
        "    def parse(self, text):\n"
        "        return {str(move): move for move in self.legal_moves()}[text]\n\n"
        f"{RENDER}",
        "def parse",
        "parse('') raises KeyError: raise MoveError, or leave parse out",
    ),
    "dice in play": (
        "self.stake + move)",
        "self.stake + __import__('random').randint(1, 99999))",
        "def play",
        "gives another position the second time: let chance() list what luck decides",
    ),
    "dice at the start": (
        "Turn(self, (0, 0, 0), 0)",
        "Turn(self, (0, 0, 0), 0, __import__('random').randint(1, 99999))",
        "def initial",
        "initial() gives another position each time",
    ),
    "play that changes the position": (
        '        if move == "roll":\n',
        '        self.stake += 1\n        if move == "roll":\n',
        "def play",
        "changes the position: return a new one",
    ),
    "a list in the position": (
        "self.game, self.banked, self.seat, self.stake = game, banked, seat, stake",
        "self.game, self.banked, self.seat, self.stake = game, list(banked), seat, stake",
        "self.banked",
        "banked is a list, which can change: keep a tuple",
    ),
    "no game in the position": (
        "self.game, self.banked, self.seat, self.stake = game, banked, seat, stake",
        "self.banked, self.seat, self.stake = banked, seat, stake",
        "class Turn",
        "the position has no game: set self.game in __init__",
    ),
    "evaluation": (
        "lead, -self.goal, self.goal,",
        "lead, -1, 1,",
        "def evaluations",
        "evaluation 'lead' gives",
    ),
    "an error": ("following = ", "following = 1 / 0 or ", "following =", "ZeroDivisionError"),
    "an attribute that is missing": (
        "self.points(), following",
        "self.pints(), following",
        "self.pints",
        "pints",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    old, new, place, message = BROKEN[name]
    text = PIG.read_text()
    assert old in text
    changed = text.replace(old, new)
    path = tmp_path / "mine.py"
    path.write_text(changed)
    with pytest.raises(GameError) as caught:
        try_out(find_game(str(path)))
    told = str(caught.value)
    assert message in told
    assert "\n" not in told
    [line] = re.findall(r"mine\.py line (\d+)", told)
    assert place in changed.splitlines()[int(line) - 1]


@pytest.mark.slow
def test_a_sound_game_passes() -> None:
    assert try_out(find_game(str(PIG)), PATIENCE_S) > 100
    assert tried_game(f"{PIG}?goal=9").values["goal"] == 9


def test_the_page_shows_the_example_whole() -> None:
    page = (DOCS / "how-to" / "write-a-game.md").read_text()
    assert f"```python\n{PIG.read_text()}```" in page
