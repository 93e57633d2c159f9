"""Pacman: the scoring, the ghosts' ways, layouts good and bad."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import alphabeta, iterative, minimax
from bots.support.bot import Clock
from games.pacman.mazes import maze_of
from games.pacman.rules import FOOD, GHOST, LOSS, STEP, STOP, WIN, Pacman, PacmanState
from games.support.errors import InputError, MoveError, OptionError, PositionError
from games.support.game import State
from games.support.perft import perft
from games.support.specs import find_game
from tests.strategies import walk, walks

CORRIDOR = """
%%%%%%%%%
%P.o. G %
%%%%%%%%%
"""


def maze(tmp_path: Path, text: str, **options: str) -> Pacman:
    """Return the game in a layout of one's own."""
    path = tmp_path / "own.txt"
    path.write_text(text.lstrip("\n"))
    chosen = "".join(f"&{name}={value}" for name, value in options.items())
    game = find_game(f"pacman?layout={path}{chosen}")
    assert isinstance(game, Pacman)
    return game


def play(game: Pacman, moves: str) -> PacmanState:
    """Play moves by their first letters; `x` is stop."""
    state: State = game.initial()
    for letter in moves:
        state = state.play(state.parse("stop" if letter == "x" else letter))
    assert isinstance(state, PacmanState)
    return state


def test_everything_is_scored_as_usual(tmp_path: Path) -> None:
    game = maze(tmp_path, CORRIDOR)
    state = play(game, "ew")
    assert state.score == STEP + FOOD
    assert state.ghosts[0][0] == 14
    state = play(game, "ewe")
    assert state.score == 2 * STEP + FOOD
    assert state.ghosts[0][2] == 40
    state = play(game, "ewewe")
    # The ghost came onto Pacman's cell and was eaten; it starts anew where it started.
    assert state.score == 3 * STEP + FOOD + GHOST + FOOD + WIN
    assert state.outcome() == (state.score, -state.score)
    assert state.placing() == (1.0, -1.0)
    assert "Pacman ate 2 of 2, score" in state.render()


def test_a_ghost_that_is_not_scared_catches(tmp_path: Path) -> None:
    game = maze(tmp_path, CORRIDOR.replace("o", " "))
    state = play(game, "ewewwwwwe")
    assert state.is_caught
    assert state.score == 5 * STEP + FOOD + LOSS
    assert state.outcome() == (state.score, -state.score)
    assert state.placing() == (-1.0, 1.0)
    assert "Pacman ate 1 of 2 and was caught, score" in state.render()


def test_a_ghost_catches_who_stands_still(tmp_path: Path) -> None:
    game = maze(tmp_path, CORRIDOR.replace("o", " "), stop="yes")
    assert not play(game, "ewewwwx").is_caught
    assert play(game, "ewewwwxw").is_caught


def test_time_runs_out_without_a_winner(tmp_path: Path) -> None:
    game = maze(tmp_path, "%%%%%%%%%\n%P .%  G%\n%%%%%%%%%\n", rounds="2")
    state = play(game, "ewww")
    assert state.outcome() == (-2.0, 2.0)
    assert state.placing() == (0.0, 0.0)
    assert "Pacman ate 0 of 1 before the time was up, score" in state.render()


def test_ghosts_never_stop_nor_turn_back_but_at_a_dead_end() -> None:
    for state in walk("pacman", 4, 300):
        assert isinstance(state, PacmanState)
        if state.outcome() is not None or state.to_move == 0:
            continue
        cell, heading, scared = state.ghosts[state.to_move - 1]
        moves = state.legal_moves()
        ways = [way for way in range(4) if state.game.maze.ways[cell][way] >= 0]
        back = (2, 3, 0, 1, STOP)[heading]
        if scared % 2:
            assert moves == (STOP,)
        elif back in ways and len(ways) > 1:
            assert moves == tuple(way for way in ways if way != back)
        else:
            assert moves == tuple(ways)


@pytest.mark.parametrize("stop", ["no", "yes"])
def test_standing_still_is_an_option(stop: str) -> None:
    state = find_game(f"pacman?stop={stop}").initial()
    texts = [state.text(move) for move in state.legal_moves()]
    assert ("stop" in texts) == (stop == "yes")
    assert texts[:3] == ["north", "east", "west"]


@given(walks("pacman?ghosts=2", 120))
def test_the_score_is_what_was_eaten_and_walked(states: list[State]) -> None:
    first, last = states[0], states[-1]
    assert isinstance(first, PacmanState)
    assert isinstance(last, PacmanState)
    steps = sum(before.to_move == 0 for before in states[:-1])
    eaten = (first.food ^ last.food).bit_count()
    rest = last.score - STEP * steps - FOOD * eaten
    rest -= LOSS * last.is_caught + WIN * (last.food == 0)
    assert rest % GHOST == 0
    assert rest >= 0


@given(st.integers(0, 10**6), st.integers(1, 2), st.sampled_from([1, 2]))
def test_searches_agree_against_several_ghosts_in_a_row(
    seed: int, rounds: int, ghosts: int
) -> None:
    states = walk(f"pacman?ghosts={ghosts}", seed, 40)
    state = next(each for each in reversed(states) if each.outcome() is None)
    evaluation = state.game.evaluation("hunt")
    depth = rounds * state.game.seats
    expected = minimax.search(state, depth=depth, evaluation=evaluation)
    pruned = alphabeta.search(state, depth=depth, evaluation=evaluation)
    assert (pruned.value, pruned.move) == (expected.value, expected.move)
    assert pruned.nodes <= expected.nodes
    deepened = iterative.search(state, depth=depth, evaluation=evaluation)
    assert deepened.value == expected.value


