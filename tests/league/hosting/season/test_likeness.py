"""Likeness: bots with almost the same source are pointed out, and others are not."""

import time

import pytest

from league.hosting.season.likeness import SOURCE_MAX, likenesses

OWN = '''
def choose(state, clock):
    """Take a win, else block, else the centre."""
    moves = state.legal_moves()
    for move in moves:
        if state.play(move).outcome() is not None:
            return move
    best, top = None, -100
    for move in moves:
        value = rate(state.play(move), 3)
        if value > top:
            best, top = move, value
    return best


def rate(state, depth):
    result = state.outcome()
    if result is not None or depth == 0:
        return sum(result or (0,))
    return max(-rate(state.play(move), depth - 1) for move in state.legal_moves())
'''

COPIED = (
    "# my own work\n"
    + OWN.replace("move", "column").replace("value", "score").replace("100", "9_999")
).replace("    ", "  ")

OTHER = """
import random

WEIGHTS = [0, 1, 2, 4, 2, 1, 0]


class Bot:
    def __init__(self):
        self.random = random.Random(7)

    def choose(self, state, clock):
        ranked = sorted(state.legal_moves(), key=lambda column: WEIGHTS[column], reverse=True)
        if self.random.random() < 0.1:
            self.random.shuffle(ranked)
        while ranked and clock.left_s > 0.01:
            column = ranked.pop(0)
            after = state.play(column)
            if all(after.play(reply).outcome() is None for reply in after.legal_moves()):
                return column
        return state.legal_moves()[0]
"""


def of(**sources: str) -> list[tuple[str, dict[str, bytes]]]:
    return [(team, {"bot.py": text.encode()}) for team, text in sources.items()]


def test_renamed_names_hide_no_copy() -> None:
    (found,) = likenesses(of(ann=OWN, bob=COPIED, cat=OTHER))
    assert (found.teams, found.share) == (("ann", "bob"), 1)


def test_a_copy_inside_a_longer_bot_is_found() -> None:
    (found,) = likenesses(of(ann=OWN, bob=OTHER + COPIED))
    assert found.share > 0.9


def test_teams_that_are_alike_make_one_group() -> None:
    teams = {f"team{number}": OWN.replace("100", str(number)) for number in range(3)}
    others = {
        f"other{number}": OTHER + f"LAST{number} = [{number}, " + "1, " * number + "]"
        for number in range(3)
    }
    first, second = likenesses(of(**teams, **others, dan="x = 1"))
    assert first.teams == ("team0", "team1", "team2")
    assert second.teams == ("other0", "other1", "other2")


def test_what_most_teams_have_was_given_to_them() -> None:
    teams = {f"team{number}": OWN for number in range(5)}
    assert likenesses(of(**teams, cat=OTHER)) == ()


def test_short_bots_are_alike_by_chance() -> None:
    short = "def choose(state, clock):\n    return state.legal_moves()[{}]\n"
    assert likenesses(of(ann=short.format(0), bob=short.format(1))) == ()


def test_files_that_are_no_source_do_not_count() -> None:
    files = {"bot.py": OTHER.encode(), "table.json": OWN.encode()}
    assert likenesses([*of(ann=OWN), ("bob", files)]) == ()


@pytest.mark.parametrize("piece", ['"\\"', "/*", "'''", "'", '"', "#", "\\", "a", "0", " "])
def test_no_source_takes_long(piece: str) -> None:
    source = (piece * SOURCE_MAX)[:SOURCE_MAX]
    begin_s = time.process_time()
    likenesses(of(ann=source, bob=source))
    assert time.process_time() - begin_s < 5