def test_depth_is_asked_in_rounds() -> None:
    state = find_game("pacman").initial()
    bot = minimax.Minimax(rounds=2)

    bot.choose(state, Clock())
    assert bot.report is not None
    assert bot.report.depth == 2 * 3
    lines = sum(perft(state, depth) for depth in range(7))
    assert bot.report.nodes == lines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%%%%%\n%P.G%\n%%%%", r"line 3: 4 signs, the first line has 5"),
        ("%%%%%\n%P?G%\n%%%%%", r"line 2 column 3: '\?' is no sign \(known: '%' wall, '.' food"),
        ("%%%%%\n%P.G \n%%%%%", r"line 2 column 5: ' ' at the edge, expected a wall \(%\)"),
        ("%%%%%\n%..G%\n%%%%%", "0 P in it, expected one Pacman"),
        ("%%%%%\n%PPG%\n%%%%%", "2 P in it, expected one Pacman"),
        ("%%%%%\n%P. %\n%%%%%", "0 G in it, expected 1 to 9 ghosts"),
        ("%%%%%\n%P G%\n%%%%%", r"no food \(\.\) in it"),
        ("%%%%%%\n%PG%.%\n%%%%%%", "line 2 column 5: Pacman can't get to this food"),
        ("%%", "2 wide and 1 high"),
        ("", "0 wide and 1 high"),
    ],
)
def test_bad_layouts_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        maze(tmp_path, text)


def test_unknown_layouts_get_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(PositionError, match=r"no layout 'smal' \(did you mean 'small'\?\)"):
        find_game("pacman?layout=smal")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PositionError, match="can't be read"):
        find_game(f"pacman?layout={tmp_path / 'bytes'}")
    with pytest.raises(InputError, match="layout 'small' has 2"):
        find_game("pacman?ghosts=3")


def test_a_layout_of_one_s_own_is_named_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.txt").write_text(CORRIDOR.lstrip("\n"))
    monkeypatch.chdir(tmp_path)
    game = find_game("pacman?layout=own.txt")
    assert game.spec == f"pacman?layout={tmp_path / 'own.txt'}"


def test_directions_are_read_by_their_first_letter() -> None:
    state = find_game("pacman?stop=yes").initial()
    assert state.text(state.parse("e")) == "east"
    assert state.text(state.parse("STOP")) == "stop"
    with pytest.raises(MoveError, match="illegal move 'south'"):
        state.parse("s")


def test_a_position_is_written_with_all_that_can_change(tmp_path: Path) -> None:
    game = maze(tmp_path, CORRIDOR)
    state = play(game, "ewe")
    assert state.fen() == "%%%%%%%%%/%___.___%/%%%%%%%%% 1 8 1 1,3,e 1,5,w,40"
    assert game.position(state.fen()) == state
    assert find_game(f"{game.spec}&fen={state.fen()}").initial().key() == state.key()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("%%%/%.%/%%% 0 0 0 1,1,n 1,1,n", "expected the walls (%) of layout"),
        ("BOARD 0 0 0 1,1,n", "the round and 2 places, got 4 words"),
        ("BOARD 2 0 0 1,1,n 1,6,n", "expected a seat below 2"),
        ("BOARD 0 0 -1 1,1,n 1,6,n", "a round from 0"),
        ("BOARD 0 x 0 1,1,n 1,6,n", "'x': expected a whole number"),
        ("BOARD 0 0 0 1,1,q 1,6,n", "place '1,1,q': expected row,column,heading"),
        ("BOARD 0 0 0 0,1,n 1,6,n", "place '0,1,n': no floor of layout"),
        ("BOARD 0 0 0 1,1,n 1,60,n", "no floor of layout"),
        ("BOARD 0 0 300 1,1,n 1,6,n", "the match ends after 300"),
        ("EMPTY 0 0 0 1,1,n 1,6,n", "no food (.) is left"),
    ],
)
def test_a_text_that_is_no_position_is_refused(tmp_path: Path, text: str, told: str) -> None:
    game = maze(tmp_path, CORRIDOR)
    board = "%%%%%%%%%/%_.o.___%/%%%%%%%%%"
    text = text.replace("BOARD", board).replace("EMPTY", board.replace(".", "_"))
    with pytest.raises(PositionError, match=re.escape(told)):
        game.position(text)
    with pytest.raises(OptionError, match="option fen: "):
        game.starting_at(text)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("maze.txt", [(1, 4), (1, 6), (3, 1), (3, 4)]),
        ("maze.lay", [(3, 1), (3, 4), (1, 4), (1, 6)]),
    ],
)
def test_files_of_the_projects_number_ghosts_by_column(
    tmp_path: Path, name: str, places: list[tuple[int, int]]
) -> None:
    text = "%%%%%%%%\n%.P G G%\n%      %\n%G  G  %\n%%%%%%%%\n"
    (tmp_path / name).write_text(text)
    maze = maze_of(text, str(tmp_path / name))
    assert [divmod(cell, maze.width) for cell in maze.ghosts] == places
